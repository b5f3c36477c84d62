"""Facts in the search: where they are looked for, what they save, and that neither verdicts nor traces suffer."""

from __future__ import annotations

from pathlib import Path

import pytest

import paddock
from paddock import Options, Result, Verdict

EXAMPLES = Path(__file__).parents[4] / "examples"
ENGINES = ["dag", "stratified", "eager"]

CHAIN = """
var g: int;
procedure main() modifies g; {{ g := 0; call P0(); }}
procedure P0() modifies g; {free} {{ if (*) {{ g := g + 1; }} else {{ g := g + 1; }} call P1(); }}
procedure P1() modifies g; {free} {{ if (*) {{ g := g + 1; }} else {{ g := g + 1; }} call P2(); }}
procedure P2() modifies g; {free} {{ assert g == 2; }}
"""
PLAIN = CHAIN.format(free="")
SUMMARISED = CHAIN.format(free="free ensures g >= 0; free ensures g <= 2;")

# What is known where P returns does not hold where it fails, which is a way to return, too.
FAILS_IN_A_CALL = """
var g: int;
procedure main(x: int) modifies g;
{
  call P(x);
  assert {:id "holds"} g == 0;
  assert {:id "fails"} g == 1;
}
procedure P(x: int) modifies g;
{
  g := x;
  assert {:id "in P"} g == 0;
}
"""


def verdicts(result: Result) -> dict[str, str]:
    return {a.id: a.verdict for a in result.assertions}


@pytest.mark.parametrize(
    ("text", "facts", "suffice"),
    [
        (PLAIN, None, True),
        (PLAIN, True, True),
        (PLAIN, False, False),
        (SUMMARISED, None, False),
        (SUMMARISED, True, True),
    ],
)
def test_facts_are_looked_for_unless_the_program_is_summarised(text: str, facts: bool | None, suffice: bool) -> None:
    result = paddock.check(paddock.load(text), Options.of(facts=facts, deep_asserts=False))
    assert result.verdict is Verdict.PROVED
    assert (result.stats["instances"] == 1) is suffice


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_known_behind_an_assertion_hides_no_failure_of_it(engine: str) -> None:
    result = paddock.check(paddock.load(FAILS_IN_A_CALL), Options.of(engine=engine, facts=True))
    assert result.verdict is Verdict.BUG


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("facts", [False, True])
def test_the_search_goes_on_behind_an_assertion_that_fails(engine: str, facts: bool) -> None:
    options = Options.of(engine=engine, facts=facts, all_assertions=True)
    result = paddock.check(paddock.load(FAILS_IN_A_CALL), options)
    assert verdicts(result) == {"in P": "bug", "holds": "proved", "fails": "bug"}
    assert {a.id: a.trace[-1].text for a in result.assertions if a.trace} == {
        "in P": "assertion fails: g == 0",
        "fails": "assertion fails: g == 1",
    }


def test_facts_prove_what_unrolling_cannot() -> None:
    program = paddock.load(EXAMPLES / "deep_asserts.bpl")
    assert (
        paddock.check(program, Options.of(facts=False, recursion_bound=2, deep_asserts=False)).verdict
        is Verdict.BOUNDED
    )
    assert paddock.check(program, Options.of(facts=True, recursion_bound=2)).verdict is Verdict.PROVED


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("all_assertions", [False, True])
def test_traces_do_not_show_facts(engine: str, all_assertions: bool) -> None:
    program = paddock.load(
        """
        var g: int;
        procedure main(x: int) modifies g;
        {
          assume x == 3;
          g := x;
          while (g < 5) { call Add(1); }
          assert g < 5;
        }
        procedure Add(n: int) modifies g; { if (n > 0) { g := g + n; } else { g := 9; } }
        """
    )
    # There is one execution only, so the traces must be the same.
    with_facts, without = (
        paddock.check(program, Options.of(engine=engine, facts=facts, all_assertions=all_assertions, recursion_bound=4))
        for facts in (True, False)
    )
    assert with_facts.verdict is Verdict.BUG
    assert with_facts.trace == without.trace
