"""Models of what POSIX and C11 have for threads, with gcc and the machine as judges of what the functions return."""

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

PROGRAMS = Path(__file__).with_name("c_threads")


def verdict(text: str, **options: object) -> Verdict:
    named = Options.of(**options)
    return check(load([Source(text, "t.c")], (), named), named).verdict


@pytest.mark.parametrize("file", sorted(PROGRAMS.glob("*.c")), ids=lambda file: file.stem)
def test_assertions_hold(file: Path) -> None:
    assert verdict(file.read_text(encoding="utf-8")) is Verdict.BOUNDED


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
@pytest.mark.parametrize("file", sorted(PROGRAMS.glob("*.c")), ids=lambda file: file.stem)
def test_assertions_hold_on_the_machine(file: Path, tmp_path: Path) -> None:
    subprocess.run(["gcc", "-w", "-o", tmp_path / "program", file, "-lpthread"], check=True, timeout=600)
    for _ in range(5):
        subprocess.run([tmp_path / "program"], check=True, timeout=600)


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        ("semaphores", "sem_init(&empty, 0, 1)", "sem_init(&empty, 0, 2)"),
        ("semaphores", "sem_wait(&full);", ""),
        ("barriers", "&barrier, 0, 2", "&barrier, 0, 1"),
        ("barriers", "ready[me] = 1;\n  int result = pthread_barrier_wait(&barrier);", "int result = 0;"),
        ("rwlocks", "pthread_rwlock_wrlock(&lock);\n  a++;", "pthread_rwlock_rdlock(&lock);\n  a++;"),
        ("mutex_kinds", "pthread_mutex_lock(&plain);\n  x++;", "x++;"),
        ("mutex_kinds", "PTHREAD_MUTEX_RECURSIVE);", "PTHREAD_MUTEX_ERRORCHECK);"),
        ("once_and_keys", "pthread_once(&once, make);\n  assert(made", "make();\n  assert(made"),
        ("once_and_keys", "assert(pthread_getspecific(key) == &value);", "assert(pthread_getspecific(key) == 0);"),
        ("c11", "result == 7", "result == 8"),
        ("c11", "while (!ready) cnd_wait(&condition, &mutex);\n  mtx_unlock(&mutex);", "assert(ready);"),
        ("atomics", "_Atomic int operators", "int operators"),
        ("atomics", "atomic_fetch_add(&functions, 3);", "functions = functions + 3;"),
        ("atomics", "__sync_fetch_and_add(&builtins, 1);", "builtins++;"),
        ("atomics", "slots[filled++] = 1;", "slots[filled] = 1; filled++;"),
        (
            "atomics",
            "if (__sync_bool_compare_and_swap(&exchanged, 0, 1)) guarded++;",
            "if (!exchanged) exchanged = 1, guarded++;",
        ),
        ("thread_local", "_Thread_local int own = 3;", "int own = 3;"),
        ("thread_local", "static _Thread_local int calls;", "static int calls;"),
        ("own_objects", "_Thread_local int own = 7;", "int own = 7;"),
        ("own_objects", "static __thread int list[2];", "static int list[2];"),
        ("own_objects", "errno == EAGAIN", "errno == EINTR"),
        ("destructors", "pthread_key_create(&counted, count);", "pthread_key_create(&counted, 0);"),
        ("destructors", "pthread_key_delete(deleted);", ""),
        ("spins_and_attributes", "pthread_spin_lock(&lock);\n  x++;", "x++;"),
    ],
)
def test_bugs_are_found(file: str, before: str, after: str) -> None:
    text = (PROGRAMS / f"{file}.c").read_text(encoding="utf-8")
    assert before in text
    assert verdict(text.replace(before, after, 1)) is Verdict.BUG


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # A thread that has a mutex of the plain kind and waits for it is blocked for ever.
        ("pthread_mutex_lock(&m); pthread_mutex_lock(&m); assert(0);", Verdict.BOUNDED),
        ("pthread_mutex_lock(&m); int r = pthread_mutex_timedlock(&m, &t); assert(r == 110);", Verdict.BOUNDED),
        ("int r = pthread_mutex_timedlock(&m, &t); assert(r == 0);", Verdict.BUG),
        ("pthread_mutex_lock(&m); int r = pthread_cond_timedwait(&c, &m, &t); assert(r == 110);", Verdict.BUG),
        ("pthread_mutex_lock(&m); int r = pthread_cond_timedwait(&c, &m, &t); assert(r == 0);", Verdict.BUG),
        ("pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); assert(x == 1);", Verdict.BOUNDED),
    ],
)
def test_waiting(body: str, expected: Verdict) -> None:
    head = "#include <pthread.h>\n#include <assert.h>\n#include <time.h>\nint x; struct timespec t;"
    head += "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;"
    head += "void *f(void *p) { pthread_mutex_lock(&m); x = 1; pthread_cond_signal(&c);"
    head += "pthread_mutex_unlock(&m); return 0; }"
    text = head + "int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); %s return 0; }"
    assert verdict(text % body, contexts=3) is expected


def test_sections_nest() -> None:
    text = """
        #include <pthread.h>
        #include <assert.h>
        void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
        pthread_mutex_t m; int x;
        void __VERIFIER_atomic_add(void) { x++; }
        void *f(void *p) { __VERIFIER_atomic_begin(); int old = x; %s; x = old + 1; __VERIFIER_atomic_end(); return 0; }
        int main(void) {
          pthread_t a, b;
          pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0); pthread_join(a, 0); pthread_join(b, 0);
          assert(x == 2);
        }"""
    assert verdict(text % "pthread_mutex_lock(&m); pthread_mutex_unlock(&m)") is Verdict.BOUNDED
    assert verdict(text % "__VERIFIER_atomic_add(); old = x - 1") is Verdict.BOUNDED
    assert verdict(text % "__VERIFIER_atomic_end(); __VERIFIER_atomic_begin()") is Verdict.BUG


@pytest.mark.parametrize("stores", ["memcpy(s, ones, sizeof s);", "memset(s, 1, sizeof s);"])
def test_what_is_copied_or_filled_is_not_one_step(stores: str) -> None:
    text = """
        #include <pthread.h>
        #include <assert.h>
        #include <string.h>
        pthread_mutex_t m; int s[2], ones[2] = {1, 1};
        void *f(void *p) { %s return 0; }
        int main(void) {
          pthread_t a;
          pthread_create(&a, 0, f, 0);
          pthread_mutex_lock(&m); int first = s[0], second = s[1]; pthread_mutex_unlock(&m);
          assert(first == second);
        }"""
    assert verdict(text % stores) is Verdict.BUG
    assert verdict(text % f"pthread_mutex_lock(&m); {stores} pthread_mutex_unlock(&m);") is Verdict.BOUNDED


def test_objects_of_a_thread_end_with_it() -> None:
    text = """
        #include <pthread.h>
        _Thread_local int own; int *kept, x;
        void *f(void *p) { kept = &own; return 0; }
        int main(void) { pthread_t a; kept = &own; pthread_create(&a, 0, f, 0); pthread_join(a, 0); %s return 0; }"""
    assert verdict(text % "x = *kept;", checks=("pointer",)) is Verdict.BUG
    assert verdict(text % "x = own;", checks=("pointer",)) is Verdict.BOUNDED


@pytest.mark.parametrize("call", ["pthread_cancel(a);", "pthread_getcpuclockid(a, 0);"])
def test_what_has_no_model_is_refused(call: str) -> None:
    text = "#include <pthread.h>\n#include <stdlib.h>\nint pthread_getcpuclockid(pthread_t, int *);"
    text += "void *f(void *p) { return 0; } int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); " + call + " }"
    with pytest.raises(InputError, match="not supported"):
        verdict(text)
