"""Numbers of any length become text and come back, also in programs: Python's own conversion gives up."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import paddock
from paddock.digits import digits, integer, quotient, rational
from paddock.driver import pipeline
from paddock.options import Options
from paddock.report.result import Verdict

LONG = "7" * 5000


@pytest.mark.parametrize("text", ["0", "-12", LONG, f"-{LONG}", f"1{'0' * 9000}"])
def test_digits_come_back(text: str) -> None:
    assert digits(integer(text)) == text
    assert rational(text) == integer(text)


def test_quotients_come_back() -> None:
    for number in (Fraction(1, 3), Fraction(-integer(LONG), 10**6000), Fraction(5)):
        assert rational(quotient(number)) == number
    assert rational(f"-1.{LONG}") == -1 - Fraction(integer(LONG), 10**5000)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"procedure main(x: int) {{ assert x != {LONG}; }}", LONG),
        (f"procedure main(x: int) {{ assert -{LONG} != x; }}", f"-{LONG}"),
        ("procedure main(x: real) { assert x != 1e5000; }", f"1{'0' * 5000}.0"),
        (f"procedure main(x: bv20000) {{ assert x != {LONG}bv20000; }}", f"{LONG}bv20000"),
        ("procedure main(x: float53e20) { assert x != 0x1.0e100000f53e20; }", "0x1.0e100000f53e20"),
        ("procedure main(x: float64e15) { assert !(x > 0x1.0e4000f64e15); }", "f64e15"),
    ],
    ids=["integer", "negative", "real", "bits", "exponent", "float"],
)
def test_long_numbers_in_traces(text: str, shown: str) -> None:
    result = paddock.check(paddock.load(text))
    assert result.verdict is Verdict.BUG
    assert any(shown in value.text for step in result.trace for value in step.values.values())


@pytest.mark.parametrize("literal", ["1e999999999", f"1e{LONG}"])
def test_numbers_that_no_memory_holds(literal: str) -> None:
    with pytest.raises(paddock.InputError, match="is too large"):
        paddock.load(f"procedure main(x: real) {{ assert x != {literal}; }}")


def test_long_numbers_in_c(tmp_path: Path) -> None:
    file = tmp_path / "long.c"
    file.write_text(f"""
        extern long double nondet_long_double(void);
        int main(void) {{
          double d = {LONG}e-4999, e = 0.{LONG}, f = 0x{LONG}p-20000, g = 1e999999999;
          long double x = nondet_long_double();
          if (d > 7 && d < 8 && e < 1 && f >= 0 && g > d && x > 1e4900L) __VERIFIER_error();
        }}""")
    result = pipeline.check_files([str(file)], Options())
    assert result.verdict is Verdict.BUG
    assert any(step.texts.get("x", "").startswith("0x") for step in result.trace)
