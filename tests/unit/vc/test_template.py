"""A procedure's formula says what the procedure does, with no more names than it needs."""

# ruff: noqa: PT009  (`Solver.assert_` has nothing to do with unittest)

from __future__ import annotations

import pytest

from tests.unit.vc.instances import Instance

GLOBALS = "var g: int; var h: int; var other: int; procedure main() { }"


@pytest.mark.parametrize(
    ("body", "holds", "fails"),
    [
        ("g := g + x;", "out_g == in_g + in_x", "out_g != in_g + in_x"),
        ("g, h := h, g;", "out_g == in_h && out_h == in_g && in_g != in_h", "out_g != in_h"),
        ("assume x > 3; r := x;", "out_r == 4", "out_r == 3"),
        ("havoc r;", "out_r == 12345", "in_x != in_x"),
        ("r := old(g); g := 5;", "out_r == in_g && out_g == 5 && in_g != 5", "out_r != in_g"),
        ("if (x > 0) { r := 1; } else { r := 2; }", "out_r == 1 && in_x == 7", "out_r == 1 && in_x == 0"),
        ("if (*) { g := 1; } else { h := 2; }", "out_g == 1 && out_h == in_h", "out_g != in_g && out_h != in_h"),
        ("if (x > 0) { return; } r := 1;", "in_x == 1 && out_r == 17", "in_x == 0 && out_r == 17"),
        ("var y: int; r := y - y;", "out_r == 0", "out_r == 1"),
        ("goto a, b; a: r := 1; goto c; b: r := 2; goto c; c: g := r;", "out_g == 2 && b", "out_g == 2 && !b"),
    ],
)
def test_meaning(body: str, holds: str, fails: str) -> None:
    text = f"{GLOBALS} procedure P(x: int) returns (r: int) modifies g, h; {{ {body} }}"
    assert Instance(text).allows(holds)
    assert not Instance(text).allows(fails)


def test_a_path_that_ends_in_nothing_is_not_there() -> None:
    text = f"{GLOBALS} procedure P() {{ start: goto a, b; a: assume false; return; b: goto a; }}"
    assert not Instance(text).allows("true")


def test_the_interface_has_only_what_is_read_or_written() -> None:
    text = f"{GLOBALS} procedure P(x: int) returns (r: int) modifies g, other; {{ g := h; r := x; }}"
    template = Instance(text).template
    assert [v.name for v in template.interface.inputs] == ["h", "g", "x"]
    assert [v.name for v in template.interface.outputs] == ["g", "r"]
    assert template.interface_size == 6


def test_what_a_callee_does_belongs_to_the_interface() -> None:
    text = f"""{GLOBALS}
        procedure P() modifies h; {{ call Q(); }}
        procedure Q() modifies h; {{ h := g; }}"""
    template = Instance(text).template
    assert [v.name for v in template.interface.inputs] == ["g", "h"]
    assert [v.name for v in template.interface.outputs] == ["h"]


def test_only_what_differs_and_is_used_later_gets_a_name_at_a_join() -> None:
    text = f"""{GLOBALS} procedure P(x: int) returns (r: int) {{
        var a, b, c: int;
        a, b, c := x, x, x;
        if (x > 0) {{ b := 1; c := 1; }} else {{ b := 2; c := 2; }}
        r := a + b;
    }}"""
    names = Instance(text).template.names
    assert sum(name.startswith("b@") for name in names) == 1
    assert not [name for name in names if name.startswith(("a@", "c@", "x@"))]


def test_contracts_of_a_callee_are_assumed_where_it_is_called() -> None:
    text = f"""{GLOBALS}
        procedure P(x: int) returns (r: int) modifies g; {{ call r := Q(x); g := g + r; }}
        procedure Q(y: int) returns (z: int);
          free requires y > 0;
          modifies g;
          free ensures z == y + 1 && g == old(g) + 10;"""
    instance = Instance(text)
    assert instance.allows("in_x == 1 && out_r == 2 && out_g == in_g + 12")
    assert not instance.allows("in_x == 0")
    assert not instance.allows("out_g != in_g + 10 + out_r")


def test_a_result_may_go_to_a_global_that_the_callee_modifies() -> None:
    text = f"""{GLOBALS}
        procedure P() modifies g; {{ call g := Q(); }}
        procedure Q() returns (z: int); modifies g; free ensures z == 1 && g == 2;"""
    assert Instance(text).allows("out_g == 1")
    assert not Instance(text).allows("out_g != 1")


def test_a_callee_with_a_body_may_do_anything_until_it_is_linked() -> None:
    text = f"""{GLOBALS}
        procedure P() modifies g; {{ call Q(); }}
        procedure Q() modifies g; free ensures g != 7; {{ g := 5; }}"""
    instance = Instance(text)
    assert instance.allows("out_g == 6")
    assert not instance.allows("out_g == 7")
    (call,) = instance.template.calls
    assert (call.callee, call.block, call.statement) == ("Q", 0, 0)
    solver, encoder = instance.solver, instance.templates.encoder
    callee = instance.templates["Q"]
    theirs = [solver.terms.fresh(n, encoder.sort(t)) for n, t in zip(callee.names, callee.types, strict=True)]
    solver.assert_(solver.terms.instantiate(callee.formula, theirs))
    assert call.link is not None
    solver.assert_(solver.terms.instantiate(call.link, instance.constants + theirs[: callee.interface_size]))
    assert instance.allows("out_g == 5")
    assert not instance.allows("out_g == 6")


LOOP = (
    GLOBALS
    + """
    procedure {:loop "main", "head"} P(from: int) returns (i: int) modifies g;
    {
      enter: i := from; goto head, done;
      head: g := g + i; i := i + 1; goto again;
      again: call i := P(i); return;
      done: return;
    }"""
)


def test_an_iteration_has_the_terms_of_the_one_before_for_its_own() -> None:
    instance = Instance(LOOP)
    template, solver, encoder = instance.template, instance.solver, instance.templates.encoder
    (call,) = template.calls
    interface = [solver.terms.instantiate(actual, instance.constants) for actual in call.actuals]
    rest = zip(template.names[len(interface) :], template.types[len(interface) :], strict=True)
    theirs = [*interface, *(solver.terms.fresh(name, encoder.sort(type_)) for name, type_ in rest)]
    outputs = slice(1 + len(template.interface.inputs), template.interface_size)
    assert theirs[outputs] == instance.constants[outputs]  # what the last iteration leaves is handed through
    solver.assert_(solver.terms.instantiate(template.formula, theirs))
    done = theirs[template.block_control[[b.label for b in template.passive.blocks].index("done")]]
    solver.assert_(done)
    assert instance.allows("again && in_from == 5 && in_g == 0 && out_i == 6 && out_g == 5")
    assert not instance.allows("again && in_from == 5 && in_g == 0 && out_i == 6 && out_g == 6")


def test_a_loop_that_is_not_called_last_leaves_new_values() -> None:
    instance = Instance(LOOP + "procedure Q() returns (i: int) modifies g; { call i := P(1); i := i + 1; }", "Q")
    (call,) = instance.template.calls
    values = [instance.solver.terms.instantiate(actual, instance.constants) for actual in call.actuals]
    assert not {*values} & {*instance.constants[1 + len(instance.template.interface.inputs) :][:2]}
    assert instance.allows("out_i == 8 && out_g == 3 && in_g == 9")


def test_the_entry_assumes_its_own_contracts() -> None:
    text = "var g: int; procedure main(x: int) free requires x > 0; free ensures g != 3; { assume g == x; }"
    instance = Instance(text, "main")
    assert instance.allows("in_x == 1")
    assert not instance.allows("in_x == 0")
    assert not instance.allows("in_x == 3")


def test_arbitrary_values_are_known_by_their_statements() -> None:
    text = f"""{GLOBALS}
        procedure P() returns (r: int) modifies g; {{
          var a, b: int;
          g := 1;
          havoc a, b;
          call r := Q();
          assume a + b == r;
        }}
        procedure Q() returns (z: int); modifies g;"""
    template = Instance(text).template
    chosen = {k: [c.var.name for c in values] for k, values in template.chosen[0].items()}
    assert chosen == {1: ["a", "b"], 2: ["g", "z"]}
    assert template.initial == {}


def test_locals_that_are_read_first_have_an_initial_value() -> None:
    text = f"{GLOBALS} procedure P() returns (r: int) {{ var a, b: int; b := 1; assume a > b; }}"
    assert {v.name for v in Instance(text).template.initial} == {"a", "r"}


def test_a_formula_is_built_once() -> None:
    instance = Instance(f"{GLOBALS} procedure P() {{ }}")
    assert instance.templates["P"] is instance.template


def test_thousands_of_blocks_and_statements() -> None:
    blocks = "".join(
        f"l{n}: goto a{n}, b{n}; a{n}: g := g + 1; goto l{n + 1}; b{n}: g := g + 2; goto l{n + 1};\n"
        for n in range(2000)
    )
    text = f"{GLOBALS} procedure P() modifies g; {{ {blocks} l2000: {'g := g + 1;' * 2000} return; }}"
    template = Instance(text).template
    assert len(template.passive.blocks) == 6001
    assert len(template.names) < 6001 + 2000 + 10


def test_a_call_with_an_instance_of_its_own_hands_it_its_terms() -> None:
    text = f"""{GLOBALS}
        procedure P() modifies g; {{ g := g + 1; call Q(); }}
        procedure Q() modifies g; {{ g := 2 * g; }}"""
    instance = Instance(text, serves_one=lambda procedure: True)
    (call,) = instance.template.calls
    assert call.link is None
    callee, solver = instance.templates["Q"], instance.solver
    interface = [solver.terms.instantiate(actual, instance.constants) for actual in call.actuals]
    assert len(interface) == callee.interface_size == len(callee.types)  # nothing else needs a name
    assert instance.allows("in_g == 3 && out_g == 9")
    solver.assert_(solver.terms.instantiate(callee.formula, interface))
    assert instance.allows("in_g == 3 && out_g == 8")
    assert not instance.allows("in_g == 3 && out_g == 9")


def test_no_block_of_an_instance_of_its_own_is_visited_if_it_is_not_entered() -> None:
    text = "procedure P(b: bool) { one: goto two, three; two: assume b; goto four; three: goto four; four: return; }"
    for alone in (True, False):
        instance = Instance(text, entered=False, serves_one=lambda procedure, alone=alone: alone)
        assert instance.allows("one && two && four && in_b")
        assert instance.allows("!one && three") is not alone
        assert instance.allows("one && two && three && in_b")  # it need not be the only path
        assert not instance.allows("one && !four")
