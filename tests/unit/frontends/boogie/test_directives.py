from __future__ import annotations

import pytest

from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.origin import InputError
from tests.unit.frontends.boogie.loading import check_errors, errors

CHOICE = """
#if {0}
const a: int;
#if INNER
const inner: int;
#endif
  #elsif !B
const b: int;
#else
const c: int;
#endif
"""


def constants(text: str, *defined: str) -> list[str]:
    return [c.var.name for c in load([Source(text)], defined=defined).constants]


@pytest.mark.parametrize(
    ("condition", "defined", "expected"),
    [
        ("A", ["A"], ["a"]),
        ("A", ["A", "INNER"], ["a", "inner"]),
        ("A", ["INNER"], ["b"]),
        ("A", ["B"], ["c"]),
        ("!A", ["A", "B"], ["c"]),
        ("! ! A", ["A"], ["a"]),
        ("FILE_0", [], ["a"]),
        ("FILE_1", ["B"], ["c"]),
    ],
)
def test_conditions(condition: str, defined: list[str], expected: list[str]) -> None:
    assert constants(CHOICE.format(condition), *defined) == expected


def test_each_file_has_its_name() -> None:
    text = "#if FILE_0\nconst first: int;\n#else\nconst other: int;\n#endif\n"
    program = load([Source(text, "a.bpl"), Source(text, "b.bpl")])
    assert [c.var.name for c in program.constants] == ["first", "other"]


def test_lines_come_from_elsewhere() -> None:
    text = "procedure main()\n{\n#line 12 Abc.c\n  assert x;\n#line 17\n  assert y;\n/*\n#line 1\n*/\n  assert z;\n}\n"
    found = errors(text)
    assert [str(d.origin) for d in found] == ["Abc.c:12:10", "Abc.c:17:10", "Abc.c:21:10"]
    assert [d.source_line for d in found] == ["  assert x;", "  assert y;", "  assert z;"]


def test_a_place_that_does_not_exist_is_shown_without_a_line() -> None:
    with pytest.raises(InputError) as caught:
        load([Source("#line 99 test.bpl\nfunction {:builtin 3} f(): int; procedure P() { assert q; }", "test.bpl")])
    assert str(caught.value.diagnostics[0].origin) == "test.bpl:99:56"


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        ("«#endif", "'#endif' without an '#if' that it belongs to"),
        ("#if A\n#else\n«#else\n#endif", "'#else' without an '#if' that it belongs to"),
        ("#if A\n#else\n  «#elsif B\n#endif".replace("  «", "«"), "'#elsif' without an '#if' that it belongs to"),
        ("«#if A\nwhatever", "this '#if' is not closed: '#endif' is missing"),
        ("«#line\n", "expected '#line NUMBER FILE'"),
        ("«#line x\n", "expected '#line NUMBER FILE'"),
        ("const x: int;\n«#pragma\n", "unknown directive"),
    ],
)
def test_wrong_directives(marked: str, message: str) -> None:
    check_errors(marked, message)


def test_names_may_begin_with_the_sign() -> None:
    assert constants("const #line: int; const #x:\n int;") == ["#line", "#x"]
