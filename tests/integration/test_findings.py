"""The program that judges findings says what is as expected, and what is not."""

from __future__ import annotations

from pathlib import Path

from tests.integration.benchmarks import bench


def test_findings_are_judged(tmp_path: Path) -> None:
    (tmp_path / "a.bpl").write_text("procedure main(x: int) { assert x > 0; }\n")
    (tmp_path / "b.bpl").write_text("procedure main(x: int) { assert y > 0; }\n")
    lines = ["file\toptions\texpected\tnote", "a.bpl\t\tbug\t", "a.bpl\t\tno bug\t", "b.bpl\t\trejected\t"]
    lines += ["a.bpl\t--all-assertions\tlook\tat this"]
    (tmp_path / "expected.tsv").write_text("\n".join(lines) + "\n")
    run = bench("findings.py", tmp_path)
    assert run.stdout.splitlines()[-1] == "4 findings: 2 as expected, 1 wrong, 1 by hand"
    assert run.returncode == 1
