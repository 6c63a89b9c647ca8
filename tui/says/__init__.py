"""How things read: pure functions from records to blocks of text, whatever the width and the theme."""
