"""The regularised loss of ReLU networks of any depth, and its minimisation, in compiled loops."""
