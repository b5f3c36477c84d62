"""Several files are one program: functions, objects and types are linked by name."""

from __future__ import annotations

import pytest

from paddock.frontends.c import tree as t
from paddock.frontends.c.clang.parse import parse
from paddock.frontends.c.flags import Flags
from paddock.frontends.c.types import ArrayType
from paddock.frontends.c.walk import nodes_in
from tests.unit.frontends.c.reading import error, read, sketch, sketch_statement


def sketched(unit: t.Unit, name: str) -> str:
    function = unit.function(name)
    assert function is not None and function.body is not None
    return " ".join(map(sketch_statement, function.body.statements))


def test_a_use_finds_the_definition_in_another_file() -> None:
    unit = read(
        "extern int g; extern int table[]; int f(); int main(void) { return f(1, 2) + g + sizeof(int) + table[0]; }",
        "int g = 3; int table[5]; long f(char c, double d) { return c + d; }",
    )
    assert "f(1, 2) + [g]" in sketched(unit, "main")  # as it is declared here
    objects = {g.variable.name: (sketch(g.initialiser) if g.initialiser else None, g.external) for g in unit.globals}
    assert objects == {"g": ("3", False), "table": (None, False)}
    uses = [n.variable for f in unit.functions if f.body for n in nodes_in(f.body) if isinstance(n, t.VariableUse)]
    assert {id(v) for v in uses if v.storage is t.Storage.GLOBAL} == {id(g.variable) for g in unit.globals}
    (table,) = (g.variable for g in unit.globals if g.variable.name == "table")
    assert isinstance(table.type, ArrayType) and table.type.length == 5


def test_static_names_belong_to_their_files() -> None:
    unit = read(
        "static int n = 1; static int f(void) { return n; } int a(void) { return f(); }",
        "static int n = 2; static int f(void) { return n; } int b(void) { return f(); }",
    )
    assert [(f.name, f.written_name, f.static) for f in unit.functions] == [
        ("f", "f", True),
        ("a", "a", False),
        ("f$1", "f", True),
        ("b", "b", False),
    ]
    assert sketched(unit, "a") == "Return f();" and sketched(unit, "b") == "Return f$1();"
    assert sketched(unit, "f") == "Return [n];" and sketched(unit, "f$1") == "Return [n$1];"
    assert [sketch(g.initialiser) for g in unit.globals if g.initialiser] == ["1", "2"]


def test_what_is_defined_nowhere() -> None:
    unit = read("extern int e; int unused(void); extern int other; int f(void) { return e + g(1); }")
    assert [(f.name, f.body is None) for f in unit.functions] == [("f", False), ("g", True)]
    assert [(g.variable.name, g.external) for g in unit.globals] == [("e", True)]


def test_definitions_without_a_value_may_be_repeated() -> None:
    unit = read("int n; int n; static int s; static int s = 4;", "int n = 3; int s;")
    assert [(g.variable.unique, sketch(g.initialiser) if g.initialiser else None) for g in unit.globals] == [
        ("s", "4"),
        ("n", "3"),
        ("s$1", None),
    ]


@pytest.mark.parametrize(
    ("files", "is_const"),
    [
        (("extern const int g; int f(void) { return g; }", "int g;"), False),
        (("int g;", "extern const int g; int f(void) { return g; }"), False),
        (("extern const int g; int f(void) { return g; }", "int g = 1;"), False),
        (("const int g = 1;", "extern int g; int f(void) { return g; }"), True),
        (("extern const int g; int f(void) { return g; }", "const int g;"), True),
        (("typedef const int row[2]; row g[3]; int f(void) { return g[0][0]; }",), True),
        (("typedef int row[2]; volatile const row g[3]; int f(void) { return g[0][0]; }",), True),
        (("const int *g; int f(void) { return *g; }",), False),
    ],
)
def test_what_is_const_is_so_by_its_definition(files: tuple[str, ...], *, is_const: bool) -> None:
    assert [declared.variable.const for declared in read(*files).globals] == [is_const]


def test_what_is_defined_twice() -> None:
    assert error("int f(void) { return 1; }", "\nint f(void) { return 2; }") == (
        "2.c:2:5: error: 'f' is defined twice\n  the other definition: 1.c:1:5"
    )
    assert error("int n = 1;", "int n = 2;").startswith("2.c:1:5: error: 'n' is defined twice")
    header = "inline int f(void) { return 1; }\n"
    assert [f.name for f in read(header, header).functions] == ["f"]


def test_structs_are_the_same_in_all_files_that_define_them_alike() -> None:
    text = "struct s { int x; struct s *next; struct opaque *o; };"
    unit = read(
        f"{text} struct s a;",
        f"{text} struct opaque {{ int y; }}; struct s b; int f(void) {{ return b.o->y; }}",
        "struct s { char c; }; struct s c;",
    )
    types = {g.variable.name: g.variable.type for g in unit.globals}
    assert types["a"] is types["b"] and types["a"] is not types["c"]
    assert sorted(unit.records) == ["opaque", "s", "s$1"]


def test_names_of_locals_differ_from_all_global_names() -> None:
    unit = read(
        "int f(void) { int later = 1, g = 2, declared = 3; return later + g + declared; }",
        "int later; int g(void) {return 0;}",
    )
    f = unit.function("f")
    assert f is not None and f.body is not None
    names = [s.variable.unique for s in f.body.statements if isinstance(s, t.Declare)]
    assert names == ["later$1", "g$1", "declared"]


def test_a_global_that_appears_late_is_not_mistaken_for_a_local() -> None:
    unit = read("int f(void) { int e = 1; return e; } int g(void) { extern int e; return e; }")
    f, g = unit.functions
    assert f.body is not None and g.body is not None
    assert sketched(unit, "f") == "int e = 1; Return [e];"
    assert sketched(unit, "g") == "Return [e$1];"
    assert [v.variable.name for v in unit.globals] == ["e"]


def test_models_take_the_place_of_what_is_not_defined() -> None:
    models = [
        (
            "models.c",
            "static int one(void) { return 1; } int a(void) { return one(); } int b(void) { return 2; } int c;",
        )
    ]
    program = "int a(void); int b(void) { return 3; } int main(void) { return a() + b(); }"
    unit = parse([("1.c", program)], Flags(definitions=("a=a",)), lambda wanted: models if "a" in wanted else ())
    assert {f.name: f.origin.file for f in unit.functions} == {
        "a": "models.c",
        "b": "1.c",
        "main": "1.c",
        "one": "models.c",
    }
    assert all(f.body for f in unit.functions)


def test_order_is_that_of_the_text() -> None:
    unit = read(
        "int z, a; int y(void) { return 0; } int b(void) { return z; } struct q { int i; } q; struct c { int i; } c;"
    )
    assert [f.name for f in unit.functions] == ["y", "b"]
    assert [g.variable.name for g in unit.globals] == ["z", "a", "q", "c"]
    assert list(unit.records) == ["q", "c"]


def test_assembler_names_are_what_is_linked() -> None:
    unit = read(
        'int f(int) __asm__("g"); extern int v __asm__("w"); int main(void) { register int r __asm__("rbx") = v; '
        "return f(r); }",
        'int g(int x) { return x; } int w = 1; int h(int) __asm__("k"); int h(int x) { return g(x); }',
    )
    assert [f.name for f in unit.functions] == ["main", "g", "k"]
    assert all(f.body for f in unit.functions)
    assert [(g.variable.unique, g.external) for g in unit.globals] == [("w", False)]


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("sscanf", "__isoc99_sscanf"),
        ("strtol", "__isoc23_strtol"),
        ("fopen", "fopen64"),
        ("strerror_r", "__xpg_strerror_r"),
        ("readdir_r", "readdir64_r"),
        ("time", "__time64"),
    ],
)
def test_versions_of_a_library_function_are_that_function(name: str, label: str) -> None:
    unit = read(
        f"#define REDIRECT(name, proto, alias) name proto __asm__(#alias) __attribute__((nothrow))\n"
        f"extern int REDIRECT({name}, (int), {label}); int main(void) {{ return {name}(1); }}"
    )
    assert {f.name for f in unit.functions} == {name, "main"}


@pytest.mark.parametrize("where", ['int f(void) A(alias("g"));', 'int f(void) A(ifunc("g"));'])
def test_attributes_behind_macros_are_found(where: str) -> None:
    assert "of 'f' is not supported" in error(
        f"#define A(x) __attribute__((x))\nint g(void) {{ return 1; }} {where} int main(void) {{ f(); return 0; }}"
    )


def test_names_of_library_functions_are_free_where_no_header_declares_them() -> None:
    unit = read(
        "int index; static double y1 = 1; struct free { int x; } free; enum { abs = 3 }; typedef int exit;"
        "int round(int a, int b) { return a + b; }"
        "int main(void) { exit e = abs; index = free.x; return round(e, y1); }"
    )
    assert [f.name for f in unit.functions] == ["round", "main"]
    assert {g.variable.name for g in unit.globals} == {"index", "y1", "free"}
    assert "redefinition of 'index'" in error("char *index(const char *, int); int index;")
