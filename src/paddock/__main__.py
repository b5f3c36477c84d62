"""`python -m paddock`: the command line."""

import sys

from paddock.cli import main

sys.exit(main())
