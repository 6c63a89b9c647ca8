"""`python -m implicitbias` is `implicitbias`."""

import sys

from implicitbias.cli import main

if __name__ == "__main__":
    sys.exit(main())
