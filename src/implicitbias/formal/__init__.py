"""Theorems in Coq: a library written by hand, and the program that checks what is generated."""
