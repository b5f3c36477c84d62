"""Lemmas: that the body of one procedure implies one condition, if its callees ensure theirs. By content hashes.

The key of a lemma is a hash of all that its truth depends on: the body and the types after preparation, the bodies of
callees that are looked into, the contracts and summaries of the others, the globals that they mention, and types,
constants, functions and axioms. So a lemma that was proved once need not be proved again, in whatever program.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from paddock.engines.interpolation.bodies import alone
from paddock.frozen import replace
from paddock.ir.expr import Expr
from paddock.ir.modref import ModRef, mod_ref
from paddock.ir.printer import expr_text, procedure_text, program_text
from paddock.ir.program import Program
from paddock.ir.rewriting import variables_in, without_capture

# A callee, and which of the conditions that it is said to ensure.
Relied = tuple[str, int]


class Lemmas(Protocol):
    """What is known to be proved already, and what is to be known."""

    def relied_on(self, key: str) -> Sequence[Relied] | None:
        """What the proof of a lemma relies on; None if it is not known."""
        ...

    def learn(self, proved: Mapping[str, Sequence[Relied]]) -> None:
        """Note lemmas that were proved, with what their proofs rely on."""
        ...


class Keys:
    """The keys of lemmas about the procedures of a program, with the conditions that callees are said to ensure."""

    def __init__(
        self,
        program: Program,
        ensures: Mapping[str, Sequence[Expr]],
        inlined: Collection[str],
        effects: Mapping[str, ModRef],
    ) -> None:
        self._program = program
        self._ensures = ensures
        self._inlined = inlined
        self._effects = effects
        self._shared = program_text(replace(program, globals=(), procedures=()))
        self._parts: dict[str, str] = {}

    def key(self, name: str, goal: Expr) -> str:
        """The key of the lemma that a procedure ensures a condition."""
        if name not in self._parts:
            self._parts[name] = self._part(name)
        return hashlib.sha256(f"{self._parts[name]}\0{expr_text(goal)}".encode()).hexdigest()

    def _part(self, name: str) -> str:
        # A text is to say which variable is meant.
        part = without_capture(alone(self._program, name, self._ensures, self._inlined, self._effects))
        mentioned = variables_in(*part.procedures) | {v for p in part.procedures for v in p.modifies}
        mentioned |= variables_in(*(d for d in part.globals if d.var in mentioned))
        own = replace(
            part,
            types=(),
            datatypes=(),
            constants=(),
            functions=(),
            axioms=(),
            globals=tuple(d for d in part.globals if d.var in mentioned),
            procedures=(),
        )
        texts = [self._shared, program_text(own), *map(procedure_text, part.procedures)]
        return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def known_part(
    program: Program, ensures: Mapping[str, Sequence[Expr]], inlined: Collection[str], lemmas: Lemmas
) -> dict[str, list[Expr]]:
    """Those of some conditions that hold by known lemmas alone: each by one that relies on others of them, by induction
    over the depth of calls."""
    keys = Keys(program, ensures, inlined, mod_ref(program))
    proofs: dict[Relied, Sequence[Relied]] = {}
    for name, conditions in ensures.items():
        for number, condition in enumerate(conditions):
            relied_on = lemmas.relied_on(keys.key(name, condition))
            if relied_on is not None:
                proofs[name, number] = relied_on
    while broken := [one for one, relied_on in proofs.items() if any(other not in proofs for other in relied_on)]:
        for one in broken:
            del proofs[one]
    return {name: [c for n, c in enumerate(of) if (name, n) in proofs] for name, of in ensures.items()}
