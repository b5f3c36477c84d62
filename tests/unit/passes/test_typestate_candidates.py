from __future__ import annotations

from paddock.ir.expr import App, Op, Var
from paddock.ir.program import Clause
from paddock.passes.candidates import NewCandidates, guard_of, guards, unguarded
from paddock.passes.error_bit import error_bit
from paddock.passes.extract_loops import extract_loops
from paddock.passes.typestate import Typestate
from paddock.passes.typestate_candidates import typestate_candidates
from tests.unit.passes.transforming import program

# The lock of Corral §4.2.
LOCK = """
var s: int;
procedure Acquire() modifies s; { assert s == 0; s := 1; }
procedure Release() modifies s; { assert s == 1; s := 0; }
procedure main() modifies s; { s := 0; call Acquire(); call Release(); }
"""


def candidates(text: str, preconditions: bool = False) -> dict[str, list[str]]:
    """The candidates for each procedure of a program, without their guards, and what they say if nothing fails."""
    new = NewCandidates(error_bit(extract_loops(program(text))))
    typestate_candidates(new, preconditions)
    return {p.name: said_by(new, p.name) for p in new.old_program.procedures}


def said_by(new: NewCandidates, procedure: str) -> list[str]:
    """The candidates for one procedure."""
    after = new.program()
    known = guards(after)

    def said(clause: Clause) -> str:
        guard = guard_of(clause.condition, known)
        assert guard is not None
        match unguarded(clause.condition, guard):
            case App(Op.OR, (Var("err"), condition)) | condition:
                return str(condition)

    declared = after.procedure_named[procedure]
    return [said(c) for c in (*declared.requires, *declared.ensures)]


def predicates(text: str) -> list[str]:
    return [str(p) for p in Typestate(program(text)).predicates]


def test_the_typestate_of_a_lock() -> None:
    assert predicates(LOCK) == ["s == 0", "s == 1"]
    assert [str(p) for p in Typestate(error_bit(program(LOCK))).predicates] == ["s == 0", "s == 1"]


def test_the_six_shapes_of_the_paper() -> None:
    found = candidates(LOCK)["Acquire"]
    assert {
        "old(s == 0) ==> s == 0",
        "old(s == 1) ==> s == 0",
        "old(s == 0) ==> s == 1",
        "old(s == 1) ==> s == 1",
        "!old(err) && old(s == 0) ==> !err",
        "!old(err) && old(s == 1) ==> !err",
    } < set(found)
    assert len(found) == len(set(found))
    assert candidates(LOCK)["main"] == []  # it is not called


def test_preconditions_are_tried_where_they_are_wanted() -> None:
    assert candidates(LOCK, preconditions=True)["Acquire"][:2] == ["s == 0", "s == 1"]


def test_predicates_are_what_is_asserted_of_globals_and_the_values_they_meet() -> None:
    text = """
    const unique A, B: int;
    var flag: bool;
    var mode, count, other, untouched: int;
    var m: [int]int;
    procedure main(x: int) modifies mode, other;
    {
      assert flag && (count > 0 || x == 3);
      mode := A;
      if (mode == B) { other := -1; }
      assert old(count) == 4;
      assert (forall i: int :: m[i] == count);
    }
    """
    assert predicates(text) == ["flag", "!flag", "count > 0", "count == 0", "mode == A", "mode == B"]


def locks(count: int) -> str:
    """Locks that a procedure takes and releases one after the other."""
    names = ", ".join(f"s{n}" for n in range(count))
    one = "procedure A{n}() modifies s{n}; {{ assert s{n} == 0; s{n} := 1; }}"
    other = "procedure R{n}() modifies s{n}; {{ assert s{n} == 1; s{n} := 0; }}"
    return f"""
        var {names}: int;
        {" ".join((one + other).format(n=n) for n in range(count))}
        procedure Work() modifies {names}; {{ {" ".join(f"call A{n}(); call R{n}();" for n in range(count))} }}
        procedure main() modifies {names}; {{ call Work(); }}
    """


def test_there_may_be_any_number_of_predicates() -> None:
    assert len(predicates(locks(30))) == 60


def test_what_relates_predicates_of_one_variable_is_always_offered() -> None:
    new = NewCandidates(error_bit(program(locks(30))))
    typestate_candidates(new, work=0)
    few = {c for c in said_by(new, "Work") if "==>" in c and "err" not in c}
    assert few >= {f"old(s{n} == {a}) ==> s{n} == {b}" for n in range(30) for a in (0, 1) for b in (0, 1)}
    assert not any("s0" in c and "s1 " in c for c in few)


def test_what_is_left_out_is_counted() -> None:
    counts, left_out = [], []
    for work in (0, 100_000, 10**9):
        new = NewCandidates(error_bit(program(locks(12))))
        typestate_candidates(new, work=work)
        counts.append(sum(len(said_by(new, p.name)) for p in new.old_program.procedures))
        left_out.append(new.left_out)
    assert counts[0] < counts[1] < counts[2]
    assert left_out[0] > left_out[1] > left_out[2] == 0
    assert len({count + out for count, out in zip(counts, left_out, strict=True)}) == 1


def test_candidates_are_about_what_a_procedure_changes() -> None:
    text = """
    var s, t: int;
    procedure Read() returns (r: int) { r := s; }
    procedure Write() modifies t; { t := 1; }
    procedure main() modifies t; { var x: int; call x := Read(); call Write(); assert s == 0 && t == 1; }
    """
    found = candidates(text)
    assert found["Read"] == []
    assert set(found["Write"]) == {
        "t == 1", "old(t == 1) ==> t == 1", "t == old(t)", "t >= old(t)", "t <= old(t)", "t == 1 || t == old(t)"
    }  # fmt: skip


def test_results_and_parameters() -> None:
    text = """
    procedure P(a: int, b: int, c: bool) returns (r: int, t: bool) { if (c) { r := 2; } else { r := -1; } t := false; }
    procedure main() { var x: int; var y: bool; call x, y := P(1, 2, true); assert x > 0; }
    """
    assert set(candidates(text)["P"]) == {"r == a", "r == b", "r >= -1", "r <= 2", "t == c", "!t"}


def test_loops_keep_their_counters_within_bounds() -> None:
    text = """
    procedure main(n: int) { var i, k: int; i := 0; while (i < n) { i := i + 1; havoc k; } assert i == n; }
    """
    found = candidates(text)["main_loop_anon1_LoopHead"]
    assert {"in_i <= n ==> i <= n", "in_i >= n ==> i >= n", "i >= in_i", "k == in_k"} < set(found)
    assert "i == in_k" not in found


def test_a_procedure_does_not_fail_where_its_own_assertions_hold() -> None:
    text = """
    procedure P(x: int, y: int) { assert x > 0; assert y > x; }
    procedure main() { call P(1, 2); }
    """
    assert candidates(text)["P"] == [
        "!old(err) ==> !err",
        "!old(err) && old(x > 0) ==> !err",
        "!old(err) && old(y > x) ==> !err",
        "!old(err) && old(x > 0 && y > x) ==> !err",
    ]


def test_an_assertion_that_always_fails_says_nothing_of_the_start() -> None:
    text = """
    procedure P(x: int) { if (x > 0) { assert false; } }
    procedure main() { call P(1); }
    """
    assert candidates(text)["P"] == ["!old(err) ==> !err"]
