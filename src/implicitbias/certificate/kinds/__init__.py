"""The kinds of certificate, one file each."""
