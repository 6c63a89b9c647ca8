"""The terminal interface: walk through every claim, run it, try to break it. It shows what the checker computes.

`data` holds what is shown (immutable, no widgets), `says` turns it into blocks of text (pure functions), `widgets` and
`screens` have one class per file, `app` puts them together. Reached only through `implicitbias tui`.
"""
