from __future__ import annotations

import pytest

from paddock.ir.origin import InputError
from paddock.ir.program import Program
from paddock.passes.candidates import NewCandidates
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
