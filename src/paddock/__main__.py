"""`python -m paddock`, and the command `paddock`: the command line in a process of its own.

What takes time to import is imported inside, so that Ctrl-C is dealt with from the start on.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False  # as in `typing`, which takes time to import, too
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

INTERRUPTED = 3  # the exit status of `unknown`; who else knows it is not imported yet


def run() -> NoReturn:
    """Run the command line and end the process."""
    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
    from paddock.cli.main import main
    from paddock.driver import guard

    signal.signal(signal.SIGINT, handler)
    status = main(check=guard.check_files, summaries=guard.summaries_of_files, implications=guard.implications_of_files)
    # All has been said: a second Ctrl-C, out of impatience, shall not change the exit status.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(status)


def _leave(_number: int, _frame: FrameType | None) -> NoReturn:
    """End the process at once: nothing has been done yet. (After an exception in code that is being defined, Python
    would end with another status.)"""
    os.write(2, b"error: interrupted\n")
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    run()
