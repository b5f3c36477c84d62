"""Which regions a program has, how they are nested, and what is in them."""

from __future__ import annotations

import pytest

import paddock
from paddock.engines.regions.tree import Hierarchy, made_regional
from paddock.passes.registry import run_passes


def hierarchy(text: str) -> Hierarchy:
    program = run_passes(paddock.load(text), ["merge-implementations", "check-specs", "prune"])
    return Hierarchy(made_regional(program))


# Fig. 4 of the paper: the assertion is at location 5.
FIG_4 = """
procedure main() {
  var a, b: int;
l1: goto l2;
l2: goto l3;
l3: goto l4;
l4: goto l5, l7;
l5: assert a > 0; goto l6;
l6: b := a; goto l4;
l7: goto l3, l8;
l8: return;
}
"""


def test_the_nesting_tree_of_fig_4() -> None:
    h = hierarchy(FIG_4)
    assert {r.id: (r.head, r.parent, " ".join(sorted(r.blocks))) for r in h.regions.values()} == {
        "main": (None, None, "l1 l2 l3 l4 l5 l6 l7 l8"),
        "main:6": ("l3", "main", "l3 l4 l5 l6 l7"),
        "main:7": ("l4", "main:6", "l4 l5 l6"),
    }
    assert {r.id: r.own for r in h.regions.values()} == {
        "main": ("l1", "l2", "l8"),
        "main:6": ("l3", "l7"),
        "main:7": ("l4", "l5", "l6"),
    }
    assert [region for region, sources in h.assertions.items() if sources] == ["main:7"]
    assert [r.name for r in h.regions.values()] == [
        "procedure main",
        "loop at <text>:6:1",
        "loop at <text>:7:1",
    ]
    assert h.regions["main:7"].last_line == 9


def test_a_block_that_jumps_to_itself_is_a_loop() -> None:
    h = hierarchy("procedure main() { var i: int; a: goto b; b: i := i + 1; goto b, c; c: assert i > 0; return; }")
    assert [(r.head, r.blocks) for r in h.regions.values()] == [(None, ("a", "b", "c")), ("b", ("b",))]


def test_where_a_check_fails_is_in_the_loop_that_it_is_in() -> None:
    h = hierarchy("""
procedure main() {
  var i: int;
start: goto head;
head:  goto bad, good, done;
bad:   assume i < 0; goto worse;
worse: assert false; assume false; return;
good:  i := i - 1; goto head;
done:  assume i > 9; goto last;
last:  assert i > 10; return;
}""")
    (loop,) = (r for r in h.regions.values() if r.head)
    assert set(loop.blocks) == {"head", "bad", "worse", "good"}
    assert [o.line for o in h.assertions[loop.id]] == [7]
    assert [o.line for o in h.assertions["main"]] == [10]


def test_a_dead_end_that_is_reached_from_outside_is_not_in_the_loop() -> None:
    h = hierarchy("""
procedure main() {
  var i: int;
start: goto head, bad;
head:  goto bad, head;
bad:   assert i > 0; assume false; return;
}""")
    assert [r.blocks for r in h.regions.values() if r.head] == [("head",)]


def test_a_loop_with_two_entries_is_split() -> None:
    h = hierarchy("""
procedure main() {
  var i: int;
start: goto a, b;
a: i := 1; goto b;
b: assert i > 0; goto a, c;
c: return;
}""")
    loops = [r for r in h.regions.values() if r.head]
    assert len(loops) == 1
    # The assertion has a copy outside of the loop.
    assert [r for r, sources in h.assertions.items() if sources] == ["main", loops[0].id]


CALLS = """
procedure main() { var i: int; call A(); while (i < 9) { call A(); call B(); i := i + 1; } }
procedure A() { call C(); }
procedure B() { while (*) { call C(); } }
procedure C() { assert true; }
procedure unused() { call C(); }
"""


def test_a_procedure_hangs_under_the_regions_that_call_it() -> None:
    h = hierarchy(CALLS)
    assert h.parents == {
        "main": [],
        "main:2": ["main"],
        "A": ["main", "main:2"],
        "B": ["main:2"],
        "B:4": ["B"],
        "C": ["A", "B:4"],
    }
    assert h.children == {
        "main": ["main:2", "A"],
        "main:2": ["A", "B"],
        "A": ["C"],
        "B": ["B:4"],
        "B:4": ["C"],
        "C": [],
    }


def test_recursion_hangs_under_those_outside_who_call_into_it() -> None:
    h = hierarchy("""
procedure main() { while (*) { call Even(9); } }
procedure Even(n: int) { assert n > 0; call Odd(n - 1); }
procedure Odd(n: int) { assert n > 0; call Even(n - 1); call Leaf(); }
procedure Leaf() { }
""")
    assert h.parents == {"main": [], "main:2": ["main"], "Even": ["main:2"], "Odd": ["main:2"], "Leaf": ["Odd"]}


def test_an_entry_that_is_called_has_nothing_around_it() -> None:
    h = hierarchy("procedure main() { call P(); } procedure P() { if (*) { call main(); } }")
    assert h.parents == {"main": [], "P": ["main"]}


@pytest.mark.parametrize("depth", [200])
def test_deep_nesting(depth: int) -> None:
    labels = [f"l{n}: goto l{n + 1}, e{n};" for n in range(depth)]
    exits = [f"e{n}: goto l{n - 1};" if n else "e0: return;" for n in range(depth)]
    h = hierarchy(f"procedure main() {{ {' '.join(labels)} l{depth}: goto l{depth - 1}; {' '.join(exits)} }}")
    assert len(h.regions) == depth + 1
