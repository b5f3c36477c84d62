"""Counts the modules of Paddock that a command loads, and those that it crosses: in which it calls a function.

    python bench/modules.py check examples/lock_bug.bpl

The command runs in this process, so that all that it calls is seen, and twice: what is called to load modules does
not count.
"""

from __future__ import annotations

import contextlib
import io
import sys
from types import FrameType

from paddock.cli.main import main as command


def crossed(arguments: list[str]) -> set[str]:
    """The modules in which a command calls functions."""
    found: set[str] = set()

    def watch(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code.co_name != "<module>":
            found.add(frame.f_globals.get("__name__", ""))

    command(arguments)
    sys.setprofile(watch)
    try:
        command(arguments)
    finally:
        sys.setprofile(None)
    return _ours(found)


def _ours(names: set[str]) -> set[str]:
    return {name for name in names if name.partition(".")[0] == "paddock"}


def main() -> int:
    with contextlib.redirect_stdout(io.StringIO()):
        called = crossed(sys.argv[1:])
    print(f"loaded: {len(_ours(set(sys.modules)))} modules, crossed: {len(called)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
