"""The Boogie front end: text in, a checked and lowered `Program` out."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.collector import collector_paused
from paddock.frontends.boogie.check import check
from paddock.frontends.boogie.directives import directed
from paddock.frontends.boogie.lexer import without_comments
from paddock.frontends.boogie.parser import parse
from paddock.frontends.boogie.problems import Problems
from paddock.frontends.source import Source
from paddock.ir.origin import Diagnostic
from paddock.ir.program import Program

__all__ = ["Source", "load"]


def load(
    sources: Sequence[Source],
    candidates: Sequence[Source] = (),
    warnings: list[Diagnostic] | None = None,
    check_modifies: bool = True,
    defined: Sequence[str] = (),
) -> Program:
    """The program that the sources make up together, with a `{:template}` for each text of candidates and for each
    procedure in it; raises `InputError` with all that is wrong. What the user should know goes to `warnings`.
    Unless they are checked, `modifies` clauses may lack what bodies change. `#if` knows the `defined` names."""
    with collector_paused():
        problems = Problems()
        directed_sources = [
            directed(source, {*defined, f"FILE_{n}"}, without_comments) for n, source in enumerate(sources)
        ]
        declarations = [(source, node) for source in directed_sources for node in parse(source, False, problems)]
        declarations += [(source, node) for source in candidates for node in parse(source, True, problems)]
        program = check(declarations, problems, check_modifies)
        if warnings is not None:
            warnings += problems.warnings.values()
        return program
