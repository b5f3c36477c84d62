"""C programs with POSIX threads: what they may do within a few contexts, and what is refused."""

from __future__ import annotations

import pytest

from paddock.driver.loading import load
from paddock.driver.pipeline import check
from paddock.frontends.source import Source
from paddock.ir.origin import InputError
from paddock.options import Options
from paddock.report.result import Result, Verdict

HEAD = """
typedef unsigned long pthread_t;
typedef struct { int state[10]; } pthread_mutex_t;
typedef struct { int state[12]; } pthread_cond_t;
typedef struct { int state[9]; } pthread_attr_t;
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void pthread_exit(void *);
pthread_t pthread_self(void);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_signal(pthread_cond_t *);
int pthread_cond_broadcast(pthread_cond_t *);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void *malloc(unsigned long);
void assert(int);
int x, y;
pthread_mutex_t m;
pthread_cond_t c;
"""


def checked(text: str, **options: object) -> Result:
    named = Options.of(**options)
    return check(load([Source(HEAD + text, "t.c")], (), named), named)


def verdict(text: str, **options: object) -> Verdict:
    return checked(text, **options).verdict


TWO = "int main(void) {{ pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, {second}, 0); {rest} }}"
BOTH = "pthread_join(a, 0); pthread_join(b, 0);"


def two(rest: str, second: str = "f") -> str:
    return TWO.format(second=second, rest=rest)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x++;", Verdict.BUG),  # a load and a store
        ("x = x + 1;", Verdict.BUG),
        ("pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);", Verdict.BOUNDED),
        ("__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();", Verdict.BOUNDED),
        ("if (pthread_mutex_trylock(&m) == 0) { x++; pthread_mutex_unlock(&m); } else return f(p);", Verdict.BOUNDED),
    ],
)
def test_two_threads_that_count(body: str, expected: Verdict) -> None:
    text = "void *f(void *p) { " + body + " return 0; } " + two(BOTH + " assert(x == 2);")
    assert verdict(text, recursion_bound=3) is expected


def test_a_function_that_is_one_step() -> None:
    text = "void __VERIFIER_atomic_add(void) { x++; } void *f(void *p) { __VERIFIER_atomic_add(); return 0; } "
    assert verdict(text + two(BOTH + " assert(x == 2);")) is Verdict.BOUNDED
    assert verdict(text.replace("_atomic_", "_some_") + two(BOTH + " assert(x == 2);")) is Verdict.BUG


def test_each_load_is_a_step() -> None:
    text = "void *f(void *p) { x = 1; y = 1; return 0; } "
    create = "int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); "
    assert verdict(text + create + "int seen = y - x; assert(seen != 1); }") is Verdict.BOUNDED
    assert verdict(text + create + "int seen = x + 2 * y; assert(seen != 2); }") is Verdict.BUG  # x before, y after


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("int seen = x + x; assert(seen != 1);", Verdict.BUG),  # two loads of one place
        ("assert(x == x);", Verdict.BUG),
        ("assert(x ? x : 1);", Verdict.BOUNDED),  # it only grows
        ("assert(!x || !x);", Verdict.BUG),
        ("assert(x || !x);", Verdict.BUG),  # zero first, and not afterwards
        ("int seen = x; assert(seen == seen && seen + seen != 1);", Verdict.BOUNDED),  # one load, used often
        ("char seen = x; assert(seen * seen == seen);", Verdict.BOUNDED),
        ("int *p = &x; int seen = *p - *p; assert(seen == 0);", Verdict.BUG),
    ],
)
def test_loads_of_one_place_are_several(body: str, expected: Verdict) -> None:
    text = "void *f(void *p) { x = 1; return 0; } int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); "
    assert verdict(text + body + " }") is expected


def test_results_and_arguments() -> None:
    text = """
    void *f(void *p) { int *q = p; *q += 1; if (*q > 5) pthread_exit(q + 1); return q; }
    int main(void) {
      pthread_t a, b; int one = 1, nine[2] = {9, 7}; void *r, *s;
      pthread_create(&a, 0, f, &one); pthread_create(&b, 0, f, nine);
      pthread_join(a, &r); pthread_join(b, &s);
      assert(r == &one && *(int *)r == 2);
      assert(*(int *)s == %d);
    }
    """
    assert verdict(text % 7) is Verdict.BOUNDED
    assert verdict(text % 8) is Verdict.BUG


def test_each_thread_has_its_own_locals_and_memory() -> None:
    text = """
    void *f(void *p) {
      int own = (long)p, *heap = malloc(sizeof(int)), *q = &own;
      *heap = *q;
      x = 1;
      assert(*q == (long)p && *heap == (long)p);
      return 0;
    }
    int main(void) { pthread_t a, b; pthread_create(&a, 0, f, (void *)1); pthread_create(&b, 0, f, (void *)2); }
    """
    assert verdict(text) is Verdict.BOUNDED
    assert verdict(text.replace("int own", "static int own; own").replace(", *heap", "; int *heap")) is Verdict.BUG


def test_numbers_of_threads() -> None:
    text = """
    pthread_t inside;
    void *f(void *p) { inside = pthread_self(); return 0; }
    int main(void) {
      pthread_t a, me = pthread_self();
      pthread_create(&a, 0, f, 0); pthread_join(a, 0);
      assert(a == inside && a != me);
    }
    """
    assert verdict(text) is Verdict.BOUNDED


@pytest.mark.slow
@pytest.mark.parametrize(("loop", "expected"), [("while", Verdict.BOUNDED), ("if", Verdict.BUG)])
def test_condition_variables(loop: str, expected: Verdict) -> None:
    """One that was woken must look again: another may have taken what was there."""
    text = f"""
    void *f(void *p) {{
      pthread_mutex_lock(&m);
      {loop} (x == 0) pthread_cond_wait(&c, &m);
      x--;
      assert(x >= 0);
      pthread_mutex_unlock(&m);
      return 0;
    }}
    void *g(void *p) {{
      pthread_mutex_lock(&m); x++; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return 0;
    }}
    int main(void) {{
      pthread_t a, b, d;
      pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); pthread_create(&d, 0, f, 0);
    }}
    """
    assert verdict(text, unwind=2) is expected


def test_a_thread_that_is_joined_has_ended() -> None:
    text = "void *f(void *p) { x = 1; x = 2; return 0; } "
    create = "int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); %s assert(x == 2); }"
    assert verdict(text + create % "pthread_join(a, 0);") is Verdict.BOUNDED
    assert verdict(text + create % "") is Verdict.BUG


def test_the_trace_shows_who_does_what() -> None:
    line = HEAD.count("\n") + 2
    text = "void *f(void *p) {\n x++;\n return 0; }\n" + two(BOTH + " assert(x == 2);")
    steps = checked(text).trace
    assert {s.thread for s in steps} == {0, 1, 2}
    assert [s.context for s in steps] == sorted(s.context for s in steps)
    stored = [s.values["x"].text for s in steps if s.line == line]
    assert stored[-1] == "1"  # the other one's update is lost
    assert not any(s.file.startswith("<models>") for s in steps)
    assert steps[-1].values["x"].text == "1"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("void *f(void *p) { __atomic_store_n(&x, 1, __ATOMIC_RELAXED); return 0; }", "__ATOMIC_RELAXED"),
        ("int sem_open(int *); void *f(void *p) { sem_open(&x); return 0; }", "sem_open"),
        ("int pthread_cancel(int *); void *f(void *p) { pthread_cancel(&x); return 0; }", "pthread_cancel"),
    ],
)
def test_what_is_not_supported_is_refused_by_name(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        checked(text + two(""))


def test_without_threads_nothing_changes() -> None:
    text = "int main(void) { __VERIFIER_atomic_begin(); x = 1; __VERIFIER_atomic_end(); "
    text += "pthread_mutex_lock(&m); x = 2; pthread_mutex_unlock(&m); assert(x == 2); }"
    assert verdict(text) is Verdict.PROVED
