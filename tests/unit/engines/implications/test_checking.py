"""Examples 3 and 4 of the assertion-implications paper, and how verdicts are obtained."""

from __future__ import annotations

from pathlib import Path

import pytest

import paddock
from paddock import InputError, Options, Result, Verdict
from paddock.driver import implications as driver
from paddock.driver.pipeline import check_files
from paddock.engines.implications import unwinding
from paddock.engines.outcome import Budget

FIG_1 = str(Path(__file__).parents[3] / "golden" / "implications" / "fig1.c")
CHAIN = """
procedure main() {
  var x: int;
  havoc x;
  assert {:id "first"} x > 2;
  assert {:id "second"} x > 1;
  assert {:id "third"} x > 0;
  assert {:id "other"} x != 7;
}
"""


def fig_1(order: str, extended: bool = False) -> Result:
    options = Options.of(
        all_assertions=True, implications=True, order=order, extended=extended, integers="math", unwind=2
    )
    return check_files([FIG_1], options)


def checked(text: str, order: str = "auto", **others: bool) -> Result:
    return paddock.check(paddock.load(text), Options.of(all_assertions=True, implications=True, order=order, **others))


def known(result: Result) -> dict[str, tuple[Verdict, str]]:
    return {a.id: (a.verdict, a.how) for a in result.assertions}


@pytest.mark.parametrize(
    ("order", "extended", "checks"),
    [("forward", False, 4), ("backward", False, 6), ("auto", False, 4), ("forward", True, 3)],
)
def test_examples_3_and_4(order: str, extended: bool, checks: int) -> None:
    result = fig_1(order, extended)
    assert result.stats["checks"] == checks
    assert len(result.assertions) == 6
    assert {a.verdict for a in result.assertions} == {Verdict.PROVED}
    assert sum(a.how == "checked" for a in result.assertions) == checks


def test_forward_what_an_assertion_implies_is_not_checked() -> None:
    result = checked(CHAIN, "forward")
    assert known(result) == {
        "first": (Verdict.BUG, "checked"),
        "second": (Verdict.PROVED, "implied by first"),
        "third": (Verdict.PROVED, "implied by first"),
        "other": (Verdict.BUG, "checked"),
    }
    assert result.stats["checks"] == 2


def test_backward_a_failing_assertion_refutes_what_implies_it() -> None:
    result = checked(CHAIN, "backward")
    found = known(result)
    assert found["first"] == (Verdict.BUG, "refuted through third")
    assert found["third"] == (Verdict.PROVED, "implied by first")
    assert found["second"] == (Verdict.PROVED, "implied by first")
    first = result.assertions[0]
    assert first.trace[-1].kind == "fail"
    assert first.trace[-1].line == first.line


def test_verdicts_are_those_of_a_check_without() -> None:
    plain = paddock.check(paddock.load(CHAIN), Options.of(all_assertions=True))
    for order in ("forward", "backward", "auto"):
        for extended in (False, True):
            result = checked(CHAIN, order, extended=extended)
            assert [a.verdict for a in result.assertions] == [a.verdict for a in plain.assertions]
            assert result.verdict is plain.verdict


def test_what_comes_later_may_tell_of_what_comes_first() -> None:
    text = "procedure main(x: int) requires x > 5; { assert x >= 0; assert x > 1; }"
    result = checked(text, extended=True)
    assert result.stats["checks"] == 1
    assert {a.verdict for a in result.assertions} == {Verdict.PROVED}
    assert checked(text).stats["checks"] == 2


def test_an_implication_between_iterations_is_known_within_the_bound_only() -> None:
    text = """
    procedure main(n: int) {
      var i: int;
      i := 0;
      while (i != n) { assert i < 5; assert i < 6; i := i + 1; }
    }
    """
    result = paddock.check(
        paddock.load(text),
        Options.of(all_assertions=True, implications=True, recursion_bound=4, facts=False),
    )
    assert [(a.verdict, a.how.partition(" ")[0]) for a in result.assertions] == [
        (Verdict.BOUNDED, "checked"),
        (Verdict.BOUNDED, "implied"),
    ]
    assert result.verdict is Verdict.BOUNDED
    assert result.bound == 4


def test_a_program_that_is_too_large_to_unwind_is_checked_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unwinding, "MOST_STEPS", 3)
    result = checked(CHAIN)
    assert result.stats["checks"] == 4
    assert [a.verdict for a in result.assertions] == [Verdict.BUG, Verdict.PROVED, Verdict.PROVED, Verdict.BUG]
    assert any("no implications were looked for" in warning for warning in result.warnings)
    with pytest.raises(InputError, match="has more than"):
        driver.implications_of_files([FIG_1], Options.of(integers="math", unwind=2))


def test_a_program_without_assertions_is_proved() -> None:
    assert checked("procedure main() { }").verdict is Verdict.PROVED


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"all_assertions": False}, "say --all-assertions"),
        ({"engine": "alternating"}, "--engine alternating"),
        ({"refine": "alg2"}, "--refine"),
        ({"deep_asserts": True}, "--deep-asserts"),
        ({"gamble": True}, "--gamble"),
        ({"order": "sideways"}, "--tune order=sideways is unknown"),
        ({"threshold": 0}, "--tune threshold must be at least 1"),
        ({"query_timeout": 0.0}, "--tune query-timeout"),
        ({"dump_smt": "queries", "jobs": 2}, "--tune dump-smt numbers the queries of one process"),
        ({"implications": False, "order": "forward"}, "--tune order is for implications: say --implications, too"),
        ({"implications": False, "extended": False}, "--tune extended is for implications"),
        ({"implications": False, "threshold": 10}, "--tune threshold is for implications"),
        ({"implications": False, "query_timeout": 2.0}, "--tune query-timeout is for implications"),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Options.of(**{"all_assertions": True, "implications": True, **options})  # type: ignore[arg-type]


def test_a_share_of_a_budget_is_one_of_the_same_kind() -> None:
    assert Budget().share(0.5).remaining() is None
    left = Budget(100.0).share(0.25).remaining()
    assert left is not None
    assert 20 < left <= 25
