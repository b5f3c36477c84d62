"""What is wrong with C files: clang's messages with their places, and hints."""

from __future__ import annotations

import gc
import json
import os
import signal
import threading
from pathlib import Path

import pytest

from paddock.frontends.c import flags as flags_module
from paddock.frontends.c.clang.parse import parse
from paddock.frontends.c.flags import HEADERS, Flags, read_compile_commands
from paddock.frontends.c.types import DATA_MODELS, DataModel
from paddock.ir.origin import InputError
from tests.unit.frontends.c.reading import error, read, sketch_statement


def test_a_syntax_error() -> None:
    assert (
        error("int f(void) {\n\treturn 1 +;\n}")
        == "1.c:2:12: error: expected expression\n  \treturn 1 +;\n  \t          ^"
    )


def test_all_errors_of_all_files() -> None:
    with pytest.raises(InputError) as caught:
        read("int f(void) { return x; }\nint g(void) { return y; }", "int h(void) { return z; }")
    assert [str(d.origin) for d in caught.value.diagnostics] == ["1.c:1:22", "1.c:2:22", "2.c:1:22"]


def test_at_most_so_many_errors() -> None:
    with pytest.raises(InputError) as caught:
        read("\n".join(f"int f{n}(void) {{ return x{n}; }}" for n in range(50)))
    assert len(caught.value.diagnostics) <= 20


def test_a_missing_header_says_which_and_what_to_do() -> None:
    assert error('#include "nowhere.h"\nint x;') == (
        "1.c:1:10: error: 'nowhere.h' file not found\n"
        '  #include "nowhere.h"\n'
        "           ^\n"
        "  pass -I FOLDER, where FOLDER/nowhere.h is"
    )


def test_what_older_compilers_let_pass() -> None:
    read("int *f(int x) { return x; } main() { g(1); return f(2) == 3; } int (*p)(char) = f; int h() { }")


def test_attributes_of_newer_compilers_are_left_out() -> None:
    text = "void *f(long) __attribute__((__malloc__(g, 1))) __attribute__((malloc (g))); int x = ;"
    assert error(text).startswith(f"1.c:1:{text.index(';', text.index('x =')) + 1}: error: expected expression")


def test_what_gcc_has_preprocessed() -> None:
    types = "extern _Float128 f(_Float64x, _Float32);"
    text = f'# 1 "a.c"\n# 1 "<built-in>"\n{types}\nint linux = 1, unix = 2;\nint g(void) {{ return x; }}'
    with pytest.raises(InputError) as caught:
        parse([("a.i", text)], Flags())
    assert [str(d.origin) for d in caught.value.diagnostics] == ["a.i:5:22"]  # where it is, not where it came from
    parse([("a.i", text.replace("x;", "linux + unix;"))], Flags())


def test_a_bracket_too_many() -> None:
    assert "bracket nesting level exceeded" in error("int x = " + "(" * 30_000 + "1" + ")" * 30_000 + ";")


def test_an_unknown_standard() -> None:
    assert error("int x;", standard="c3000").startswith("error: --tune std=c3000 is unknown: choose from gnu89, ")


def test_folders_definitions_and_files_to_include(tmp_path: Path) -> None:
    (tmp_path / "first.h").write_text("#define FIRST 1\n")
    (tmp_path / "second.h").write_text("int second(void) { return FIRST + N + M; }\n")
    unit = read(
        '#include "second.h"\n',
        include_folders=(str(tmp_path),),
        definitions=("N=40", "M"),
        included_files=("first.h",),
    )
    (function,) = unit.functions
    assert function.origin.file == str(tmp_path / "second.h")
    assert function.body is not None
    assert sketch_statement(function.body.statements[0]) == "Return ((1 + 40) + 1);"


def test_the_standard() -> None:
    text = "int f(void) { return asm; }"
    assert "expected expression" in error(text)
    assert "undeclared identifier 'asm'" in error(text, standard="c11")


def test_a_compilation_database(tmp_path: Path) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "a.h").write_text("#define A 1\n")
    file = tmp_path / "a.c"
    file.write_text('#include "a.h"\nint f(void) { return A + B + C; }\n')
    database = tmp_path / "compile_commands.json"
    entry = {"directory": str(tmp_path), "file": "a.c"}
    database.write_text(
        json.dumps([{**entry, "command": "cc -c -O2 -Iinclude -DB=2 -D C='1 + 1' -std=c99 a.c -o a.o"}])
    )
    flags = Flags(compile_commands=str(database))
    assert [f.name for f in parse([(str(file), file.read_text())], flags).functions] == ["f"]
    database.write_text(json.dumps([{**entry, "arguments": ["cc", "-I", "include", "-DB", "-DC", "a.c"]}]))
    assert read_compile_commands(str(database)) == {
        str(file.resolve()): ("-I", str(tmp_path / "include"), "-D", "B", "-D", "C")
    }
    with pytest.raises(InputError, match="file not found"):
        parse([(str(file), file.read_text())], Flags())


@pytest.mark.parametrize(
    "text", ["", "[1]", "{}x", '[{"directory": "/"}]', '[{"file": 1, "directory": "/", "command": ""}]']
)
def test_a_bad_compilation_database(tmp_path: Path, text: str) -> None:
    database = tmp_path / "compile_commands.json"
    database.write_text(text)
    with pytest.raises(InputError, match=r"compile_commands.json: error: not a compilation database"):
        read_compile_commands(str(database))


def test_a_missing_compilation_database() -> None:
    with pytest.raises(InputError, match=r"nowhere\.json: error: cannot read the file"):
        read("int x;", compile_commands="nowhere.json")


OWN_HEADERS = sorted(
    str(path.relative_to(folder))
    for folder in (HEADERS / "compiler", HEADERS / "library")
    for path in folder.rglob("*.h")
)


@pytest.mark.parametrize("own", [True, False], ids=["own", "system"])
@pytest.mark.parametrize("model", DATA_MODELS.values(), ids=lambda m: m.name)
def test_headers_stand_alone_and_together(model: DataModel, own: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own headers, and the system's where it has some, are complete and agree with each other."""
    if own:
        monkeypatch.setattr(flags_module, "SYSTEM_FOLDERS", ())
    headers = [h for h in OWN_HEADERS if "iso646" not in h]
    together = "".join(f"#include <{header}>\n" for header in headers)
    texts = [f"#include <{h}>\n" for h in headers] if own else []
    read(*texts, together * 2, model=model)


def test_our_own_headers_are_used_where_there_are_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flags_module, "SYSTEM_FOLDERS", ())
    unit = read(
        """
        #include <assert.h>
        #include <limits.h>
        #include <stdint.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        int main(void) {
          uint8_t *p = malloc(INT_MAX); assert(p != NULL); memset(p, 0, sizeof(int64_t)); printf("%d", *p); free(p);
          return EXIT_SUCCESS;
        }"""
    )
    assert [f.name for f in unit.functions] == ["main", "malloc", "__assert_fail", "memset", "printf", "free"]
    assert unit.functions[2].no_return


def test_functions_of_the_library_are_no_macros() -> None:
    unit = read("#include <ctype.h>\nint f(int c) { return isdigit(c) + toupper(c); }")
    assert [f.name for f in unit.functions] == ["f", "isdigit", "toupper"]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no alarms")
def test_an_interruption_waits_for_clang() -> None:
    class Alarm(Exception):
        pass

    def ring(*_: object) -> None:
        raise Alarm

    text = "int x; int f(void) { " + " else ".join(f"if (x == {n}) x = {n};" for n in range(4000)) + " return 0; }"
    others = set(threading.enumerate())
    before = signal.signal(signal.SIGALRM, ring)
    gc.disable()  # an alarm that rings in somebody's callback of the collector is lost
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(Alarm):
            read(text, text, text)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        gc.enable()
    for thread in set(threading.enumerate()) - others:
        thread.join(600)
        assert not thread.is_alive()
    assert [f.name for f in read("int f(void) { return 1; }").functions] == ["f"]


def test_an_assertion_keeps_its_text() -> None:
    for own in (
        "#include <assert.h>\n",
        "void __assert_fail();\n#define assert(c) ((c) ? (void)0 : __assert_fail(#c))\n",
    ):
        unit = read(f"{own}void f(int x) {{ assert(x > 0); }}")
        (function,) = (f for f in unit.functions if f.name == "f")
        assert function.body is not None
        assert r"__assert_fail('x > 0\x00'&" in " ".join(map(sketch_statement, function.body.statements))


def test_nothing_of_the_environment_is_changed() -> None:
    before, stack, threads = dict(os.environ), threading.stack_size(), threading.active_count()
    read("int x;")
    error("int x")
    assert (dict(os.environ), threading.stack_size(), threading.active_count()) == (before, stack, threads)
