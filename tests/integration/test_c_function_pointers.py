"""Calls of functions through pointers to, or declarations of, functions of other types: what compilers do, or a bug."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import paddock
from paddock import Options, Verdict
from paddock.driver.pipeline import check_files

HEAD = "#include <assert.h>\n#include <stdint.h>\n#include <stdlib.h>\nint g;\n"

# What compilers agree on. Each program leaves 1 in g.
DEFINED_BY_COMPILERS = {
    "more arguments": "int cb(int x) { g = x; return 2; } void run(void) { ((void (*)(int, int))cb)(1, 2); }",
    "no result": "void cb(int x) { g = x; } void run(void) { ((int (*)(int))cb)(1); }",
    "dropped result": "double cb(int x) { g = x; return 2; } void run(void) { ((void (*)(int))cb)(1); }",
    "signs": "int cb(unsigned x) { g = x > 5; return 2; } void run(void) { ((int (*)(int))cb)(-1); }",
    "pointer as integer": "int cb(int *p) { *p = 1; return 2; } void run(void) { ((int (*)(long))cb)((long)&g); }",
    "integer as pointer": "void cb(long p) { *(int *)p = 1; } void run(void) { ((void (*)(int *))cb)(&g); }",
    "pointer result": "long cb(void) { return (long)&g; } void run(void) { *((int *(*)(void))cb)() = 1; }",
    "integer result": "int *cb(void) { return &g; } void run(void) { *(int *)((long (*)(void))cb)() = 1; }",
    "low bits": "void cb(char c) { g = c; } void run(void) { ((void (*)(int))cb)(257); }",
    "no prototype": "void cb(int x, int y) { g = x + y; } void run(void) { ((void (*)())cb)(3, -2); }",
    "more without prototype": "void cb(int x) { g = x; } void run(void) { ((void (*)())cb)(1, 2, 3); }",
    "variadic function": "int cb(int x, ...) { g = x; return 2; } void run(void) { ((int (*)(int, int))cb)(1, 2); }",
    "variadic pointer": "int cb(int x, int y) { g = y; return 2; } void run(void) { ((int (*)(int, ...))cb)(3, 1); }",
    "old style": """void cb(c, f) char c; float f; { g = c + (f == 0.5f); }
      void run(void) { ((void (*)())cb)(256, 0.5f); }""",
    "through void *": """int cb(int x) { g = x; return 2; }
      void run(void) { void *p = cb; ((void (*)(int, int))p)(1, 2); }""",
    "through an integer": """int cb(int x) { g = x; return 2; }
      void run(void) { uintptr_t p = (uintptr_t)cb; ((void (*)(int, int))p)(1, 2); }""",
    "in a struct": """struct s { void (*f)(int, int); }; int cb(int x) { g = x; return 2; }
      void run(void) { struct s v = {(void (*)(int, int))cb}; v.f(1, 2); }""",
    "in an array": """typedef void (*F)(int, int); int cb(int x) { g = x; return 2; } void no(int x, int y) { g = 7; }
      F table[2] = {no, (F)cb}; void run(void) { table[1](1, 2); }""",
    "comparison": """int cb(int *a, int *b) { return *a - *b; }
      void run(void) { int t[2] = {2, 1}; g = ((int (*)(const void *, const void *))cb)(t, t + 1); }""",
    "library": "void run(void) { int *p = malloc(4); ((void (*)(void *, int))free)(p, 1); g = 1; }",
}
# Of which nothing is known.
UNDEFINED = {
    "fewer arguments": "int cb(int x, int y) { g = x; return y; } void run(void) { ((int (*)(int))cb)(1); }",
    "fewer without prototype": "void cb(int x, int y) { g = x; } void run(void) { ((void (*)())cb)(1); }",
    "integer as float": "void cb(double x) { g = 1; } void run(void) { ((void (*)(int))cb)(1); }",
    "promoted float": "void cb(float x) { g = 1; } void run(void) { ((void (*)())cb)(1.0f); }",
    "float result": "double cb(int x) { g = 1; return 2; } void run(void) { ((int (*)(int))cb)(1); }",
    "struct": "struct s { int a, b; }; void cb(struct s v) { g = 1; } void run(void) { ((void (*)(long))cb)(5); }",
    "struct result": """struct s { int a[9]; }; struct s cb(void) { struct s v; g = 1; return v; }
      void run(void) { ((void (*)(void))cb)(); }""",
    "high bits": "void cb(long x) { g = x == 1; } void run(void) { ((void (*)(int))cb)(1); }",
    "truth": "_Bool truth(void) { g = 1; return 1; } void run(void) { ((int (*)(void))truth)(); }",
    "library": "void run(void) { ((void *(*)(void))malloc)(); g = 1; }",
}


def checked(folder: Path, *texts: str, **options: object) -> paddock.Result:
    paths = []
    for n, text in enumerate(texts):
        (folder / f"p{n}.c").write_text(text)
        paths.append(str(folder / f"p{n}.c"))
    return check_files(paths, Options.of(**options))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", DEFINED_BY_COMPILERS)
def test_what_compilers_agree_on(name: str, tmp_path: Path) -> None:
    text = HEAD + DEFINED_BY_COMPILERS[name]
    right, wrong = (f"{text}\nint main(void) {{ run(); assert(g {op} 1); return 0; }}\n" for op in ("==", "!="))
    assert checked(tmp_path, right).verdict is Verdict.PROVED
    assert checked(tmp_path, wrong).verdict is Verdict.BUG
    gcc = shutil.which("gcc")
    if gcc is not None:
        (tmp_path / "p.c").write_text(right)
        subprocess.run([gcc, "-w", str(tmp_path / "p.c"), "-o", str(tmp_path / "p")], check=True)
        assert subprocess.run([str(tmp_path / "p")], check=False).returncode == 0


@pytest.mark.parametrize("checks", [("assert",), ("unreach",), ("bounds",), ("pointer",)], ids=str)
def test_a_call_that_fits_nothing_is_a_bug_whatever_is_asked_for(checks: tuple[str, ...], tmp_path: Path) -> None:
    for name, text in UNDEFINED.items():
        result = checked(tmp_path, f"{HEAD}{text}\nint main(void) {{ run(); return 0; }}\n", checks=checks)
        assert result.verdict is Verdict.BUG, name
        assert result.trace[-1].text.startswith("pointer check fails"), name


def test_checks_of_pointers_blame_what_compilers_agree_on(tmp_path: Path) -> None:
    text = HEAD + DEFINED_BY_COMPILERS["more arguments"] + "\nint main(void) { run(); return 0; }\n"
    assert checked(tmp_path, text, checks=("pointer",)).verdict is Verdict.BUG


def test_a_pointer_that_may_be_of_another_type_is_only_blamed_where_it_is_called(tmp_path: Path) -> None:
    text = """
    void good(int x) { g = x; } void bad(double x) { g = 7; }
    int main(void) {
      void (*f)(int) = __VERIFIER_nondet_int() ? good : (void (*)(int))bad;
      if (f == good) f(1); else g = 1;
      assert(g == 1);
      return 0;
    }
    """
    assert checked(tmp_path, HEAD + "int __VERIFIER_nondet_int(void);" + text).verdict is Verdict.PROVED


def test_a_call_through_a_null_pointer_ends_the_program(tmp_path: Path) -> None:
    result = checked(tmp_path, HEAD + "int main(void) { void (*f)(void) = 0; f(); assert(0); return 0; }")
    assert result.verdict is Verdict.PROVED
    assert "it is not known what f() calls" in result.warnings[0]


def test_a_function_that_is_declared_with_another_type_in_another_file(tmp_path: Path) -> None:
    main = "#include <assert.h>\nint f({}); int main(void) {{ int r = f({}); assert(r == 2); return 0; }}"
    defined = "int f(int x) { return x; }"
    assert checked(tmp_path, main.format("double", "2.0"), defined).verdict is Verdict.BUG
    assert checked(tmp_path, main.format("int, int", "2, 3"), defined).verdict is Verdict.PROVED
    assert checked(tmp_path, main.format("void", ""), defined).verdict is Verdict.BUG
