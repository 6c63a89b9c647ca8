"""One widget per file: each shows what it is given and posts messages."""
