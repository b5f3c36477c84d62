"""`--checks race`: accesses of two threads to one place that nothing orders, with gcc's sanitizer as judge."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from paddock.driver.loading import load
from paddock.driver.pipeline import check
from paddock.frontends.source import Source
from paddock.ir.origin import InputError
from paddock.options import Options
from paddock.report.result import Verdict

TEXT = """
#include <pthread.h>
#include <semaphore.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
sem_t s;
int x, y, array[2], *pointer = &y;
struct { int one, other; } pair;
void *f(void *argument) { FIRST return 0; }
int main(void) {
  pthread_t thread;
  sem_init(&s, 0, 0);
  x = 1;
  pthread_create(&thread, 0, f, 0);
  SECOND
  pthread_join(thread, 0);
  x++;
  y++;
  return x + y;
}
"""
LOCKED = "pthread_mutex_lock(&a); x++; pthread_mutex_unlock(&a);"
CASES = [
    ("x++;", "", False),  # before it is started, and after it has ended
    ("x = 2;", "x = 2;", True),
    ("x = 2;", "if (x) y = 1;", True),
    ("if (x) y = 1;", "if (x == 1) array[0] = 1;", False),  # both read
    (LOCKED, LOCKED, False),
    (LOCKED, "x++;", True),
    (LOCKED, LOCKED.replace("&a", "&b"), True),
    ("array[0] = 1;", "array[1] = 1;", False),
    ("array[1] = 1;", "array[1] = 2;", True),
    ("pair.one = 1;", "pair.other = 1;", False),
    ("*pointer = 1;", "y = 2;", True),
    ("x = 2; sem_post(&s);", "sem_wait(&s); x = 3;", False),
    ("sem_post(&s); x = 2;", "sem_wait(&s); x = 3;", True),
]


def program(first: str, second: str) -> str:
    return TEXT.replace("FIRST", first).replace("SECOND", second)


def verdict(text: str) -> Verdict:
    options = Options.of(checks=("race",))
    return check(load([Source(text, "t.c")], (), options), options).verdict


@pytest.mark.parametrize(("first", "second", "races"), CASES)
def test_races(first: str, second: str, races: bool) -> None:
    assert verdict(program(first, second)) is (Verdict.BUG if races else Verdict.BOUNDED)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_the_sanitizer_agrees_where_there_is_none(tmp_path: Path) -> None:
    source, binary = tmp_path / "t.c", tmp_path / "t"
    for first, second, races in CASES:
        if races:
            continue  # whether it sees those depends on who runs when
        source.write_text(program(first, second), encoding="utf-8")
        made = subprocess.run(["gcc", "-w", "-fsanitize=thread", "-o", binary, source, "-lpthread"], timeout=600)
        if made.returncode:
            pytest.skip("gcc has no sanitizer for threads")
        run = subprocess.run([binary], capture_output=True, text=True, timeout=600)
        if "unexpected memory mapping" in run.stderr:
            pytest.skip("the sanitizer does not run here")
        assert "data race" not in run.stderr


def test_atomic_objects_are_refused() -> None:
    with pytest.raises(InputError, match="_Atomic is not supported with the check for races"):
        verdict("_Atomic int z;" + program("z = 1;", "z = 2;"))


def test_all_checks_are_all_but_races() -> None:
    options = Options.of(checks=("all",))
    text = program("x = 2;", "x = 2;")
    assert check(load([Source(text, "t.c")], (), options), options).verdict is Verdict.BOUNDED
    options = Options.of(checks=("all", "race"))
    assert check(load([Source(text, "t.c")], (), options), options).verdict is Verdict.BUG
