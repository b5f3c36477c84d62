"""Writes a witness for each C task of the software-verification competition that is decided, and validates it.

    python bench/witnesses.py [FOLDER] [--tasks 40] [--form yaml|graphml] [--timeout 30]

A task counts if its check ends in a bug or a proof. Its witness must be accepted; one with a wrong hash and, of a bug
with a nondeterministic value or a branch, one with that value or branch changed, must not be confirmed as it stands. A
changed value may describe another bug, so that a confirmation of it is counted, not refused. Ends with status 1 if a
witness of ours is not accepted.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import re
import sys
import tempfile
from pathlib import Path

from paddock.cli.main import main as paddock

FOLDER = Path(__file__).parents[2] / "shared" / "svcomp"
OPTIONS = ("--data-model", "ilp32", "--checks", "unreach", "--unwind", "10", "--recursion-bound", "11")


def check(file: Path, timeout: int, *more: str) -> tuple[int, dict[str, str]]:
    """The exit status of a check, and its JSON."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        status = paddock(["check", str(file), *OPTIONS, "--timeout", str(timeout), *more, "--format", "json"])
    said = json.loads(out.getvalue()) if status != 2 else {"verdict": "refused", "reason": ""}
    return status, said


def corrupted(text: str) -> list[tuple[str, str]]:
    """Witnesses that are like one, but wrong."""
    found = [("hash", re.sub(r"\b[0-9a-f]{64}\b", "0" * 64, text))]
    if value := re.search(r"result == (-?\d+)", text):
        other = str(int(value[1]) ^ 1)
        found.append(("value", text[: value.start(1)] + other + text[value.end(1) :]))
    if branch := re.search(r'(?:value: "|condition-)(true|false)', text):
        other = "false" if branch[1] == "true" else "true"
        found.append(("branch", text[: branch.start(1)] + other + text[branch.end(1) :]))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--tasks", type=int, default=40, help="stop after so many that are decided")
    parser.add_argument("--form", choices=("yaml", "graphml"), default="yaml")
    parser.add_argument("--timeout", type=int, default=30, help="seconds for each check")
    args = parser.parse_args()
    files = sorted((file for file in args.folder.rglob("*.[ci]")), key=lambda file: (file.stat().st_size, file))
    counts: dict[str, int] = {}
    decided = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        witness = Path(folder) / f"witness.{args.form}"
        for file in files:
            if decided == args.tasks:
                break
            with contextlib.redirect_stderr(io.StringIO()):
                form = ("--format", f"witness-{args.form}", "--output", str(witness))
                status = paddock(["check", str(file), *OPTIONS, "--timeout", str(args.timeout), *form])
            text = witness.read_text(encoding="utf-8") if status < 2 else ""
            if status > 1 or "no witness" in text[:40]:
                continue
            decided += 1
            _, said = check(file, args.timeout, "--witness", str(witness))
            accepted = said["verdict"] == ("bug" if status == 1 else "proved")
            wrong += not accepted
            line = [file.name, "bug" if status == 1 else "proof", "accepted" if accepted else f"NOT: {said['reason']}"]
            for name, other in corrupted(text):
                witness.write_text(other, encoding="utf-8")
                verdict = check(file, args.timeout, "--witness", str(witness))[1]["verdict"]
                refused = verdict not in ("bug", "proved")
                counts[f"{name} refused" if refused else f"{name} confirmed"] = (
                    counts.get(f"{name} refused" if refused else f"{name} confirmed", 0) + 1
                )
                line.append(f"{name}: {'refused' if refused else verdict}")
            print("  ".join(line), flush=True)
    print(f"{decided} decided, {wrong} witnesses not accepted; corrupted ones: {counts}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
