"""Boogie text to surface syntax."""

from __future__ import annotations

from paddock.frontends.boogie.cursor import Cursor
from paddock.frontends.boogie.parse_decl import declarations, templates
from paddock.frontends.boogie.problems import Problems
from paddock.frontends.boogie.syntax import DeclarationSyntax
from paddock.frontends.source import Source


def parse(source: Source, candidates: bool = False, problems: Problems | None = None) -> list[DeclarationSyntax]:
    """The declarations of a text in order; those of a text of candidates are all templates. Raises `InputError` with
    every error that was found; those after which it can be checked go to `problems`, if that is given, instead."""
    cursor = Cursor(source, problems or Problems())
    result = templates(cursor) if candidates else declarations(cursor)
    if cursor.is_lost or problems is None:
        cursor.problems.raise_if_any()
    return result
