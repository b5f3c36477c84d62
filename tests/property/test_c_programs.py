"""Random C programs do the same when they are lowered and interpreted as when they are compiled and run."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from paddock.frontends.c.flags import Flags
from paddock.frontends.c.lowering.settings import Settings
from paddock.frontends.c.translate import load as load_c
from paddock.ir.validate import check_valid
from paddock.trace.domains import Domains
from paddock.trace.interpreter import Interpreter
from paddock.trace.oracle import RandomOracle
from paddock.trace.run import Returned
from tests.property.c_programs import Programs

GCC = shutil.which("gcc")
PRINTS = '#include <stdio.h>\nvoid out(long long v) { printf("%lld\\n", v); }\n'
COMPARES = """
extern void reach_error(void);
static long long expected[] = {{ {} }};
static int at;
void out(long long v) {{ if (v != expected[at++]) reach_error(); }}
"""


def printed(text: str, folder: Path) -> list[str]:
    """What a program prints when it is compiled and run."""
    source, program = folder / "program.c", folder / "program"
    source.write_text(PRINTS + text)
    assert GCC is not None
    subprocess.run([GCC, "-w", "-fwrapv", "-ffp-contract=off", "-o", program, source], check=True)
    return subprocess.run([program], capture_output=True, text=True, check=True, timeout=600).stdout.split()


@pytest.mark.skipif(GCC is None, reason="gcc is not installed")
@pytest.mark.parametrize("seed", [n if n < 4 else pytest.param(n, marks=pytest.mark.slow) for n in range(100)])
def test_programs_do_what_they_do_when_compiled(seed: int, tmp_path: Path) -> None:
    text = Programs(seed).program()
    # The least number is written as a difference: its magnitude is none.
    numbers = [
        f"{value}LL" if int(value) > -(2**63) else "-9223372036854775807LL - 1" for value in printed(text, tmp_path)
    ]
    program = load_c([("program.c", COMPARES.format(", ".join(numbers)) + text)], Flags(), Settings()).program
    check_valid(program)
    run = Interpreter(program).run(RandomOracle(Domains(program), seed), record=False, lazy=True, guided=True)
    assert isinstance(run.outcome, Returned), run.outcome
