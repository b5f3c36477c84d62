from __future__ import annotations

from dataclasses import replace

import pytest

from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.origin import InputError
from paddock.ir.program import Program
from paddock.passes.candidates import NewCandidates, guard_of, guards, unguarded
from paddock.passes.error_bit import error_bit
from paddock.passes.extract_loops import extract_loops
from paddock.passes.prune import prune
from paddock.passes.template_candidates import MOST_INSTANCES, template_candidates, templates_of
from tests.unit.passes.transforming import program

PROGRAM = """
var s, unused: int;
procedure {:template} T(x: int, c: bool) returns (r: int);
  requires x > s;
  ensures old(s) == 0 ==> s == 1;
  ensures r == x;
  ensures c ==> r == 0;
  ensures x == 7;
  ensures unused == 0;
procedure P(a: int, b: int) returns (q: int) modifies s; { s := 1; q := a; }
procedure Q() { }
procedure main() modifies s; { var z: int; call z := P(1, 2); call Q(); while (*) { call z := P(z, z); } }
"""


def said(text: str) -> dict[str, list[str]]:
    """The candidates for each procedure of a program."""
    loaded = program(text)
    new = NewCandidates(prune(extract_loops(loaded)))
    template_candidates(new, templates_of(loaded))
    return contracts(new.program())


def contracts(after: Program) -> dict[str, list[str]]:
    return {
        p.name: [str(c.condition).partition(" ==> ")[2] for c in (*p.requires, *p.ensures)] for p in after.procedures
    }


def test_templates_are_tried_on_procedures_that_are_called() -> None:
    assert said(PROGRAM) == {
        "P": ["a > s", "b > s", "old(s) == 0 ==> s == 1", "q == a", "q == b"],
        "Q": [],
        "main": [],
        "main_loop_anon1_LoopHead": ["in_z > s", "old(s) == 0 ==> s == 1", "z == in_z"],
    }


def test_a_template_may_be_for_some_procedures_only() -> None:
    assert said(PROGRAM.replace("{:template}", '{:template "Q", "main"}')) == {
        "P": [],
        "Q": [],
        "main": ["old(s) == 0 ==> s == 1"],  # nothing is required of the entry
        "main_loop_anon1_LoopHead": ["in_z > s", "old(s) == 0 ==> s == 1", "z == in_z"],
    }


def test_instances_are_limited() -> None:
    many = ", ".join(f"p{n}: int" for n in range(50))
    text = f"""
    procedure {{:template}} T(x: int, y: int) returns (r: int); ensures r == x + y;
    procedure P({many}) returns (q: int) {{ }}
    procedure main() {{ var q: int; call q := P({", ".join("0" * 50)}); }}
    """
    assert len(said(text)["P"]) == MOST_INSTANCES


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("procedure {:template} T() { }", "2:23: error: the template 'T' cannot have a body"),
        ('procedure {:template "Pp"} T();', "2:28: error: the template 'T' is for 'Pp', which is no procedure"),
        ("procedure {:template} T<a>(x: a);", "2:23: error: the template 'T' cannot have type parameters"),
        ('procedure {:template "T"} T();', "2:27: error: the template 'T' is for 'T', which is no procedure"),
    ],
)
def test_templates_that_make_no_sense(wrong: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        templates_of(program("procedure P() { } procedure main() { call P(); }\n" + wrong))
    assert message in str(caught.value)


# --- the error bit ---------------------------------------------------------------------------------

CAN_FAIL = """
var s: int;
procedure Acquire() modifies s; { assert s == 0; s := 1; }
procedure Release() modifies s; { s := 0; }
procedure main() modifies s; { s := 0; call Acquire(); call Release(); }
"""


def said_of_failures(text: str, candidates: str) -> dict[str, list[str]]:
    """What a text of candidates says of the procedures of a program with an error bit."""
    loaded = load([Source(text)], [Source(candidates)])
    new = NewCandidates(error_bit(prune(replace(loaded, procedures=tuple(p for p in loaded.procedures if p.body)))))
    template_candidates(new, templates_of(loaded))
    after = new.program()
    found = {p.name: [(guard_of(c.condition, guards(after)), c.condition) for c in p.ensures] for p in after.procedures}
    return {name: [str(unguarded(c, guard)) for guard, c in clauses if guard] for name, clauses in found.items()}


def test_candidates_may_mention_the_error_bit() -> None:
    """It is said of those that can fail, and that have not failed before."""
    found = said_of_failures(CAN_FAIL, "ensures old(s) == 0 ==> !err; ensures s == 1;")
    assert found["Acquire"] == ["old(err) || (old(s) == 0 ==> !err)", "err || s == 1"]
    assert found["Release"] == ["s == 1"]


def test_the_error_bit_has_another_name_where_a_local_is_called_so() -> None:
    text = CAN_FAIL.replace("{ s := 0; call", "{ var err: int; s := 0; err := s; call")
    assert said_of_failures(text, "ensures !err;")["Acquire"] == ["old(err#1) || !err#1"]


@pytest.mark.parametrize("used", ["err := true;", ""])
def test_a_variable_of_the_program_is_not_the_error_bit(used: str) -> None:
    text = CAN_FAIL.replace("s: int;", "s: int; var err: bool;", 1).replace("modifies s;", "modifies s, err;")
    text = text.replace("s := 1;", f"s := 1; {used}")
    found = said_of_failures(text, "ensures !err;")
    assert found["Acquire"] == (["err#1 || !err"] if used else [])
    assert found["Release"] == []


def test_parameters_of_templates_are_not_the_error_bit() -> None:
    text = CAN_FAIL.replace("Acquire()", "Acquire(a: bool)", 1).replace("call Acquire()", "call Acquire(true)")
    found = said_of_failures(text, "procedure T(err: bool); ensures err ==> s == 1;")
    assert found["Acquire"] == ["err || (a ==> s == 1)"]


@pytest.mark.parametrize("candidates", ["requires !err;", "procedure T(); requires err;"])
def test_preconditions_say_nothing_of_the_error_bit(candidates: str) -> None:
    with pytest.raises(InputError, match="undeclared identifier 'err'"):
        said_of_failures(CAN_FAIL, candidates)


def test_programs_have_no_error_bit_to_mention() -> None:
    with pytest.raises(InputError, match="undeclared identifier 'err'"):
        load([Source("procedure {:template} T(); ensures !err; procedure main() { }")])
