"""Pure functions from records to blocks of text, independent of width and theme."""
