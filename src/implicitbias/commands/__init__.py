"""One command of the command line a file, each importing what it needs when it runs."""
