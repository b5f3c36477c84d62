"""Boogie (2.4, as Debian has it) as a judge: which programs it refuses, and which assertions it cannot prove."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

BOOGIE = shutil.which("boogie")
_ERROR = re.compile(r"\((\d+),\d+\): Error (BP\d+)")
_SUMMARY = re.compile(r"finished with (\d+) verified, (\d+) errors?(.*)")


@dataclass(frozen=True)
class Judgement:
    """What Boogie said of a text: why it is refused, or in which lines what cannot be proved. `sure` is whether the
    solver had an answer to everything."""

    refused: str
    failing: frozenset[int]
    sure: bool
    output: str


def judged(text: str, *, verify: bool = True) -> Judgement:
    """What Boogie says of a program."""
    assert BOOGIE is not None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "program.bpl"
        file.write_text(text)
        flags = ["/errorLimit:100", "/timeLimit:20"] if verify else ["/noVerify"]
        run = subprocess.run([BOOGIE, "/nologo", *flags, file], capture_output=True, text=True, check=False)
    output = run.stdout + run.stderr
    summary = _SUMMARY.search(output)
    if summary is None:
        reason = next((line for line in output.splitlines() if "rror:" in line), output[:300])
        return Judgement(reason.split(": ", 1)[-1], frozenset(), True, output)
    failing = frozenset(int(line) for line, _ in _ERROR.findall(output))
    is_sure = not any(word in summary[3] for word in ("time out", "inconclusive", "out of"))
    return Judgement("", failing, is_sure, output)
