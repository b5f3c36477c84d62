"""`python -m paddock`, and the command `paddock`: the command line in a process of its own.

What takes time to import is imported inside, so that Ctrl-C and SIGTERM are dealt with from the start on.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False  # as in `typing`, which takes time to import, too
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any, NoReturn

BAD_INPUT, INTERRUPTED = 2, 3  # exit statuses; `cli` has them all, but takes time to import


def run() -> NoReturn:
    """Run the command line and end the process."""
    # Both ask for an end; a signal that is to be ignored stays so.
    handlers = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}
    asking = [number for number, default in handlers.items() if signal.getsignal(number) is default]
    for number in asking:
        signal.signal(number, _leave)
    if sys.argv[1:] == ["--version"]:  # scripts ask for it again and again, and nothing else need be loaded
        sys.exit(_show_version())
    from paddock.collector import collector_paused

    with collector_paused():
        from paddock.cli.main import main
        from paddock.driver import guard

    for number in asking:
        signal.signal(number, signal.default_int_handler)

    def check(*arguments: Any) -> Any:
        result = guard.check_files(*arguments)
        if result.reason.startswith(guard.INTERRUPTED):  # more of them, out of impatience, shall not cost the report
            for number in asking:
                signal.signal(number, signal.SIG_IGN)
        return result

    status = main(check=check, summaries=guard.summaries_of_files, implications=guard.implications_of_files)
    # The report is complete: a second Ctrl-C, out of impatience, shall not change the exit status.
    for number in asking:
        signal.signal(number, signal.SIG_IGN)
    sys.exit(status)


def _show_version() -> int:
    from paddock.cli.output import complain, write
    from paddock.ir.origin import InputError
    from paddock.version import __version__

    try:
        write(f"paddock {__version__}\n")
    except InputError as error:
        complain(*map(str, error.diagnostics))
        return BAD_INPUT
    return 0


def _leave(_number: int, _frame: FrameType | None) -> NoReturn:
    """End the process at once: nothing has been done yet. (After an exception in code that is being defined, Python
    would end with another status.)"""
    os.write(2, b"error: interrupted\n")
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    run()
