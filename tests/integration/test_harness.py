"""The harness of a bug, compiled with the program, makes the bug happen."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from paddock.cli.main import main

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc")

INPUTS = """
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
struct pair { short a; float b; };
struct pair get(int);
int read_numbers(int *number, double *other);
struct node { int v; struct node *next; };
struct node *first(void);
extern long limit;
int main(void) {
  int a[3];
  for (int i = 0; i < 3; i++) a[i] = __VERIFIER_nondet_int();
  __VERIFIER_assume(a[0] > a[1] && a[1] > a[2]);
  struct pair s = get(3);
  int x = 0;
  double d = 0;
  int r = read_numbers(&x, &d);
  struct node *n = first();
  if (!n || !n->next || limit != -5) return 0;
  assert(!(a[0] == 7 && s.a == -3 && s.b == 2.5f && x == 5 && d == 0.25 && r == 1 && n->next->v == 9
           && __VERIFIER_nondet_bool() && rand() == 4));
  return 0;
}
"""

ARGUMENTS = """
#include <assert.h>
struct node { int v; struct node *next; char tag; };
static int total(struct node *l, const unsigned *weights, double scale, struct node by_value) {
  int t = 0;
  while (l) { t += l->v * (int)weights[1]; l = l->next; }
  assert(t != 42 || scale != 0.5 || by_value.tag != 'x');
  return t;
}
int run(struct node *l) { return total(l, 0, 1.0, *l); }
int main(void) { return 0; }
"""

OVERFLOW = """
long __VERIFIER_nondet_long(void);
int main(int argc, char **argv) {
  long x = __VERIFIER_nondet_long();
  if (argc == 3) return (int)(x - 1);
  return 0;
}
"""

BOUNDS = """
#include <stdlib.h>
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar();
  char *p = malloc(n);
  if (n > 3) p[5] = 1;
  free(p);
  return 0;
}
"""

PADDOCK = """
#include <paddock.h>
#include <stddef.h>
int main(void) {
  size_t n = __paddock_nondet_size_t();
  double d = __paddock_nondet_double();
  __paddock_assume(n < 10 && d > 0);
  __paddock_assert(n != 7 || d > 1e-300);
  return 0;
}
"""

ARGV = """
#include <assert.h>
int main(int argc, char **argv) {
  if (argc != 3) return 1;
  assert(argv[3] == 0);
  if (argv[1][0] == '-' && argv[1][1] == 'x' && argv[1][2] == 0) assert(argv[2][0] != 'q');
  return 0;
}
"""

FAILED = """
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern int unknown(void);
int main(void) {
  char *p = malloc(3), *q = malloc(3), *s = strdup("a");
  errno = 0;
  unknown();
  if (p && !q && !s && errno == 77) assert(malloc(4));
  return 0;
}
"""

ERROR = """
void reach_error(void);
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned s = 0;
  for (int i = 0; i < 3; i++) s = 10 * s + __VERIFIER_nondet_uint() % 10;
  if (s == 472) reach_error();
}
"""


READ = """
#include <assert.h>
#include <stdio.h>
int main(void) {
  int n;
  char text[8];
  if (scanf("%d", &n) != 1 || !fgets(text, 8, stdin)) return 0;
  assert(!(n == 7 && text[0] == 'x'));
}
"""


def built_and_run(harness: Path, given: str = "") -> int:
    """The exit status of the program that the commands in the harness build, where standard input is as given."""
    commands = re.search(r"To see it:\n(.*?)\*/", harness.read_text(encoding="utf-8"), re.DOTALL)
    assert commands
    script = "set -e\n" + commands[1].replace("&& ./bug", "")
    subprocess.run(["bash", "-c", script], cwd=harness.parent, check=True, capture_output=True, timeout=600)
    ran = subprocess.run(
        ["./bug"], cwd=harness.parent, check=False, capture_output=True, timeout=600, input=given.encode()
    )
    return ran.returncode


@needs_gcc
@pytest.mark.parametrize(
    ("text", "options"),
    [
        (INPUTS, []),
        pytest.param(
            ARGUMENTS,
            ["--function", "total"],
            marks=pytest.mark.skipif(shutil.which("objcopy") is None, reason="no objcopy"),
        ),
        (ARGUMENTS.replace("static", ""), ["--function", "total"]),
        (OVERFLOW, ["--checks", "overflow"]),
        (BOUNDS, ["--checks", "bounds"]),
        (PADDOCK, []),
        (ARGV, []),
        (FAILED, ["--malloc-may-fail"]),
        (ERROR, ["--checks", "unreach", "-D", "UNUSED='a b'"]),
    ],
    ids=[
        "inputs",
        "static function",
        "function",
        "overflow",
        "bounds",
        "paddock.h",
        "arguments of main",
        "failure",
        "error",
    ],
)
def test_the_bug_happens(
    text: str, options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("program.c").write_text(text, encoding="utf-8")
    assert main(["check", "program.c", "--harness", "harness.c", *options]) == 1, capsys.readouterr().out
    assert built_and_run(Path("harness.c").absolute()) != 0


@needs_gcc
def test_files_of_the_system_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("program.c").write_text(READ, encoding="utf-8")
    assert main(["check", "program.c", "--harness", "harness.c"]) == 1
    harness = Path("harness.c").absolute()
    assert "scanf in line 7, fgets in line 7:" in harness.read_text(encoding="utf-8")
    assert built_and_run(harness, "8x") == 0
    assert built_and_run(harness, "7x") == -signal.SIGABRT


def test_nothing_is_written_without_a_bug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("program.c").write_text("int main(void) { return 0; }", encoding="utf-8")
    assert main(["check", "program.c", "--harness", "harness.c"]) == 0
    assert not Path("harness.c").exists()


def test_boogie_has_no_harness(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("program.bpl").write_text("procedure main() { assert false; }", encoding="utf-8")
    assert main(["check", "program.bpl", "--harness", "harness.c"]) == 2
    assert "--harness is for programs in C" in capsys.readouterr().err
    assert not Path("harness.c").exists()


def test_a_harness_does_not_overwrite_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("program.c").write_text("int main(void) { return 0; }", encoding="utf-8")
    assert main(["check", "program.c", "--harness", "program.c"]) == 2
    assert "would overwrite the program" in capsys.readouterr().err


@needs_gcc
def test_functions_that_are_not_called_and_wrappers_are_linked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = """
    extern void reach_error(void); extern int nondet_int(void); extern void tell(const char *); extern int other(void);
    static void check(int c) { if (!c) { tell("it fails"); reach_error(); } }
    int main(void) { int x = nondet_int(); if (x > 5) return other(); check(x != 3); return 0; }
    """
    (tmp_path / "wrapped.c").write_text(text)
    assert main(["check", "wrapped.c", "--harness", "harness.c"]) == 1
    subprocess.run(["gcc", "-w", "wrapped.c", "harness.c", "-o", "bug"], check=True)
    assert subprocess.run(["./bug"], check=False, capture_output=True).returncode == -6
