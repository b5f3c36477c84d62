"""What the command line writes: texts to files or standard output, complaints to standard error."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Sequence
from contextlib import suppress

from paddock.ir.origin import Diagnostic, InputError, Origin
from paddock.report.color import for_terminal, painter_for


def require_writable(path: str | None, inputs: Sequence[str] = ()) -> None:
    """Refuse a place that cannot be written before the work is done, and one that holds the program."""
    if path is None:
        return
    if any(os.path.exists(path) and os.path.exists(i) and os.path.samefile(path, i) for i in inputs):
        raise InputError(Diagnostic("the output would overwrite the program", Origin(path)))
    folder = os.path.dirname(path) or "."
    if os.path.isdir(path):
        raise InputError(Diagnostic("cannot write the file: Is a directory", Origin(path)))
    if not os.path.isdir(folder):
        raise InputError(Diagnostic(f"cannot write the file: there is no folder {folder}", Origin(path)))
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        raise InputError(Diagnostic("cannot write the file: Permission denied", Origin(path)))


def write(text: str, path: str | None = None) -> None:
    """Write to a file or to standard output; a reader that has gone away is none of our business."""
    try:
        if path is not None:
            _write_file(text, path)
        elif sys.stdout is None:
            raise InputError(Diagnostic("cannot write: it is closed", Origin("standard output")))
        else:
            sys.stdout.write(for_terminal(text, sys.stdout))
            sys.stdout.flush()
    except BrokenPipeError:
        _abandon_stdout()
    except OSError as error:
        if path is None:
            _abandon_stdout()
        raise InputError(Diagnostic(f"cannot write: {error.strerror}", Origin(path or "standard output"))) from None


def _write_file(text: str, path: str) -> None:
    """Write a file as a whole or not at all: it may be the one that was read."""
    target = os.path.realpath(path)
    new = f"{target}.{os.getpid()}.new"
    replaced = not os.path.exists(target) or (os.path.isfile(target) and os.access(os.path.dirname(target), os.W_OK))
    try:
        with open(new if replaced else target, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
        if replaced:
            if os.path.exists(target):
                os.chmod(new, stat.S_IMODE(os.stat(target).st_mode))
            os.replace(new, target)
    finally:
        with suppress(FileNotFoundError):
            os.remove(new)


def terminal_width() -> int:
    """The columns of the terminal, as `shutil.get_terminal_size` finds them."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        return int(columns)
    with suppress(AttributeError, ValueError, OSError):  # there may be no terminal
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80  # type: ignore[union-attr]
    return 80


def _abandon_stdout() -> None:
    """Send what is still buffered to nowhere, or Python would try, and complain, once more at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def complain(*messages: str) -> None:
    """Say what is wrong, on standard error."""
    if sys.stderr is None:
        return
    paint = painter_for(sys.stderr, os.environ)
    with suppress(OSError):
        for message in messages:
            text = message.replace("error:", paint("error:", "bold", "red"), 1)
            print(for_terminal(text, sys.stderr), file=sys.stderr, flush=True)
