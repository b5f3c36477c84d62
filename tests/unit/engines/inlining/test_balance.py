"""How often it is asked for an error without open calls."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

import paddock
from paddock import Options, Verdict
from paddock.engines.inlining.balance import LITTLE, Balance
from paddock.solvers.z3.solver import Z3Solver


@dataclass
class Worker:
    """A solver that has taken so much effort so far."""

    taken: float = 0.0

    def effort(self) -> float:
        return self.taken


def test_what_costs_much_waits_until_the_others_have_taken_as_much() -> None:
    worker = Worker()
    balance = Balance(worker)  # type: ignore[arg-type]
    for cost in (LITTLE / 2, 10.0):
        assert balance.is_due
        worker.taken += cost
        balance.asked()
    for other in (4.0, 5.0):
        assert not balance.is_due
        worker.taken += other
    assert not balance.is_due
    worker.taken += 1.0
    assert balance.is_due


PROGRAM = """
function f(n: int): int;
procedure main(n: int) { call P(n); call P(n + 1); call Q(n); }
procedure P(n: int) { call Q(n); call Q(n + 2); }
procedure Q(n: int) { assert n != 7 || f(n) == f(n + 0); assert n != %s; }
"""


@pytest.mark.parametrize(("wrong", "verdict"), [("8", Verdict.BUG), ("n + 1", Verdict.PROVED)])
def test_verdicts_do_not_depend_on_it(wrong: str, verdict: Verdict, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paddock.engines.inlining.opening.is_small", lambda *_: False)
    queries = 0

    def effort(_: Z3Solver) -> float:
        nonlocal queries
        queries += 1
        return float(queries**2)  # each query takes more than all before

    program, options = paddock.load(PROGRAM % wrong), Options.of(engine="dag", deep_asserts=False)
    assert paddock.check(program, options).verdict is verdict
    monkeypatch.setattr(Z3Solver, "effort", effort)
    monkeypatch.setattr("paddock.engines.inlining.balance.SHARE", 0.01)
    assert paddock.check(program, options).verdict is verdict
