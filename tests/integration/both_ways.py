"""C programs with two ways through them: on one every assertion must hold, on the other one must fail. That takes half
of the time of two programs."""

from __future__ import annotations

from pathlib import Path

from paddock.driver import pipeline
from paddock.options import Options
from paddock.report.result import Verdict

CHOICE = "int __VERIFIER_nondet_int(void);"


def check_both(head: str, holds: str, fails: str, folder: Path, inputs: str = "", **options: object) -> None:
    """The two are bodies of `main`, behind what both have in common."""
    file = folder / "both.c"
    before = f"{head}\n{CHOICE}\nint main(void) {{\n{inputs}\nif (__VERIFIER_nondet_int()) {{\n{holds};\n"
    file.write_text(f"{before}}} else {{\n{fails};\n}}\nreturn 0; }}\n", encoding="utf-8")
    result = pipeline.check_files([str(file)], Options.of(all_assertions=True, **options))  # type: ignore[arg-type]
    middle = before.count("\n") + 1
    # What a function of the program or a model asserts belongs to both ways.
    ours = [each for each in result.assertions if each.procedure == "main"]
    assert {each.verdict for each in ours if each.line < middle} <= {Verdict.PROVED}, result.reason
    assert Verdict.BUG in {each.verdict for each in ours if each.line > middle}
