"""How memory is split: which maps the lowering makes for a program, and of what they are."""

from __future__ import annotations

import pytest

from paddock.frontends.c.flags import Flags
from paddock.frontends.c.lowering.settings import Settings
from paddock.frontends.c.translate import load as load_c
from paddock.frontends.c.types import LP64
from paddock.ir.types import Map

STRUCTS = """
struct in { short a; short b; };
struct node { int v; struct node *next; struct in in; };
struct hdr { int type; };
struct msg { struct hdr h; int body; };
union word { int i; float f; unsigned char bytes[4]; };
void *malloc(unsigned long);
void *memset(void *, int, unsigned long);
"""


def maps(body: str, *checks: str) -> dict[str, str]:
    """The maps of memory, with the types of their values."""
    text = f"{STRUCTS}\nint main(void) {{ {body} return 0; }}"
    settings = Settings(checks=frozenset(checks))
    program = load_c([("program.c", text)], Flags(LP64), settings).program
    return {
        g.name.removeprefix("mem#"): str(g.var.type.range)
        for g in program.globals
        if g.name.startswith("mem#") and isinstance(g.var.type, Map)
    }


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # no address is taken
        ("int x = 1; struct node n; n.v = x; int a[3]; a[x] = 2;", {}),
        ("int x, *p = &x; *p = 1;", {"x": "bv32"}),
        ("float f, *p = &f; *p = 1;", {"f": "float24e8"}),
        # members have maps of their own
        ("struct node n, *p = &n; p->v = 1; p->next = p;", {"node.v": "bv32", "node.next": "bv64"}),
        ("struct node *p = malloc(sizeof *p); p->in.b = 1;", {"in.b": "bv16"}),
        # objects that no pointer reaches alike are apart, others are not
        ("int x, y, *p = &x, *q = &y; *p = 1; *q = 2;", {"x": "bv32", "y": "bv32"}),
        ("int x, y, *p = &x; *p = 1; p = &y; *p = 2;", {"x": "bv32"}),
        ("int x, y, *p = &x, *q = &y, **r = &p; r = &q; **r = 2;", {"p": "bv64", "x": "bv32"}),
        # values of one size share bits, others are bytes
        ("int x; float *p = (float *)&x; *p = 1; x = 2;", {"x": "bv32"}),
        ("int x; char *p = (char *)&x; *p = 1; x = 2;", {"x": "bv8"}),
        ("union word w, *p = &w; p->i = 1; p->f = 2;", {"w": "bv32"}),
        ("union word w, *p = &w; p->i = 1; p->bytes[1] = 2;", {"w": "bv8"}),
        # a pointer to the first member is one to the struct
        ("struct msg m; struct hdr *h = &m.h; h->type = 1; m.body = 2;", {"hdr.type": "bv32", "msg.body": "bv32"}),
    ],
)
def test_maps(body: str, expected: dict[str, str]) -> None:
    assert maps(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "struct msg m; struct hdr *h = &m.h; ((struct msg *)h)->body = 1; m.body = 2;",
        "struct node n; int *p = &n.v; ((struct node *)p)->in.a = 1; n.in.a = 2;",
        "struct node n; char *p = (char *)&n.next; p -= 8; *(int *)p = 1; n.v = 2;",
        "struct in i; int *p = (int *)&i.a; *p = 1; i.b = 2;",
        "struct in i; memset(&i.a, 0, 4); i.b = 2; i.a = 1;",
    ],
    ids=["outer struct", "first member", "bytes before", "larger scalar", "more bytes"],
)
def test_a_pointer_that_leaves_a_member_makes_a_struct_one_map(body: str) -> None:
    assert len(maps(body)) == 1


def test_pointers_that_go_as_numbers_reach_what_they_did() -> None:
    body = "int x; union { int *p; unsigned long n; } u, v; u.p = &x; v.n = u.n; *v.p = 1; x = 2;"
    assert len(maps(body)) == 1
    body = "int x, *p = &x, *q; char *a = (char *)&p, *b = (char *)&q; for (int i = 0; i < 8; i++) b[i] = a[i]; *q = 1;"
    assert "x" in maps(body) and "q.target" not in maps(body)
