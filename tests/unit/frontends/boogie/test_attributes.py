"""Attributes that change what is checked: each verdict is the one that Boogie 2.4.1 gives."""

from __future__ import annotations

import pytest

import paddock
from paddock.frontends.boogie import Source, load
from paddock.ir.origin import Diagnostic
from tests.unit.frontends.boogie.loading import loaded

CORRAL = "procedure corral_assert_not_reachable();"


@pytest.mark.parametrize(
    ("text", "failing"),
    [
        ("procedure main() { assert {:verified_under true} false; }", []),
        ("procedure main() { assert {:verified_under true} false; assert false; }", []),
        ("procedure main(b: bool) { assert {:verified_under b} false; assert b; }", ["b || false"]),
        ("procedure main(b: bool) { assume b; assert {:verified_under b} false; }", []),
        ("procedure main(x: int) { while (*) invariant {:verified_under x > 1} x > 0; { } }", ["x > 1 || x > 0"]),
        ("procedure main(x: int) { assert x > 0; assert x >= 0; }", ["x > 0"]),
        ("procedure main(x: int) { assert {:subsumption 0} x > 0; assert x >= 0; }", ["x > 0", "x >= 0"]),
        ("procedure main(x: int) { assert {:subsumption 1} x > 0; assert x >= 0; }", ["x > 0"]),
        ("procedure main(x: int) { assert {:subsumption 2} x > 0; assert x >= 0; }", ["x > 0"]),
        (
            "procedure main(x: int) { assert {:subsumption 1} (forall y: int :: y > 0 ==> y > x); assert x <= 0; }",
            ["(forall y: int :: y > 0 ==> y > x)", "x <= 0"],
        ),
        ("procedure main(x: int) { if (*) { assert {:subsumption 0} x > 0; assume x > 0; } assert x < 9; }", None),
        ("procedure main() { var {:assumption} a: bool; assert a; }", []),
        ("procedure main() { var {:assumption} a: bool; L: assert a; goto L; }", []),
        ("procedure main(x: int) { var {:assumption} a: bool; a := a && x > 0; assert a; }", ["a"]),
        ("procedure main() { var {:assumption false} a: bool; assert a; }", ["a"]),
        ("var {:assumption} g: bool; procedure main() { assert g; }", ["g"]),
        (f"{CORRAL} procedure main() {{ call corral_assert_not_reachable(); }}", ["false"]),
        (f"{CORRAL} procedure main() {{ if (false) {{ call corral_assert_not_reachable(); }} }}", []),
        (
            f"{CORRAL} procedure P() {{ call corral_assert_not_reachable(); }} procedure main() {{ call P(); }}",
            ["false"],
        ),
        ("procedure corral_assert_not_reachable() { } procedure main() { call corral_assert_not_reachable(); }", []),
    ],
)
def test_what_is_checked(text: str, failing: list[str] | None) -> None:
    result = paddock.check(loaded(text), paddock.Options.of(all_assertions=True))
    bugs = [a.text for a in result.assertions if a.verdict is paddock.Verdict.BUG]
    assert bugs == (["x > 0", "x < 9"] if failing is None else failing)


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("procedure main() { assert «{:verified_under 1, 2} false; }", ["has one argument, a condition"]),
        ('procedure main() { assert «{:verified_under "a"} false; }', ["has one argument, a condition"]),
        ("procedure main() { assert {:verified_under «1} false; }", ["must be a bool"]),
        ("procedure main() { var {:assumption} «a: int; }", ["must be a bool"]),
        ("procedure main() { var {:assumption} «a: bool where a; }", ["cannot have a where clause"]),
        ("procedure main() { var {:assumption} a: bool; «a := true; }", ["may be assigned only 'a && …'"]),
        ("procedure main() { var {:assumption} a: bool; a := a && true; «a := a && true; }", ["only once"]),
    ],
)
def test_rules(text: str, messages: list[str]) -> None:
    before, after = text.split("«")
    with pytest.raises(paddock.InputError) as found:
        load([Source(before + after)])
    (diagnostic,) = found.value.diagnostics
    assert messages[0] in diagnostic.message
    assert diagnostic.origin.column == len(before) + 1


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("procedure {:selective_checking} main() { assume {:start_checking_here} true; }", 2),
        ("procedure {:verify false} main() { }", 1),
        ("procedure {:verify} main() { } procedure {:verify true} P() { }", 0),
        ("procedure main() { assert {:split_here} {:focus} {:isolate} true; assume {:focus false} true; }", 3),
        ("procedure P(x: int); requires {:verified_under true} x > 0; ensures {:subsumption 0} true;", 2),
        ("procedure P<a>(x: a) { assert {:split_here} true; } procedure main() { call P(1); call P(true); }", 1),
        ('procedure {:inline 1} main() { assert {:msg "a"} {:sourceloc 1} true; }', 0),
    ],
)
def test_the_user_is_told_of_what_is_not_honoured(text: str, count: int) -> None:
    warnings: list[Diagnostic] = []
    load([Source(text)], (), warnings)
    assert len(warnings) == count
    assert all(text[w.origin.column - 1] == "{" for w in warnings)
