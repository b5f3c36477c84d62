from __future__ import annotations

from dataclasses import replace

import pytest

import paddock
from paddock.ir.entry import entry_name, with_entry
from paddock.ir.expr import Attribute
from paddock.ir.origin import InputError, Origin
from paddock.ir.program import Implementation, Procedure, Program
from paddock.ir.stmt import Block, Return

MARK = (Attribute("entrypoint"),)


def procedure(name: str, on_procedure: bool = False, on_body: bool = False, bodies: int = 1) -> Procedure:
    body = Implementation((), (Block("a", (), Return()),), MARK if on_body else ())
    return Procedure(name, implementations=(body,) * bodies, attributes=MARK if on_procedure else ())


def program(*procedures: Procedure) -> Program:
    return Program(procedures=procedures)


def test_main_is_the_default() -> None:
    assert entry_name(program(procedure("P"), procedure("main"))) == "main"


def test_a_marked_procedure_wins_over_main() -> None:
    assert entry_name(program(procedure("main"), procedure("P", on_procedure=True))) == "P"


def test_a_marked_implementation_wins_over_a_marked_procedure() -> None:
    marked = program(procedure("main", on_procedure=True), procedure("fakeMain", on_body=True))
    assert entry_name(marked) == "fakeMain"


def test_no_entry() -> None:
    with pytest.raises(InputError, match="procedures with a body: P, Q"):
        entry_name(program(procedure("P"), procedure("Q"), procedure("R", bodies=0)))
    with pytest.raises(InputError, match="the program has no procedures"):
        entry_name(program())
    with pytest.raises(InputError, match="P9 and 2 more"):
        entry_name(program(*(procedure(f"P{n}") for n in range(12))))


def test_an_entry_without_a_body() -> None:
    with pytest.raises(InputError, match="`main`: it has no body"):
        entry_name(program(procedure("main", bodies=0)))
    with pytest.raises(InputError, match="no procedure has a body"):
        entry_name(program(procedure("P", on_procedure=True, bodies=0)))


def test_several_entries() -> None:
    with pytest.raises(InputError, match=r"several procedures are marked \{:entrypoint\}: P, Q"):
        entry_name(program(procedure("P", on_body=True), procedure("Q", on_body=True)))


def test_choosing_an_entry_leaves_one_mark() -> None:
    before = program(procedure("main", on_procedure=True), procedure("P", on_body=True), procedure("Q", bodies=2))
    after = with_entry(before, "Q")
    assert entry_name(after) == "Q"
    assert after == program(procedure("main"), procedure("P"), procedure("Q", on_body=True, bodies=2))
    assert with_entry(after, "main") == program(
        procedure("main", on_body=True), procedure("P"), procedure("Q", bodies=2)
    )


def test_a_procedure_that_is_marked_already_keeps_its_attributes_in_order() -> None:
    body = Implementation((), (Block("a", (), Return()),), (*MARK, Attribute("x")))
    before = program(Procedure("P", implementations=(body,)))
    assert with_entry(before, "P") == before


def test_choosing_an_entry_that_is_not_there() -> None:
    before = program(procedure("driver"), procedure("other", bodies=0))
    with pytest.raises(InputError, match="did you mean `driver`"):
        with_entry(before, "drivr")
    with pytest.raises(InputError, match="procedures with a body: driver"):
        with_entry(before, "xyz")
    with pytest.raises(InputError, match="`other`: it has no body"):
        with_entry(before, "other")


def test_a_procedure_with_type_parameters_is_no_entry() -> None:
    place = Origin("a.bpl", 3, 7)
    for generic in (Procedure("main", origin=place), Procedure("start", attributes=MARK, origin=place)):
        before = replace(program(procedure("other")), generic=(generic,))
        message = f"a.bpl:3:7: error: the program cannot start in procedure `{generic.name}`: it has type parameters"
        with pytest.raises(InputError, match=message):
            entry_name(before)
        with pytest.raises(InputError, match=message):
            with_entry(before, generic.name)
        assert entry_name(with_entry(before, "other")) == "other"


def test_a_missing_entry_is_missed_in_all_files() -> None:
    pieces = [replace(procedure(name), origin=Origin(f"{name}.bpl", 1, 1)) for name in ("a", "b")]
    with pytest.raises(InputError, match=r"a\.bpl, b\.bpl: error: no procedure is marked"):
        entry_name(program(*pieces))


def test_of_several_entries_the_one_that_calls_all_others() -> None:
    text = "procedure {:entrypoint} P() { } procedure {:entrypoint} main() { call Q(); call R(); } "
    between = "procedure R() { call P(); } procedure {:entrypoint} Q() { }"
    assert entry_name(paddock.load(text + between)) == "main"
    alone = "procedure R() { } procedure {:entrypoint} Q() { }"
    with pytest.raises(InputError, match=r"several procedures are marked \{:entrypoint\}: P, main, Q"):
        entry_name(paddock.load(text + alone))


def test_entries_that_call_each_other_are_several() -> None:
    text = "procedure {:entrypoint} P() { call Q(); } procedure {:entrypoint} Q() { call P(); }"
    with pytest.raises(InputError, match=r"several procedures are marked"):
        entry_name(paddock.load(text))
