"""From paths to a prepared program and the question to ask of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import paddock
from paddock.driver import loading, pipeline
from paddock.ir.entry import entry_name
from paddock.ir.origin import InputError
from paddock.ir.program import Program
from paddock.options import Options
from paddock.report.result import Verdict
from paddock.workers.limits import TimeLimit
from tests.busy import time_ends_at_look

DEFAULTS = Options()


def question(text: str, options: Options = DEFAULTS) -> str:
    return pipeline.made_ready(paddock.load(text), options).question.goal


OLD_ASSERTION = "procedure main() { var b: bool; assume {:OldAssert} !b; }"


def test_the_goal_is_an_assertion_unless_there_is_none_and_the_end_is_marked() -> None:
    assert question("procedure main() { assert true; }") == "assertion"
    assert question("procedure main() { }") == "assertion"
    assert question(OLD_ASSERTION) == "return"
    assert question(OLD_ASSERTION.replace("assume", "assert b; assume")) == "assertion"


def test_the_goal_that_the_user_gives_wins() -> None:
    assert question("procedure main() { assert true; }", Options.of(goal="return")) == "return"
    assert question(OLD_ASSERTION, Options.of(goal="assertion")) == "assertion"


def test_only_assertions_that_the_entry_reaches_count() -> None:
    text = OLD_ASSERTION + " procedure Other() { assert false; }"
    assert question(text) == "return"
    assert question(text, Options.of(entry="Other")) == "assertion"


def test_an_assertion_in_a_contract_counts() -> None:
    assert question("procedure main() ensures false; { assume {:OldAssert} true; }") == "assertion"


def statements(program: Program) -> list[str]:
    return [
        type(s).__name__
        for p in program.procedures
        for i in p.implementations
        for b in i.blocks
        for s in [*b.statements, b.transfer]
    ]


def test_preparation_leaves_no_contract_no_loop_and_one_implementation() -> None:
    program = paddock.load(
        """
        procedure Step(n: int) returns (r: int); ensures r > n;
        implementation Step(n: int) returns (r: int) { r := n + 1; }
        implementation Step(n: int) returns (r: int) { r := n + 2; }
        procedure Unused() { assert false; }
        procedure start() {
          var i: int where i >= 0;
          while (i < 10) { call i := Step(i); }
        }
        """
    )
    prepared = pipeline.made_ready(program, Options.of(entry="start")).prepared
    assert entry_name(prepared) == "start"
    names = [p.name for p in prepared.procedures]
    assert "Unused" not in names
    assert len(names) == 3  # one for the loop
    assert all(len(p.implementations) == 1 for p in prepared.procedures)
    assert all(clause.free for p in prepared.procedures for clause in (*p.requires, *p.ensures))
    assert statements(prepared).count("Assert") == 2  # the postcondition, once for each way through Step


def test_a_program_without_assertions_is_proved_and_says_so() -> None:
    result = paddock.check(paddock.load("procedure main() { assume false; }"))
    assert result.verdict is Verdict.PROVED
    assert result.reason == "there is no assertion in what main reaches"
    assert result.entry == "main"


def test_the_user_sees_his_own_entry() -> None:
    # The recursive entry of a program with global assumptions is given another one to start from.
    text = "var g: int where g > 0; procedure main() { if (*) { call main(); } }"
    assert entry_name(pipeline.made_ready(paddock.load(text), DEFAULTS).prepared) != "main"
    assert paddock.check(paddock.load(text)).entry == "main"


def test_load_tells_a_path_from_a_text(tmp_path: Path) -> None:
    text = "procedure main() { }"
    file = tmp_path / "a b.bpl"
    file.write_text(text)
    assert paddock.load(file) == paddock.load(text)
    assert paddock.load(str(file)) == paddock.load(text)


def test_load_names_the_missing_file() -> None:
    with pytest.raises(InputError, match=r"missing\.bpl: error: cannot read the file"):
        paddock.load("missing.bpl")


def test_load_reads_c(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    # Comments may be in any encoding.
    file.write_bytes(
        b"/* caf\xe9 */ void reach_error(void);\nint main(void) { if (sizeof(long) == N) reach_error(); }\n"
    )
    verdicts = [
        paddock.check(paddock.load(file, options=Options.of(definitions=("N=4",), data_model=model))).verdict
        for model in ("ilp32", "lp64")
    ]
    assert verdicts == ["bug", "proved"]


def test_one_program_is_in_one_language(tmp_path: Path) -> None:
    for name, text in (("a.c", "int main(void) { return 0; }"), ("b.bpl", "procedure f() { }")):
        (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=r"b\.bpl: error: not C, as other files of the program are"):
        pipeline.check_files([str(tmp_path / "a.c"), str(tmp_path / "b.bpl")], Options())


def test_what_the_user_should_know_of_a_c_program(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text("int other(void);\nint main(void) { return other(); }\n")
    result = pipeline.check_files([str(file)], Options.of(integers="math"))
    body, integers = result.warnings
    assert body.startswith(f"{file}:2:25: the function other has no body")
    assert integers.startswith("integers are those of mathematics (--tune integers=math)")


def test_origins_name_the_file(tmp_path: Path) -> None:
    file = tmp_path / "a.bpl"
    file.write_text("\nprocedure main() { }")
    origin = paddock.load(file).procedures[0].origin
    assert (origin.file, origin.line) == (str(file), 2)


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [(b"\xff", 1, 1), (b"ab\n\xc3\xa4\xc3", 2, 2), ("ä".encode() * 3 + b"\x80\n", 1, 4)],
)
def test_the_place_of_a_wrong_byte(tmp_path: Path, data: bytes, line: int, column: int) -> None:
    file = tmp_path / "a.bpl"
    file.write_bytes(data)
    with pytest.raises(InputError) as caught:
        loading.read_source(str(file))
    origin = caught.value.diagnostics[0].origin
    assert (origin.line, origin.column) == (line, column)


def test_a_limit_that_is_reached_too_late_takes_nothing_back(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def late(*_: object) -> Iterator[None]:
        yield
        raise TimeLimit

    monkeypatch.setattr(pipeline, "limits", late)
    program = loading.load([loading.text_source("procedure main(x: int) { assert x != 7; }")])
    result = pipeline.check(program, Options())
    assert (result.verdict, result.reason) == ("bug", "")


def test_what_was_covered_when_time_ran_out(monkeypatch: pytest.MonkeyPatch) -> None:
    text = """var g: int;
        procedure r(n: int) modifies g; { g := g + n; if (*) { call r(n + 1); call r(g); } }
        procedure main(n: int) modifies g; { call r(n); assert 2 * g != 3 * n + 74; }"""
    program = loading.load([loading.text_source(text)])
    time_ends_at_look(monkeypatch, 3)
    result = pipeline.check(program, Options.of(timeout=600, recursion_bound=1000))
    assert (result.verdict, result.reason) == ("unknown", "time limit")
    assert result.stats["instances"] >= 1
    assert result.stats["open_calls"] >= 1


def test_the_python_api_is_there_when_it_is_used() -> None:
    assert "check" in dir(paddock)
    assert all(hasattr(paddock, name) for name in paddock.__all__)
    assert not hasattr(paddock, "chek")
