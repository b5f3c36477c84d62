"""Constructors, destructors and what atexit registers: called when gcc's programs call them, in that order."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from paddock.cli.main import main

ORDER = """\
#include <assert.h>
#include <stdlib.h>
int order[12], count;
static void note(int what) { order[count++] = what; }
static void late(void) { note(9); }
static void first(void) { note(1); atexit(late); }
static void second(void) { note(2); }
__attribute__((constructor(200))) static void later(void) { note(20); }
__attribute__((constructor(150))) static void early(void) { note(10); atexit(second); }
__attribute__((constructor, destructor)) static void both(void) { note(30); }
__attribute__((destructor(150))) static void last(void) {
  note(40);
  assert(count == 8);
  assert(order[0] == 10 && order[1] == 20 && order[2] == 30);
  assert(order[3] == 1 && order[4] == 9 && order[5] == 2);
  assert(order[6] == 30 && order[7] == 40);
}
int main(int argc, char **argv) {
  atexit(first);
  if (argc > LEAST) exit(0);
  assert(count == 3);
  return 0;
}
"""
FAILING = """\
#include <assert.h>
#include <stdlib.h>
static int open = 1;
static void closed(void) { assert(!open); }
int get(void);
int main(void) { atexit(closed); if (get()) open = 0; if (get()) _Exit(0); return 0; }
"""


@pytest.mark.parametrize("least", [0, 5], ids=["exit", "return"])
def test_the_order_is_that_of_gcc(least: int, tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text(ORDER.replace("LEAST", str(least)))
    if shutil.which("gcc"):
        subprocess.run(["gcc", str(file), "-o", str(tmp_path / "a")], check=True)
        subprocess.run([str(tmp_path / "a")], check=True)
    assert main(["check", str(file), "--require-proof"]) == 0
    file.write_text(file.read_text().replace("order[4] == 9", "order[4] != 9"))
    assert main(["check", str(file)]) == 1


def test_a_handler_may_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.c"
    file.write_text(FAILING)
    harness = tmp_path / "harness.c"
    assert main(["check", str(file), "--format", "json", "--harness", str(harness)]) == 1
    said = json.loads(capsys.readouterr().out)
    assert [step["procedure"] for step in said["trace"]][-1] == "closed"
    if shutil.which("gcc"):
        subprocess.run(["gcc", str(file), str(harness), "-o", str(tmp_path / "a")], check=True)
        assert subprocess.run([str(tmp_path / "a")], check=False, stderr=subprocess.DEVNULL).returncode < 0


def test_constructors_come_before_any_function(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text(
        "#include <assert.h>\nint g; __attribute__((constructor)) void set(void) { g = 3; }\n"
        "__attribute__((destructor)) void never(void) { assert(0); }\nvoid f(int x) { assert(g == 3); }\n"
    )
    assert main(["check", str(file), "--function", "f", "--require-proof"]) == 0
