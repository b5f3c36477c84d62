"""Second checks with a store: what is answered from it, what is asked again, and what is not believed."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from paddock.driver import guard, same_texts
from paddock.driver.pipeline import check_files
from paddock.driver.same_texts import ASKED, SAME, keep_result, kept_result
from paddock.options import Options
from paddock.report.result import Result, Verdict
from paddock.solvers.z3.asking import is_refuted
from paddock.store.database import FILE, Store

UNCHANGED = "from the store: the verdict on this program, which has not changed"

C_PROGRAM = """
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
int twice(int x) { return x > 1000 || x < -1000 ? 0 : 2 * x; }
int main(void) {
    int n = __VERIFIER_nondet_int(), sum = 0;
    while (__VERIFIER_nondet_int()) { sum = twice(sum) / 2; n++; if (n > 100) n = 0; }
    __VERIFIER_assert(sum == 0);
    return 0;
}
"""

BOOGIE_PROGRAM = """
procedure Low(x: int) returns (r: int) { r := x + 1; }
procedure High(x: int) returns (r: int) { call r := Low(x); r := r + 1; }
procedure main(x: int) { var r: int; call r := High(x); assert r > x; }
"""


def checked(file: Path, text: str, **chosen: Any) -> Result:
    file.write_text(text)
    result = check_files([str(file)], Options.of(store=str(file.parent / "store"), **chosen))
    assert not result.warnings
    return result


def without_notes(result: Result) -> tuple[object, ...]:
    return result.verdict, result.reason, result.engine, result.bound, result.assertions


@pytest.mark.parametrize(
    "chosen",
    [{"recursion_bound": 2}, pytest.param({"recursion_bound": 3, "all_assertions": True}, marks=pytest.mark.slow)],
)
def test_a_c_program_that_has_not_changed_is_answered_from_the_store(tmp_path: Path, chosen: dict[str, Any]) -> None:
    first = checked(tmp_path / "a.c", C_PROGRAM, **chosen)
    assert first.verdict in (Verdict.PROVED, Verdict.BOUNDED) and UNCHANGED not in first.notes
    second = checked(tmp_path / "a.c", C_PROGRAM, **chosen)
    assert without_notes(second) == without_notes(first)
    assert second.notes == (UNCHANGED,)
    moved = checked(tmp_path / "a.c", f"// A comment.\n{C_PROGRAM}", **chosen)
    assert moved.notes == (UNCHANGED,)
    assert [a.line for a in moved.assertions] == [a.line + 1 for a in first.assertions]
    assert moved.reason == (
        first.reason.replace("a.c:7:", "a.c:8:") if first.verdict is Verdict.BOUNDED else first.reason
    )
    edited = checked(tmp_path / "a.c", C_PROGRAM.replace("sum = 0", "sum = 1"), **chosen)
    assert edited.verdict is Verdict.BUG
    deeper = checked(tmp_path / "a.c", C_PROGRAM, **{**chosen, "recursion_bound": 4})
    assert UNCHANGED not in deeper.notes


@pytest.mark.parametrize(
    ("text", "is_all"),
    [
        (C_PROGRAM, True),
        ('# 1 "/usr/include/stdio.h" 3\n' + C_PROGRAM, True),
        ('#include "other.h"\n' + C_PROGRAM, False),
        ("#inc\\\nlude <limits.h>\n" + C_PROGRAM, False),
        ('%: include "other.h"\n' + C_PROGRAM, False),
        ("char *when = __DATE__;\n" + C_PROGRAM, False),
    ],
)
def test_a_program_is_its_texts_where_they_name_no_others(tmp_path: Path, text: str, is_all: bool) -> None:
    file, store = tmp_path / "a.c", Store(tmp_path / "store")
    options = Options.of(store=str(store.path.parent))
    file.write_text(text)
    result = Result((str(file),), "main", "assertion", Verdict.PROVED, "symbolic")
    keep_result(store, [(str(file), text)], result, options)
    kept = kept_result([str(file)], options)
    assert (kept is not None and kept.verdict is Verdict.PROVED) == is_all
    assert kept_result([str(file)], options.changed(recursion_bound=3)) is None
    file.write_text(text + " ")
    assert kept_result([str(file)], options) is None
    keep_result(store, [(str(file), text)], result, options)  # the file is another one by now
    assert kept_result([str(file)], options) is None


def test_the_result_of_the_same_texts_is_shown_again(tmp_path: Path) -> None:
    file, options = tmp_path / "a.c", Options.of(store=str(tmp_path / "store"), recursion_bound=2)
    first = checked(file, C_PROGRAM, recursion_bound=2)

    def refused(*_: object) -> Result:
        raise AssertionError("nothing is to be checked")

    second = guard.check_files([str(file)], options, check=refused)
    assert without_notes(second) == without_notes(first)
    assert second.notes == (SAME,)


def test_a_result_that_summaries_prove_is_asked_for_once_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, options = tmp_path / "a.bpl", Options.of(store=str(tmp_path / "store"))
    first = checked(file, BOOGIE_PROGRAM)
    questions: list[str] = []
    monkeypatch.setattr(same_texts, "_is_refuted", lambda question: questions.append(question) or True)
    kept = kept_result([str(file)], options)
    assert kept is not None and kept.notes == (ASKED,)
    assert without_notes(kept) == without_notes(first)
    (question,) = questions
    assert is_refuted(question, 600.0)
    assert not is_refuted("\n".join(line for line in question.split("\n") if "assert" not in line), 600.0)
    monkeypatch.setattr(same_texts, "_is_refuted", lambda question: False)
    assert kept_result([str(file)], options) is None


def test_answers_and_lemmas_of_others_are_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked(tmp_path / "a.c", C_PROGRAM, recursion_bound=2)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "another user"))
    assert UNCHANGED not in checked(tmp_path / "a.c", C_PROGRAM, recursion_bound=2).notes
    assert UNCHANGED in checked(tmp_path / "a.c", C_PROGRAM, recursion_bound=2).notes


def test_forged_summaries_with_lemmas_of_another_program_prove_nothing(tmp_path: Path) -> None:
    """The summaries of a program that is proved, in a program where they do not hold."""
    file, bad = tmp_path / "a.bpl", BOOGIE_PROGRAM.replace("x + 1", "x - 5")
    assert checked(file, BOOGIE_PROGRAM).verdict is Verdict.PROVED
    database = sqlite3.connect(tmp_path / "store" / FILE)
    with database:
        (value,) = database.execute("SELECT value FROM records WHERE kind = 'proof'").fetchone()
        record = json.loads(value)
        record["ensures"] = {name: [[["bool", False]]] for name in ("Low", "High")}
        database.execute("UPDATE records SET value = ? WHERE kind = 'proof'", (json.dumps(record),))
    database.close()
    assert checked(file, BOOGIE_PROGRAM).verdict is Verdict.PROVED
    assert checked(file, bad).verdict is Verdict.BUG


LAYERED = """
var g, h: int;
procedure Use() { assert g == 2 * h; }
procedure Count(n: int) returns (r: int) { if (n > 3) { r := n - 1; } else { r := n + 1; } }
procedure Low(n: int) returns (r: int)
{
  call Use();
  call r := Count(n);
  call r := Count(r);
  g := g + 2 * r;
  h := h + r;
}
procedure Middle(n: int) returns (r: int) { call r := Low(n); call r := Count(r); call r := Low(r); }
procedure main(n: int)
{
  var r, k: int;
  g, h := 0, 0;
  LOOP
  call r := Middle(n);
  call r := Middle(r);
}
"""
LOOP = "while (*) { call r := Middle(k); havoc k; }"


@pytest.mark.parametrize("loop", ["", LOOP])
def test_after_an_edit_that_breaks_an_assertion_few_calls_are_looked_into(tmp_path: Path, loop: str) -> None:
    text = LAYERED.replace("LOOP", loop)
    first = checked(tmp_path / "a.bpl", text, engine="stratified", recursion_bound=2)
    assert first.verdict in (Verdict.PROVED, Verdict.BOUNDED)
    broken = text.replace("  h := h + r;", "  if (r != 5) { h := h + r; }")
    expected = check_files([str(tmp_path / "a.bpl")], Options.of(engine="stratified", recursion_bound=2))
    assert expected.verdict is first.verdict
    found = checked(tmp_path / "a.bpl", broken, engine="stratified", recursion_bound=2)
    fresh = check_files([str(tmp_path / "a.bpl")], Options.of(engine="stratified", recursion_bound=2))
    assert found.verdict is fresh.verdict is Verdict.BUG
    assert found.stats["instances"] < fresh.stats["instances"] + (not loop)
    again = checked(tmp_path / "a.bpl", broken, engine="stratified", recursion_bound=2)
    assert "from the store: the run was kept, and was run again" in again.notes


def test_what_is_kept_is_the_same_each_time(tmp_path: Path) -> None:
    kept = []
    for number in range(2):
        (tmp_path / "a.bpl").write_text(LAYERED.replace("LOOP", LOOP))
        store = tmp_path / f"store {number}"
        check_files([str(tmp_path / "a.bpl")], Options.of(store=str(store), engine="dag", recursion_bound=2))
        with sqlite3.connect(store / FILE) as database:
            query = "SELECT kind, key, value FROM records WHERE kind IN ('proof', 'lemma') ORDER BY kind, key"
            kept.append(database.execute(query).fetchall())
        database.close()
    assert kept[0] == kept[1] and len(kept[0]) > 3


def test_summaries_are_used_at_other_bounds(tmp_path: Path) -> None:
    text = LAYERED.replace("LOOP", LOOP)
    checked(tmp_path / "a.bpl", text, engine="stratified", recursion_bound=2)
    other = checked(tmp_path / "a.bpl", text, engine="stratified", recursion_bound=3)
    assert any("used in the search: summaries of Middle, Low" in note for note in other.notes)
    fresh = check_files([str(tmp_path / "a.bpl")], Options.of(engine="stratified", recursion_bound=3))
    assert (other.verdict, other.bound) == (fresh.verdict, fresh.bound)
    assert other.stats["instances"] < fresh.stats["instances"]


SIDE = """
var g, h: int;
procedure Use() { assert g == 2 * h; }
procedure Double(n: int) { g := g + 2 * n; h := h + n; }
procedure Noise(n: int) returns (r: int) { r := n; }
procedure main(n: int) { var r: int; g, h := 0, 0; call Double(n); call Double(n);
  if (n > 7) { call Use(); } else { call r := Noise(n); } }
"""


def test_a_proof_without_summaries_is_kept_with_what_it_has_looked_into(tmp_path: Path) -> None:
    chosen = {"engine": "stratified", "recursion_bound": 2, "interpolation_effort": 0.001}
    first = checked(tmp_path / "a.bpl", SIDE, **chosen)
    assert first.verdict is Verdict.PROVED and not first.notes
    aside = checked(tmp_path / "a.bpl", SIDE.replace("r := n;", "r := n + 1;"), **chosen)
    assert aside.verdict is Verdict.PROVED
    assert "from the store: the proof has looked into 2 procedures, none of which has changed" in aside.notes
    for text in ("h := h + n + n", "h := h - n"):
        inside = checked(tmp_path / "a.bpl", SIDE.replace("h := h + n", text), **chosen)
        assert inside.verdict is Verdict.BUG
