"""What induction with invariants proves of a random loop holds in all its iterations."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from paddock.engines.inlining.engines import Symbolic
from paddock.engines.inlining.search import Question, search
from paddock.engines.outcome import Budget, Statistics
from paddock.engines.symbolic.inductive import ATTEMPTS, InductiveProofs
from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.entry import entry_name, with_entry
from paddock.passes.registry import run_passes
from paddock.solvers.bitwuzla.solver import BitwuzlaSolver
from paddock.verdict import Verdict
from tests.property.examples import examples

WIDTH = 4  # all states of two variables are visited within 256 iterations
OPERATIONS = "".join(
    f'function {{:bvbuiltin "{name}"}} {name}(x: bv{WIDTH}, y: bv{WIDTH}) returns ({result});'
    for name, result in (("bvadd", f"bv{WIDTH}"), ("bvand", f"bv{WIDTH}"), ("bvult", "bool"), ("bvsle", "bool"))
)
NUMBERS = st.integers(0, 2**WIDTH - 1).map(lambda n: f"{n}bv{WIDTH}")
VARIABLES = st.sampled_from(["x", "y"])
TERMS = st.one_of(
    NUMBERS, VARIABLES, st.builds("{}({}, {})".format, st.sampled_from(["bvadd", "bvand"]), VARIABLES, NUMBERS)
)
CONDITIONS = st.one_of(
    st.builds("{}({}, {})".format, st.sampled_from(["bvult", "bvsle"]), VARIABLES, TERMS),
    st.builds("{} {} {}".format, VARIABLES, st.sampled_from(["==", "!="]), TERMS),
)
STEPS = st.one_of(
    st.builds("{} := {};".format, VARIABLES, TERMS),
    st.builds("if ({}) {{ {} := {}; }}".format, CONDITIONS, VARIABLES, TERMS),
    st.builds("assert {};".format, CONDITIONS),
)


@st.composite
def loops(draw: st.DrawFn) -> str:
    first, second = draw(TERMS), draw(TERMS)
    inside = " ".join(draw(st.lists(STEPS, min_size=1, max_size=4)))
    guard = draw(st.one_of(st.just("*"), CONDITIONS))
    starts = f"x := {first}; y := {second};" if draw(st.booleans()) else f"y := {second}; x := {first};"
    declared = f"var x, y: bv{WIDTH}; {starts}"
    return f"{OPERATIONS} procedure main() {{ {declared} while ({guard}) {{ {inside} }} assert {draw(CONDITIONS)}; }}"


@examples(12, 400)
@given(text=loops())
def test_what_is_proved_holds_in_all_iterations(text: str) -> None:
    loaded = load([Source(text)])
    original = run_passes(with_entry(loaded, entry_name(loaded)), ["merge-implementations"])
    prepared = run_passes(original, ["check-specs"])

    def outcome(unwind: int) -> tuple[Verdict, InductiveProofs]:
        with BitwuzlaSolver() as solver:
            found, _ = search(original, prepared, Question("assertion", Symbolic(), 2, unwind, False), solver, Budget())
        return found.verdict, InductiveProofs(prepared, found.cut_loops, 2, unwind, Statistics())

    verdict, proofs = outcome(2)
    if verdict is not Verdict.BOUNDED:
        return
    for attempt in ATTEMPTS:
        with BitwuzlaSolver() as solver:
            if proofs.proved_by(attempt, solver, Budget()):
                assert outcome(40)[0] is not Verdict.BUG
                return
