"""Bodies as SMT-LIB scripts: for solvers that make interpolants, and to be asked again when nothing has changed."""

from __future__ import annotations

from typing import cast

from paddock.engines.inlining.instances import Inlining
from paddock.engines.inlining.merging import first
from paddock.engines.inlining.shapes import Shapes
from paddock.engines.interpolation.bodies import ROOT, alone
from paddock.engines.interpolation.certificate import Certificate
from paddock.ir.entry import entry_name
from paddock.ir.modref import mod_ref
from paddock.ir.program import Program
from paddock.solvers.interface import Solver, Term
from paddock.solvers.smtlib.script import Script
from paddock.solvers.smtlib.text import Node, term_text


class Asserted:
    """The half of a solver that takes assertions: they become commands, with macros or, as not all solvers know these
    everywhere, without."""

    def __init__(self, macros: bool = False) -> None:
        self.terms = Script()
        self._sent = None if macros else 0  # commands whose macros may be used

    def assert_(self, term: Term) -> None:
        self.terms.commands.append(f"(assert {term_text(cast(Node, term), self._sent)})")


def written(part: Program, macros: bool = False) -> tuple[Asserted, Inlining]:
    """The body of ROOT in a program as `alone` gives it, as a script."""
    asserted = Asserted(macros)
    inlining = Inlining(Shapes(part), ROOT, cast(Solver, asserted), first)  # which asks it nothing
    inlining.inline_all()
    return asserted, inlining


def entry_question(program: Program, certificate: Certificate) -> str:
    """The question whether the entry can return if its callees do what summaries say: it cannot, by the certificate."""
    entry, inlined = entry_name(program), certificate.inlined
    asserted, _ = written(alone(program, entry, certificate.ensures, inlined, mod_ref(program)), macros=True)
    return "\n".join(asserted.terms.commands)
