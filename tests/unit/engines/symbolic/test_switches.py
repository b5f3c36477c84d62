"""Which switches of threads matter: those before steps that conflict with others."""

from __future__ import annotations

import pytest

from paddock.driver.loading import load
from paddock.driver.pipeline import check
from paddock.engines.symbolic.switches import Accessed, Lineage, Switches
from paddock.frontends.source import Source
from paddock.options import Options
from paddock.report.result import Verdict

HEAD = """
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
int n, k;
"""
MAIN = """
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(n == 2);
  return 0;
}
"""
LOCKED = "pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); return 0;"


def needed(monkeypatch: pytest.MonkeyPatch, one: str, two: str, main: str = MAIN) -> tuple[Verdict, set[str]]:
    """The verdict on two threads, and the functions in which they are switched."""
    seen: list[Switches] = []
    begin = Switches.begin

    def noting(switches: Switches) -> None:
        seen.append(switches)
        begin(switches)

    monkeypatch.setattr(Switches, "begin", noting)
    text = f"{HEAD} void *one(void *a) {{ {one} }} void *two(void *a) {{ {two} }} {main}"
    result = check(load([Source(text, "p.c")]), Options.of(engine="symbolic", checks=("assert",)))
    return result.verdict, {point[-1][0] for point in seen[-1].needed}  # type: ignore[index]


def test_threads_are_not_switched_where_a_mutex_protects_what_they_access(monkeypatch: pytest.MonkeyPatch) -> None:
    verdict, where = needed(monkeypatch, LOCKED, LOCKED)
    assert verdict is not Verdict.BUG
    assert "pthread_mutex_lock" in where
    # Behind the lock it may be seen that it is taken; nothing else is.
    assert len([w for w in where if w in ("one", "two")]) == 2


def test_they_are_if_it_is_another_mutex(monkeypatch: pytest.MonkeyPatch) -> None:
    verdict, _ = needed(monkeypatch, LOCKED, LOCKED.replace("&m", "&other"))
    assert verdict is Verdict.BUG


def test_they_are_if_one_takes_none(monkeypatch: pytest.MonkeyPatch) -> None:
    verdict, _ = needed(monkeypatch, LOCKED, "n++; return 0;")
    assert verdict is Verdict.BUG


def test_a_mutex_that_another_thread_unlocks_protects_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    verdict, _ = needed(monkeypatch, LOCKED, "pthread_mutex_unlock(&m); " + LOCKED)
    assert verdict is Verdict.BUG


def test_what_is_written_before_a_thread_waits_for_ever_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    one = "n = 2; pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0;"
    two = "if (n == 2) { n = 3; assert(0); } return 0;"
    assert needed(monkeypatch, one, two)[0] is Verdict.BUG


def test_that_a_mutex_is_taken_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    one = "pthread_mutex_lock(&m); n = 2; k = 1; pthread_mutex_lock(&m); return 0;"
    two = "if (pthread_mutex_trylock(&m)) assert(0); return 0;"
    assert needed(monkeypatch, one, two)[0] is Verdict.BUG


def test_threads_that_share_nothing_are_not_switched(monkeypatch: pytest.MonkeyPatch) -> None:
    main = MAIN.replace("n == 2", "n + k == 2")
    verdict, where = needed(monkeypatch, "n++; n--; n++; return 0;", "k++; k--; k++; return 0;", main)
    assert verdict is not Verdict.BUG
    assert "one" not in where
    assert "two" not in where


def test_accesses_are_ordered_by_starts_and_joins() -> None:
    main = Lineage(None, 0)
    first, second = Lineage(main, 0), Lineage(main, 1)
    by_first = Accessed(first, True, frozenset(), 0, frozenset())
    before = Accessed(main, True, frozenset(), 0, frozenset())
    between = Accessed(main, True, frozenset(), 1, frozenset())
    after = Accessed(main, True, frozenset(), 2, frozenset({0}))
    assert not before.conflicts(by_first)
    assert between.conflicts(by_first)
    assert not after.conflicts(by_first)
    by_second = Accessed(second, True, frozenset(), 0, frozenset())
    assert by_second.conflicts(by_first)
    assert after.conflicts(by_second)
    inner = Accessed(Lineage(first, 0), False, frozenset(), 0, frozenset())
    assert not before.conflicts(inner)
    assert after.conflicts(inner)  # that its parent has ended does not end it
