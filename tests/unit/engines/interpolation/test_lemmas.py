"""Lemmas by content hashes: what is proved once is not asked again, and every change of what matters is noticed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from paddock.engines.interpolation.certificate import Certificate, certified
from paddock.engines.interpolation.lemmas import Keys, Relied
from paddock.engines.interpolation.work import Work
from paddock.engines.outcome import Budget
from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.entry import with_entry
from paddock.ir.expr import Expr
from paddock.ir.modref import mod_ref
from paddock.ir.program import Program
from paddock.passes.infer_modifies import infer_modifies
from paddock.solvers.z3.solver import Z3Solver

TEXT = """
    const c: int; axiom c == 1;
    var g: int; var unrelated: int;
    procedure Low() returns (r: int) { r := c; }
    procedure Middle() returns (r: int) modifies g; { var x: int; call r := Low(); g := r; }
    procedure Other() modifies unrelated; { unrelated := 1; }
    procedure main() modifies g, unrelated; { call g := Middle(); call Other(); assume g < 1; }
"""


@dataclass
class Known:
    """Lemmas in memory."""

    proved: dict[str, Sequence[Relied]] = field(default_factory=dict)

    def relied_on(self, key: str) -> Sequence[Relied] | None:
        return self.proved.get(key)

    def learn(self, proved: Mapping[str, Sequence[Relied]]) -> None:
        self.proved.update(proved)


def loaded(text: str) -> Program:
    return with_entry(infer_modifies(load([Source(text)])), "main")


def result_at_least(name: str, bound: str) -> Expr:
    """A condition as the program says it in a contract of a procedure that is made for it."""
    text = f"procedure {name}() returns (r: int); free ensures r >= {bound}; procedure main() {{ }}"
    return loaded(text).procedure_named[name].ensures[0].condition


def asked(program: Program, known: Known) -> tuple[Certificate | None, int]:
    """What is certified, and how many bodies a solver was asked about."""
    made = 0

    class Counting(Z3Solver):
        def another(self, thorough: bool = False, effort: float | None = None) -> Z3Solver:
            nonlocal made
            made += 1
            return super().another(thorough, effort)

    ensures = {name: (result_at_least(name, "1"),) for name in ("Low", "Middle")}
    with Counting() as solver:
        return certified(program, ensures, (), solver, Work(Budget()), lemmas=known), made


def test_what_is_known_is_not_asked_again_but_for_the_entry() -> None:
    known = Known()
    first, bodies = asked(loaded(TEXT), known)
    assert first is not None and bodies == 3
    second, bodies = asked(loaded(TEXT), known)
    assert second == first and bodies == 1


@pytest.mark.parametrize(
    ("old", "new", "bodies"),
    [
        ("unrelated := 1", "unrelated := 2", 1),  # nothing that the proof is about
        ("var x: int;", "var y: int;", 2),
        ("r := c", "r := c + 0", 2),
        ("r := c", "r := c - 1", None),
        ("axiom c == 1", "axiom c == 0", None),
        ("axiom c == 1", "axiom c == 2", 3),
        ("var g: int;", "var g: int where g > 7;", 2),  # Low does not know of it
    ],
)
def test_what_matters_to_a_lemma_is_in_its_key(old: str, new: str, bodies: int | None) -> None:
    known = Known()
    asked(loaded(TEXT), known)
    found, count = asked(loaded(TEXT.replace(old, new)), known)
    assert (found is None) == (bodies is None)
    if bodies is not None:
        assert count == bodies


def test_callees_count_by_their_bodies_or_by_their_summaries() -> None:
    program = loaded(TEXT)
    goal, effects = result_at_least("Low", "1"), mod_ref(program)
    keys = [
        Keys(program, ensures, inlined, effects).key("Middle", goal)
        for inlined in ((), ("Low",))
        for ensures in ({}, {"Low": [goal]})
    ]
    assert len(set(keys)) == 3
    assert keys[2] == keys[3]
