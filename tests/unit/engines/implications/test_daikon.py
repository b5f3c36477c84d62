"""Traces and invariants of Daikon, in terms of a program."""

from __future__ import annotations

from pathlib import Path

import pytest

from paddock.cli.main import main
from paddock.engines.implications.arithmetic import Arithmetic
from paddock.engines.implications.daikon import Place, place_of
from paddock.engines.implications.dtrace import samples_in
from paddock.engines.implications.invariants import invariants_in
from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.origin import InputError
from paddock.ir.printer import expr_text
from paddock.ir.program import Program

PROGRAM = """
var g: int;
var on: bool;
procedure f(x: int) returns (r: int)
  modifies g, on;
{
  g := g + x; on := true; r := 2 * x;
}
procedure w(b: bv8, a: [int]int) returns (d: float24e8) { }
procedure main(n: int) modifies g, on;
{
  var r: int; var d: float24e8; var a: [int]int;
  call r := f(n); call d := w(3bv8, a);
}
"""
TRACE = """# a trace
input-language C/C++
decl-version 2.0
var-comparability none

ppt ..f():::ENTER
ppt-type enter
variable x
  var-kind variable
  dec-type int

..f():::ENTER
this_invocation_nonce
1
::g
5
1
x
2
1

..f():::ENTER
this_invocation_nonce
2
::g
7
1
x
9
1
other
4
1

..f():::EXIT0
this_invocation_nonce
2
::g
16
1
return
18
1
::on
nonsensical
2

..f():::EXIT0
this_invocation_nonce
1
::g
7
1
x
2
0

..nobody():::ENTER
x
1
1
"""


def program(text: str = PROGRAM) -> Program:
    return load([Source(text, "a.bpl")])


def sampled(text: str) -> tuple[dict[str, list[dict[str, object]]], list[str]]:
    samples, skipped = samples_in(program(), "t.dtrace", text)
    shown = {
        f"{point.procedure} {point.kind}": [{expr_text(t): v for t, v in sample.items()} for sample in seen]
        for point, seen in samples.items()
    }
    return shown, list(map(str, skipped))


def test_program_points() -> None:
    assert place_of("..f():::ENTER") == Place("f", "entry")
    assert place_of("a_c.f(int, char *):::EXIT12") == Place("f", "exit", "12")
    assert place_of("pkg.Class:::OBJECT") is None


def test_samples_of_a_trace() -> None:
    samples, skipped = sampled(TRACE)
    assert samples == {
        "f entry": [{"g": 5, "x": 2}, {"g": 7, "x": 9}],
        "f exit": [{"g": 16, "r": 18, "old(g)": 7}, {"g": 7, "x": 2, "old(g)": 5}],
    }
    assert skipped == [
        "t.dtrace:58: 1 of 5 samples are skipped, the first is ..nobody():::ENTER",
        "t.dtrace:31: 1 of 6 variables are skipped, the first is other at ..f():::ENTER",
    ]


def test_values_of_all_types() -> None:
    trace = "..w():::ENTER\nb\n-1\n1\na\n[1 2]\n1\n\n..w():::EXIT\nreturn\n{}\n1\n"
    for text, bits in (("0.5", 0x3F000000), ("-0.0", 0x80000000), ("1e-3", 0x3A83126F), ("1e999999999", None)):
        samples, _ = samples_in(program(), "t", trace.format(text))
        values = [v for seen in samples.values() for sample in seen for v in sample.values()]
        assert values == [255, *([] if bits is None else [bits])]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("decl-version 1.0\n", 1, "version 2.0"),
        ("\nDECLARE\n..f():::ENTER\n", 2, "version 2.0"),
        ("hello\n", 1, "program point"),
        ("..f():::ENTER\nthis_invocation_nonce\nx\n", 3, "nonce"),
        ("..f():::ENTER\nthis_invocation_nonce", 3, "nonce"),
        ("..f():::ENTER\nx\n3\n", 2, "three lines"),
        ("..f():::ENTER\nx\n3\n7\n", 4, "0, 1 or 2"),
    ],
)
def test_damaged_traces(text: str, line: int, message: str) -> None:
    with pytest.raises(InputError, match=message) as raised:
        samples_in(program(), "t.dtrace", text)
    assert f"t.dtrace:{line}:1" in str(raised.value)


RULE = "=" * 75
INVARIANTS = f"""Daikon version 5.8.20
{RULE}
..f():::ENTER
x one of {{ 1, 2 }}
x >= 0
x != null
0 <= x <= 10
::on == false
::g > x
x[] elements >= 0
{RULE}
..f():::EXIT
::g == orig(::g) + x
2 * orig(x) - return == 0
::on == true
x == orig(x)
::g.f == 3
{RULE}
..f():::EXIT7
::g == 12345
{RULE}
..w():::ENTER
b < 3
b one of {{ -1, 4 }}
2 * b - 1 == 0
b == 0.5
{RULE}
..w():::EXIT1
return >= 0
return - 1 >= 0
Exiting Daikon.
"""


def test_invariants_become_conditions() -> None:
    given = program()
    arithmetic = Arithmetic(given)
    found, skipped = invariants_in(given, "inv.txt", INVARIANTS, arithmetic)
    shown = {f"{p.procedure} {p.kind}": [expr_text(c) for c in conditions] for p, conditions in found.items()}
    assert shown["f entry"] == ["x == 1 || x == 2", "0 <= x", "x != 0", "0 <= x && x <= 10", "!on", "x < g"]
    assert shown["f exit"][0] == "g == old(g) + x" and shown["f exit"][2:] == ["on", "x == x"]
    assert [c.count("bv8") > 0 for c in shown["w entry"]] == [True, True, True]
    assert "255bv8" in shown["w entry"][1]
    assert len(shown["w exit"]) == 1
    assert [str(s) for s in skipped] == [
        "inv.txt:10: 5 of 19 invariants are skipped, the first is x[] elements >= 0",
    ]


def test_output_without_sections() -> None:
    with pytest.raises(InputError, match="no section"):
        invariants_in(program(), "inv.txt", "x == 3\n", Arithmetic(program()))
    with pytest.raises(InputError, match=r"such as \.\.f"):
        invariants_in(program(), "inv.txt", f"{RULE}\nx == 3\n", Arithmetic(program()))


def test_the_command_proposes_what_daikon_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in (("a.bpl", PROGRAM), ("t.dtrace", TRACE), ("inv.txt", INVARIANTS)):
        (tmp_path / name).write_text(text)
    base = ["assertions", str(tmp_path / "a.bpl"), "--runs", "0"]
    main([*base, "--dtrace", str(tmp_path / "t.dtrace"), "--invariants", str(tmp_path / "inv.txt")])
    printed = capsys.readouterr()
    assert "g == old(g) + x" in printed.out and "2 <= x" in printed.out
    assert printed.err.count("warning: ") == 3
    # What is written is a program, and what Daikon said of the exit of f is true.
    out = tmp_path / "out.bpl"
    main([*base, "--invariants", str(tmp_path / "inv.txt"), "-o", str(out)])
    capsys.readouterr()
    main(["check", str(out), "--all-assertions", "--entry", "main"])
    verdicts = {line.split()[2]: line.split()[0] for line in capsys.readouterr().out.splitlines() if ".exit." in line}
    assert verdicts["f.exit.1"] == verdicts["f.exit.2"] == verdicts["f.exit.3"] == "proved"
