"""The step of the action that checks: what the inputs say becomes calls of Paddock."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

PADDOCK = (sys.executable, "-m", "paddock")
BAD_INPUT = 2


def main(environ: Mapping[str, str]) -> int:
    """Check a program or a suite; returns the exit status of Paddock."""
    files, more = (shlex.split(environ.get(name, "")) for name in ("PADDOCK_FILES", "PADDOCK_ARGUMENTS"))
    if not files:
        return subprocess.run([*PADDOCK, "suite", environ.get("PADDOCK_SUITE") or "paddock.toml", *more]).returncode
    with tempfile.TemporaryDirectory() as folder:
        result = str(Path(folder) / "result.json")
        status = subprocess.run([*PADDOCK, "check", *files, *more, "--format", "json", "--output", result]).returncode
        if status == BAD_INPUT:
            return status
        subprocess.run([*PADDOCK, "report", result], check=True)
        subprocess.run([*PADDOCK, "report", result, "--format", "github"], check=True)
        if sarif := environ.get("PADDOCK_SARIF"):
            subprocess.run([*PADDOCK, "report", result, "--format", "sarif", "-o", sarif], check=True)
        return status


if __name__ == "__main__":
    sys.exit(main(os.environ))
