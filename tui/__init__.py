"""The terminal interface: walk through every claim, run it, try to break it. It shows what the checker computes.

`data` what is shown (immutable, no widgets), `says` how it reads (pure functions to blocks of text), `widgets` one a
file, `screens` one a file, `app` puts them together. Reached only through `implicitbias tui`.
"""
