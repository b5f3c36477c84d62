"""Boogie text to surface syntax."""

from __future__ import annotations

from paddock.boogie.cursor import Cursor
from paddock.boogie.parse_decl import declarations
from paddock.boogie.source import Source
from paddock.boogie.syntax import DeclarationSyntax


def parse(source: Source) -> list[DeclarationSyntax]:
    """The declarations of a text in order. Raises `InputError` with every error that was found."""
    cursor = Cursor(source)
    result = declarations(cursor)
    cursor.problems.raise_if_any()
    return result
