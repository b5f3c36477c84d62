"""What a terminal is given: colours of ours, and nothing that a program could make it do."""

from __future__ import annotations

from io import StringIO

from paddock.report.color import Painter, for_terminal


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_only_colours_reach_a_terminal() -> None:
    title, clear, bell = "\x1b]0;title\x07", "\x1b[2J", "\x9b31m"
    text = Painter(True)("a\tb", "bold", "red") + f"\n{title}{clear}{bell}\r\b"
    shown = for_terminal(text, Terminal())
    assert shown == "\x1b[1;31ma\tb\x1b[0m\n\\x1b]0;title\\x07\\x1b[2J\\x9b31m\\x0d\\x08"
    assert for_terminal(text, StringIO()) == text
