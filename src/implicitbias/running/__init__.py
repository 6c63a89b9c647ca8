"""How checks are run: worker processes whose work can be ended, and the order of what they do."""
