"""How results look in a notebook: a short line, a small table that obeys nothing written in it, a drawing."""
