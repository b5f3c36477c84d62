"""What is proved with checks never fails in a thousand executions with gcc's sanitizers, on random inputs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from paddock.driver.pipeline import check_files
from paddock.options import Options
from paddock.report.result import Verdict
from tests.unit.engines.symbolic.test_inductive import SAFE

CHECKS = ("assert", "bounds", "pointer", "overflow", "div-by-zero", "shift")
EXAMPLES = Path(__file__).parents[2] / "examples"
HEAD = "#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\nint input(void);\n"
PROGRAMS = {
    **{name: SAFE[name] for name in ("low bits", "twice", "under a condition", "states")},
    "middle": "int a = input(), b = input(); if (a < 0 || b < a) return 0; int m = a + (b - a) / 2;"
    " assert(a <= m && m <= b);",
    "last index": "int a[8], n = input(), i; if (n < 0 || n > 8) return 0; for (i = 0; i < n; i++) a[i] = i;"
    " assert(n == 0 || a[n - 1] == n - 1);",
    "heap": "int n = input(); if (n < 1 || n > 5) return 0; char *p = malloc(n); if (!p) return 0; memset(p, 7, n);"
    " assert(p[n - 1] == 7); free(p);",
    "shifts": "unsigned k = input(), x = input(); if (k < 32) assert(x >> k <= x);",
}
# Each execution is a process of its own, with inputs that are small, large or near a limit.
DRIVER = """
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int program(void);
static unsigned long long state;
static unsigned any(void) { state = state * 6364136223846793005ULL + 1442695040888963407ULL; return state >> 33; }
int input(void) {
  switch (any() % 4) {
  case 0: return any();
  case 1: return INT_MAX - (int)(any() % 3);
  default: return (int)(any() % 40) - 4;
  }
}
int next(void) { return input(); }
int main(void) {
  for (int run = 0; run < 1000; run++) {
    pid_t child = fork();
    if (child == 0) { state = run * 7919ULL + 1; alarm(2); exit(program() & 0); }
    int status;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status) ? WTERMSIG(status) != SIGALRM : WEXITSTATUS(status)) {
      printf("run %d\\n", run);
      return 1;
    }
  }
}
""".replace("#include <limits.h>", "#include <limits.h>\n#include <signal.h>")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc"),
]


def run_often(folder: Path, program: Path) -> int:
    driver = folder / "driver.c"
    driver.write_text(DRIVER, encoding="utf-8")
    sanitizers = "-fsanitize=address,undefined -fno-sanitize-recover -fsanitize-address-use-after-scope".split()
    (folder / "program.o").unlink(missing_ok=True)
    for command in (
        ["gcc", "-w", "-O1", *sanitizers, "-Dmain=program", "-c", str(program), "-o", "program.o"],
        ["gcc", "-w", *sanitizers, "driver.c", "program.o", "-o", "runs"],
    ):
        subprocess.run(command, cwd=folder, check=True, timeout=600)
    return subprocess.run(["./runs"], cwd=folder, check=False, timeout=1200, stderr=subprocess.DEVNULL).returncode


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_proved_never_fails(tmp_path: Path, name: str) -> None:
    file = tmp_path / "program.c"
    file.write_text(f"{HEAD}int main(void) {{ {PROGRAMS[name]} return 0; }}\n", encoding="utf-8")
    assert check_files([str(file)], Options.of(checks=CHECKS)).verdict is Verdict.PROVED
    assert run_often(tmp_path, file) == 0


def test_the_examples(tmp_path: Path) -> None:
    file = EXAMPLES / "table.c"
    assert check_files([str(file)], Options.of(recursion_bound=2)).verdict is Verdict.PROVED
    assert run_often(tmp_path, file) == 0


@pytest.mark.parametrize(
    "body", ["assert(input() != 7);", "volatile int s = input(); s = s + 1;", "volatile char b[4]; b[input() & 7] = 1;"]
)
def test_a_failure_is_seen(tmp_path: Path, body: str) -> None:
    file = tmp_path / "program.c"
    file.write_text(f"{HEAD}int main(void) {{ {body} return 0; }}\n", encoding="utf-8")
    assert check_files([str(file)], Options.of(checks=CHECKS)).verdict is Verdict.BUG
    assert run_often(tmp_path, file) == 1
