"""Boogie text to surface syntax."""

from __future__ import annotations

from paddock.boogie.cursor import Cursor
from paddock.boogie.parse_decl import declarations, templates
from paddock.boogie.problems import Problems
from paddock.boogie.source import Source
from paddock.boogie.syntax import DeclarationSyntax


def parse(source: Source, candidates: bool = False, problems: Problems | None = None) -> list[DeclarationSyntax]:
    """The declarations of a text in order; those of a text of candidates are all templates. Raises `InputError` with
    every error that was found; those after which it can be checked go to `problems`, if that is given, instead."""
    cursor = Cursor(source, problems or Problems())
    result = templates(cursor) if candidates else declarations(cursor)
    if cursor.is_lost or problems is None:
        cursor.problems.raise_if_any()
    return result
