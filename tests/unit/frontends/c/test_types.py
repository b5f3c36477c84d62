"""The types of C: names, sizes and alignments; and that clang's layouts are those of the data models."""

from __future__ import annotations

import pytest

from paddock.frontends.c import types as c
from paddock.frontends.c.types import ILP32, INT, LP64, ArrayType, DataModel, FunctionType, Layout, PointerType
from tests.unit.frontends.c.reading import read

SCALARS = (
    "_Bool char short int long long_long float double long_double void* enum_e unsigned_short unsigned_long __int128"
).split()


def test_equal_types_are_one_object() -> None:
    assert PointerType(ArrayType(INT, 3)) is PointerType(ArrayType(INT, 3))
    assert c.CHAR is not c.SIGNED_CHAR


@pytest.mark.parametrize(
    ("type_", "name"),
    [
        (PointerType(PointerType(c.CHAR)), "char **"),
        (ArrayType(PointerType(INT), 4), "int *[4]"),
        (PointerType(ArrayType(INT, None)), "int (*)[]"),
        (ArrayType(PointerType(ArrayType(INT, 3)), 4), "int (*[4])[3]"),
        (FunctionType(c.VOID, (), False, True), "void(void)"),
        (FunctionType(c.VOID, (), False, False), "void()"),
        (PointerType(FunctionType(PointerType(INT), (c.CHAR, INT), True, True)), "int *(*)(char, int, ...)"),
        (c.RecordType("s", union=True), "union s"),
    ],
)
def test_names(type_: c.CType, name: str) -> None:
    assert str(type_) == name


def test_the_name_of_a_deep_type() -> None:
    type_: c.CType = INT
    for _ in range(2000):
        type_ = PointerType(FunctionType(INT, (type_,), False, True))
    assert str(type_).count("int") == 2001


@pytest.mark.parametrize("model", [ILP32, LP64], ids=lambda m: m.name)
def test_layouts_are_those_of_clang(model: DataModel) -> None:
    """A struct of a char and a scalar shows clang's size and alignment of the scalar."""
    words = [s.replace("_", " ").strip() if not s.startswith("_") else s for s in SCALARS]
    if model is ILP32:
        words.remove("__int128")
    structs = "".join(f"struct s{n} {{ char c; {word} x; {word} y[3]; }} v{n};\n" for n, word in enumerate(words))
    unit = read("enum e { A };" + structs, model=model)
    layout = Layout(model, {})
    for n, word in enumerate(words):
        definition = unit.records[f"s{n}"]
        _, x, y = definition.fields
        assert x.offset == definition.alignment == layout.alignment(x.type) == layout.alignment(y.type), word
        assert y.offset - x.offset == layout.size(x.type), word
        assert layout.size(y.type) == 3 * layout.size(x.type), word


def test_bit_fields_and_anonymous_members() -> None:
    unit = read(
        """struct s { unsigned a : 3, : 2, b : 5; int : 0; union { int x; char y[8]; }; long long c : 40; char d; } v;
           struct __attribute__((packed)) p { char a; int b; } w;"""
    )
    fields = unit.records["s"].fields
    assert [(f.name, f.bit_offset, f.bit_width, f.index) for f in fields] == [
        ("a", 0, 3, 0),
        ("b", 5, 5, 1),
        ("", 32, None, 2),
        ("c", 128, 40, 3),
        ("d", 168, None, 4),
    ]
    inner = fields[2].type
    assert isinstance(inner, c.RecordType) and inner.union
    assert [f.name for f in unit.records[inner.key].fields] == ["x", "y"]
    assert [f.offset for f in unit.records["p"].fields] == [0, 1] and unit.records["p"].size == 5


def test_a_struct_that_points_to_itself_and_one_that_is_only_declared() -> None:
    unit = read("struct list { struct list *next; struct hidden *other; } *l;")
    (pointer,) = (g.variable.type for g in unit.globals)
    assert isinstance(pointer, PointerType) and isinstance(pointer.target, c.RecordType)
    definition = unit.layout.definition(pointer.target)
    assert definition is not None
    assert definition.field("next").type is pointer
    assert str(definition.field("other").type) == "struct hidden *"
    assert "hidden" not in unit.records
    with pytest.raises(ValueError, match="size of struct hidden"):
        unit.layout.size(c.RecordType("hidden", union=False))


def test_tags_of_inner_scopes_differ() -> None:
    unit = read("struct s { int x; }; struct s g; void f(void) { struct s { char y; } l; { struct s { long z; } m; } }")
    assert sorted(unit.records) == ["s", "s$1", "s$2"]
    assert [d.size for d in unit.records.values()] == [4, 1, 8]


def test_types_of_names_without_tags_have_the_name_of_their_typedef() -> None:
    unit = read("typedef struct { int x; } point; point p; struct { int y; } q;")
    assert sorted(unit.records) == ["anonymous", "point"]


def test_unsupported_types_are_named() -> None:
    unit = read("_Complex double z; typedef int v4 __attribute__((vector_size(16))); v4 v;")
    complex_, vector = (g.variable.type for g in unit.globals)
    assert complex_ == c.UnsupportedType("_Complex double", 16)
    assert isinstance(vector, c.UnsupportedType) and vector.size == 16
