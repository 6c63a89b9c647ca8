"""`python -m implicitbias` is `implicitbias`."""

import sys

from implicitbias.cli import run

if __name__ == "__main__":
    sys.exit(run())
