"""All that Houdini may try, put into a program: its own candidates, those of loops, of templates and of the typestate.

    var s: int;                                  const {:existential true} keep_P: bool;  …
    procedure P();  modifies s;                  procedure P();  modifies s;
    implementation P()                             free ensures keep_P ==> s == 1;
    {                                              free ensures keep_P#1 ==> s == old(s);  …
      start: s := 1; return;                     implementation P()  …
    }

Nothing that was asserted is lost, and nothing is assumed: with all constants false, the program is what it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from paddock.frozen import frozen
from paddock.ir.program import Procedure, Program
from paddock.ir.rewriting import without_capture
from paddock.passes.candidates import NewCandidates, offered
from paddock.passes.loop_candidates import loop_candidates
from paddock.passes.template_candidates import template_candidates, templates_of
from paddock.passes.typestate_candidates import typestate_candidates


def offer_candidates(program: Program) -> Program:
    """The program with candidates; for loops, too, if they have been extracted."""
    given = loop_candidates(offered(program))
    return without_capture(with_candidates(given, templates_of(program)))


def with_candidates(program: Program, templates: Sequence[Procedure] = (), preconditions: bool = False) -> Program:
    """The program with candidates from these templates and from its typestate; for the latter, `preconditions` are
    candidates, too."""
    return new_candidates(program, templates, preconditions).program()


def new_candidates(program: Program, templates: Sequence[Procedure], preconditions: bool) -> NewCandidates:
    """The candidates of `with_candidates`, and what there is to know about them."""
    new = NewCandidates(program)
    template_candidates(new, templates)
    typestate_candidates(new, preconditions)
    return new


@frozen
class OfferCandidates:
    """The pass `offer-candidates`."""

    name: ClassVar[str] = "offer-candidates"
    summary: ClassVar[str] = "with contracts that may hold, each guarded by an existential constant"

    def __call__(self, program: Program) -> Program:
        return offer_candidates(program)
