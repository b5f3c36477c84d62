"""Colour on a terminal, and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TextIO

STYLES = {"red": "31", "green": "32", "yellow": "33", "bold": "1", "dim": "2"}


class Painter:
    """Wraps text in colour, or leaves it as it is."""

    def __init__(self, enabled: bool) -> None:
        self.enabled = enabled

    def __call__(self, text: str, *styles: str) -> str:
        if not self.enabled or not text:
            return text
        return f"\x1b[{';'.join(STYLES[s] for s in styles)}m{text}\x1b[0m"


PLAIN = Painter(False)


def painter_for(stream: TextIO | None, environ: Mapping[str, str]) -> Painter:
    """Colour for a stream that is a terminal that can show it, unless NO_COLOR asks for none. A closed standard
    stream is None."""
    return Painter(
        stream is not None and stream.isatty() and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"
    )


# Control characters but tabulators and ends of lines, and what starts a colour of ours.
_CONTROL = re.compile(r"\x1b(?!\[[0-9;]+m)|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]")


def for_terminal(text: str, stream: TextIO) -> str:
    """A text as it can be shown on a stream: names and lines of a program that others have written may have characters
    by which a terminal is made to do more than show them."""
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text) if stream.isatty() else text
