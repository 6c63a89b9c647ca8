"""Checks what is claimed about the implicit bias of shallow ReLU networks."""
