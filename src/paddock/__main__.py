"""`python -m paddock`, and the command `paddock`: the command line in a process of its own."""

import signal
import sys
from typing import NoReturn

from paddock import guard
from paddock.cli import main


def run() -> NoReturn:
    """Run the command line and end the process."""
    status = main(check=guard.check_files)
    # All has been said: a second Ctrl-C, out of impatience, shall not change the exit status.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(status)


if __name__ == "__main__":
    run()
