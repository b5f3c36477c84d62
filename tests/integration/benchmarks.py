"""The programs under `bench/`, run in this process: what they measure are processes of their own anyway."""

from __future__ import annotations

import signal
import sys
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from io import StringIO
from pathlib import Path
from subprocess import CompletedProcess
from unittest.mock import patch

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "bench"))


def bench(name: str, *arguments: str | Path) -> CompletedProcess[str]:
    """What a process with this program and these arguments would give."""
    words = [name, *map(str, arguments)]
    out, err, on_termination = StringIO(), StringIO(), signal.getsignal(signal.SIGTERM)
    try:
        with patch.object(sys, "argv", words), redirect_stdout(out), redirect_stderr(err):
            status = import_module(name.removesuffix(".py")).main()
    except SystemExit as end:
        status = end.code
    finally:
        signal.signal(signal.SIGTERM, on_termination)
    if isinstance(status, str):
        print(status, file=err)
        status = 1
    return CompletedProcess(words, status or 0, out.getvalue(), err.getvalue())
