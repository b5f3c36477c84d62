"""`--checks deadlock`: executions in which all threads of a C program are blocked."""

from __future__ import annotations

import pytest

from paddock.driver.loading import load
from paddock.driver.pipeline import check
from paddock.frontends.source import Source
from paddock.options import Options
from paddock.report.result import Result, Verdict

HEAD = """
#include <pthread.h>
#include <semaphore.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_barrier_t barrier;
pthread_rwlock_t rw;
sem_t s;
int x;
"""
LOCK_A, LOCK_B = "pthread_mutex_lock(&a);", "pthread_mutex_lock(&b);"
UNLOCK_A, UNLOCK_B = "pthread_mutex_unlock(&a);", "pthread_mutex_unlock(&b);"
SIGNAL = f"{LOCK_A} x = 1; pthread_cond_signal(&c); {UNLOCK_A}"


def checked(first: str, second: str, main: str = "", **options: object) -> Result:
    text = (
        HEAD
        + f"void *f(void *p) {{ {first} return 0; }} void *g(void *p) {{ {second} return 0; }}"
        + f"int main(void) {{ pthread_t t, u; sem_init(&s, 0, 1); {main} pthread_create(&t, 0, f, 0);"
        + "pthread_create(&u, 0, g, 0); pthread_join(t, 0); pthread_join(u, 0); return 0; }"
    )
    named = Options.of(checks=("deadlock",), **options)
    return check(load([Source(text, "t.c")], (), named), named)


@pytest.mark.parametrize(
    ("first", "second", "main"),
    [
        (LOCK_A + LOCK_B + UNLOCK_B + UNLOCK_A, LOCK_B + LOCK_A + UNLOCK_A + UNLOCK_B, ""),
        (LOCK_A + LOCK_A, "", ""),  # it waits for itself
        (LOCK_A, LOCK_A, ""),  # no thread unlocks
        (f"{LOCK_A} pthread_cond_wait(&c, &a); {UNLOCK_A}", SIGNAL, ""),  # the signal may come before
        (f"{LOCK_A} if (!x) pthread_cond_wait(&c, &a); {UNLOCK_A}", "x = 1;", ""),  # without a signal
        ("sem_wait(&s);", "sem_wait(&s);", ""),
        ("pthread_barrier_wait(&barrier);", "pthread_barrier_wait(&barrier);", "pthread_barrier_init(&barrier, 0, 3);"),
        ("pthread_rwlock_rdlock(&rw); pthread_rwlock_wrlock(&rw);", "", ""),
        ("pthread_mutex_lock(&b); pthread_mutex_unlock(&b);", "", LOCK_B),  # the main thread keeps it
    ],
)
def test_deadlocks_are_found(first: str, second: str, main: str) -> None:
    result = checked(first, second, main)
    assert result.verdict is Verdict.BUG
    assert "all threads are blocked" in result.trace[-1].text


@pytest.mark.parametrize(
    ("first", "second", "main"),
    [
        (LOCK_A + LOCK_B + UNLOCK_B + UNLOCK_A, LOCK_A + LOCK_B + UNLOCK_B + UNLOCK_A, ""),
        (f"{LOCK_A} if (!x) pthread_cond_wait(&c, &a); {UNLOCK_A}", SIGNAL, ""),
        ("sem_wait(&s); sem_post(&s);", "sem_wait(&s); sem_post(&s);", ""),
        ("pthread_barrier_wait(&barrier);", "pthread_barrier_wait(&barrier);", "pthread_barrier_init(&barrier, 0, 2);"),
        (
            "pthread_rwlock_rdlock(&rw); pthread_rwlock_unlock(&rw);",
            "pthread_rwlock_wrlock(&rw); x = 1; pthread_rwlock_unlock(&rw);",
            "",
        ),
        ("if (pthread_mutex_trylock(&b)) x = 1;", "", LOCK_B),
        ("x = 1;", "x = 2; pthread_exit(0);", ""),
    ],
)
def test_what_can_always_go_on(first: str, second: str, main: str) -> None:
    assert checked(first, second, main).verdict is Verdict.BOUNDED


def test_other_schemes_find_them_too() -> None:
    result = checked(LOCK_A + LOCK_B, LOCK_B + LOCK_A, engine="symbolic", scheme="rounds")
    assert result.verdict is Verdict.BUG


def test_without_the_check_blocked_threads_are_no_violation() -> None:
    text = HEAD + f"void *f(void *p) {{ {LOCK_A} {LOCK_A} return 0; }}"
    text += "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); __CPROVER_assert(0, 0); }"
    options = Options.of()
    assert check(load([Source(text, "t.c")], (), options), options).verdict is Verdict.BOUNDED


def test_a_process_whose_main_function_has_returned_has_no_deadlock() -> None:
    text = HEAD + f"void *f(void *p) {{ {LOCK_A} {LOCK_A} return 0; }}"
    text += "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); %s }"
    options = Options.of(checks=("deadlock",))
    for end, verdict in (("return 0;", Verdict.BOUNDED), ("pthread_exit(0);", Verdict.BUG)):
        assert check(load([Source(text % end, "t.c")], (), options), options).verdict is verdict
