"""The harness of a bug in a program with threads makes its schedule happen, each time that it is run."""

from __future__ import annotations

import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from paddock.cli.main import main
from tests.integration.test_harness import built_and_run

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None or shutil.which("objcopy") is None, reason="no gcc")
EXAMPLES = Path(__file__).parents[2] / "examples" / "concurrent"

HEAD = "#include <assert.h>\n#include <errno.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdlib.h>\n"
TWO = """
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, f, 0);
  pthread_create(&b, 0, g, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(%s);
}
"""

INSIDE = "static int x; void *f(void *p) { x++; return 0; } void *g(void *p) { x = x + 1; return 0; }" + TWO % "x == 2"
HEAP = (
    """
struct node { int value; struct node *next; } *head;
int made;
void *f(void *p) {
  struct node *n = malloc(sizeof *n);
  if (!n) return 0;
  __sync_fetch_and_add(&made, 1);
  n->next = head;
  head = n;
  return 0;
}
void *g(void *p) { return f(p); }
"""
    + TWO % ("made < 2 || (head && head->next)")
)
STACK = """
void *add(void *p) { *(int *)p += 1; return 0; }
int main(void) {
  pthread_t a;
  int n = 0;
  pthread_create(&a, 0, add, &n);
  n += 1;
  pthread_join(a, 0);
  assert(n == 2);
}
"""
TRY = """
sem_t s;
void *f(void *p) { sem_post(&s); return 0; }
int main(void) {
  pthread_t a;
  sem_init(&s, 0, 0);
  pthread_create(&a, 0, f, 0);
  assert(sem_trywait(&s) == -1 && errno == EAGAIN);
}
"""
ATOMIC = (
    """
int x, seen;
void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
void *f(void *p) { __VERIFIER_atomic_begin(); x = 1; x = 2; __VERIFIER_atomic_end(); x = 3; return 0; }
void *g(void *p) { if (__sync_bool_compare_and_swap(&x, 2, 5)) seen = 1; return 0; }
"""
    + TWO % "!seen"
)
LOST_WAKE = (
    """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *f(void *p) { pthread_mutex_lock(&m); pthread_cond_signal(&c); pthread_mutex_unlock(&m); return 0; }
void *g(void *p) { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return 0; }
"""
    + TWO % "1"
)
AFTER_MAIN = """
int x;
void *f(void *p) { assert(x == 0); return 0; }
int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); x = 1; return 0; }
"""


def happens(text: str, options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("program.c").write_text(text, encoding="utf-8")
    assert main(["check", "program.c", "--harness", "harness.c", *options]) == 1
    assert built_and_run(Path("harness.c").absolute()) == -signal.SIGABRT
    again = subprocess.run(["./bug"], cwd=tmp_path, check=False, capture_output=True, timeout=600)
    assert again.returncode == -signal.SIGABRT


@pytest.mark.parametrize(
    "text",
    [INSIDE, HEAP, STACK, TRY, ATOMIC, AFTER_MAIN],
    ids=["inside of a file", "heap", "stack", "trywait", "atomic", "after main"],
)
def test_the_schedule_happens(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    happens(HEAD + text, [], tmp_path, monkeypatch)


@pytest.mark.slow
def test_a_deadlock_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    happens(HEAD + LOST_WAKE, ["--checks", "deadlock"], tmp_path, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["lost_update", "dekker", "peterson", "bounded_buffer", "reader_writer", "driver", "deadlock"]
)
def test_classics_happen(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checks = ["--checks", "deadlock"] if name == "deadlock" else []
    happens((EXAMPLES / f"{name}.c").read_text(encoding="utf-8"), ["-D", "BUG", *checks], tmp_path, monkeypatch)
