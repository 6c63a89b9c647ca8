"""The kinds of certificate: each file in this folder is one kind, explains it, and names it in its KIND."""
