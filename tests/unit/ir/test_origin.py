"""Origins and diagnostics as they are shown."""

from __future__ import annotations

from paddock.ir.build import TRUE
from paddock.ir.origin import NOWHERE, Copy, Diagnostic, InputError, Made, Origin, Role
from paddock.ir.stmt import Assume


def test_an_origin_is_shown_as_a_place() -> None:
    assert str(Origin("a.bpl", 3, 7)) == "a.bpl:3:7"
    assert str(Origin("a.bpl")) == "a.bpl"
    assert str(NOWHERE) == "<no source>"


def test_by_keeps_the_place() -> None:
    made = Made("error-bit", Role.ERROR_BIT)
    assert Origin("a.bpl", 3, 7).by(made) == Origin("a.bpl", 3, 7, made)


def test_provenance_says_what_a_piece_is_for() -> None:
    place = Origin("a.bpl", 3, 7)
    made, copy = place.by(Made("check-specs", Role.CHECK, "requires of P")), place.by(Copy("P", "start"))
    assert (place.role, place.copied, str(place.provenance)) == (None, None, "")
    assert (made.role, made.copied, str(made.provenance)) == (Role.CHECK, None, "requires of P")
    assert (copy.role, copy.copied, str(copy.provenance)) == (None, Copy("P", "start"), "copy of P start")
    assert str(place.by(Made("facts", Role.FACT)).provenance) == "facts"


def test_origins_do_not_count_in_comparisons() -> None:
    assert Assume(TRUE, origin=Origin("a.bpl", 1, 1)) == Assume(TRUE, origin=Origin("b.bpl", 2, 2))


def test_a_diagnostic_points_at_its_column() -> None:
    shown = str(Diagnostic("wrong", Origin("a.bpl", 3, 5), "\tx  := 1;", "did you mean y?"))
    assert shown == "a.bpl:3:5: error: wrong\n  \tx  := 1;\n  \t   ^\n  did you mean y?"


def test_a_diagnostic_without_a_place() -> None:
    assert str(Diagnostic("wrong")) == "error: wrong"


def test_an_input_error_carries_all_its_diagnostics() -> None:
    first, second = Diagnostic("one", Origin("a.bpl", 1, 1)), Diagnostic("two", Origin("a.bpl", 2, 1))
    assert InputError([first, second]).diagnostics == (first, second)
    assert str(InputError([first, second])) == "a.bpl:1:1: error: one\na.bpl:2:1: error: two"
    assert InputError("three").diagnostics == (Diagnostic("three"),)
    assert InputError(first).diagnostics == (first,)
