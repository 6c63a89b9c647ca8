"""One widget a file: each shows what it is given and posts messages."""
