"""Random C programs without inputs and without undefined behaviour, for comparison with compiled ones.

A program calls `out(v)` for what it computes. Signed overflow is to wrap around (`gcc -fwrapv`).
"""

from __future__ import annotations

import random

INTEGERS = [
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
]
INTEGERS += ["long long", "unsigned long long", "_Bool"]
FLOATS = ["float", "double"]

# What is in scope everywhere; `w` is a struct whose address is taken, `v` one whose address is not.
GLOBALS = """
struct in { short s; unsigned char c[3]; };
struct S { int i; struct in n; unsigned b : 5; int k : 7; long l; struct in a[2]; struct S *p; };
union U { int i; unsigned u; unsigned char c[8]; struct in n; short h[3]; };
int gi = 3; unsigned char gc[5] = {1, 2, 3}; struct S v = {7, {-2, "x"}, 3, -5, 9}, w, z[3]; union U u; int *gp = &gi;
long garr[4] = {-1, 1}; int m[2][3] = {{1, 2}, {3}};
static int twice(int x) { return x + x; }
static long pick(long a, unsigned char b) { return a ? a : b; }
static int (*fs[2])(int);
static int bump(int *q) { return (*q)++; }
static struct S made(int i) { struct S s = {.i = i, .b = i, .k = i}; s.n.s = i; s.a[1].c[2] = i; s.p = &w; return s; }
static int used(struct S s) { s.n.c[0]++; return s.i + s.n.c[0] + s.b + s.k + s.a[1].c[2] + s.n.s; }
static int same(int x) { return x; }
"""

SET_UP = "fs[0] = twice; fs[1] = same; w = v; v.p = &w; w.p = &z[1]; z[2] = made(4);"


class Programs:
    """Makes programs; all that is random comes from one seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.locals: list[tuple[str, str]] = []

    def program(self, statements: int = 25) -> str:
        """The functions of a program, without `out`."""
        self.locals = [(f"x{n}", self.random.choice(INTEGERS)) for n in range(4)]
        declared = " ".join(f"{type_} {name} = {self.constant()};" for name, type_ in self.locals)
        body = "\n".join(self.statement(2) for _ in range(statements))
        values = ["gi", "v.i", "w.l", "w.n.s", "w.b", "w.k", "u.c[1]", "u.i", "z[1].i", "z[2].k", "garr[1]", "m[1][2]"]
        values += ["w.a[1].c[0]", "v.a[0].s", "*gp", *(name for name, _ in self.locals)]
        shown = "\n".join(f"out({value});" for value in values)
        declared += f" float f = 1.5f; double d = -2.25; {SET_UP}"
        return f"{GLOBALS}\nint main(void) {{\n{declared}\n{body}\n{shown}\nreturn 0; }}\n"

    def constant(self) -> str:
        r = self.random
        return r.choice(
            [str(r.randint(-5, 9)), str(r.randint(-300, 70000)), f"{r.getrandbits(64)}u", "'a'", "0x7fffffff"]
        )

    def place(self) -> str:
        """A place that holds an integer."""
        r = self.random
        small = f"({self.integer(1)} & 1)"
        return r.choice(
            [
                *(name for name, _ in self.locals),
                *(
                    "gi",
                    "v.i",
                    "w.i",
                    "v.n.s",
                    "w.n.s",
                    "v.b",
                    "w.b",
                    "v.k",
                    "w.k",
                    "v.l",
                    "w.l",
                    "(*gp)",
                    "u.i",
                    "u.u",
                ),
                *("u.n.s", "u.h[1]", "(&w)->i", "v.p->i", "v.p->p->l", "w.p->n.c[1]", "(*w.p).k"),
                f"gc[{small}]",
                f"v.n.c[{small}]",
                f"w.n.c[{small} + 1]",
                f"v.a[{small}].c[{small}]",
                f"w.a[{small}].s",
                f"z[{small}].i",
                f"z[{small} + 1].a[{small}].c[{small}]",
                f"garr[{small}]",
                f"m[{small}][{small}]",
                f"(*(garr + {small}))",
                f"u.c[{small} + 2]",
                f"(&z[0] + {small})->n.s",
                f"(*(m[{small}] + 1))",
            ]
        )

    def integer(self, depth: int) -> str:
        """An expression of some integer type."""
        r = self.random
        if depth <= 0 or r.random() < 0.15:
            return (
                r.choice([self.place(), self.constant()])
                if depth > 0
                else r.choice([self.constant(), "gi", "v.i", "x0"])
            )
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        match r.randrange(14):
            case 0 | 1 | 2:
                return f"({a} {r.choice(['+', '-', '*', '&', '|', '^'])} {b})"
            case 3:
                return f"({a} {r.choice(['<', '<=', '>', '>=', '==', '!='])} {b})"
            case 4:
                # Never the least number by -1, which overflows even where overflow wraps around.
                return f"({a} {r.choice(['/', '%'])} (({b} & 7) + 1))"
            case 5:
                return f"({a} {r.choice(['<<', '>>'])} ({b} & 7))"
            case 6:
                return f"{r.choice(['-', '~', '!', '+'])}({a})"
            case 7 | 8:
                return f"({r.choice(INTEGERS)})({a})"
            case 9:
                return f"({a} {r.choice(['&&', '||'])} {b})"
            case 10:
                return f"({a} ? {b} : {self.integer(depth - 1)})"
            case 11:
                call = r.choice(
                    ["twice({a})", "pick({a}, {b})", "fs[{a} & 1]({b})", "used(made({a}))", "made({a}).n.s"]
                )
                return call.format(a=a, b=b)
            case 12:
                return f"(({a}) < ({self.floating(1)}))"
            case _:
                return f"((int)({self.floating(1)} / 1e30))"

    def floating(self, depth: int) -> str:
        r = self.random
        if depth <= 0:
            return r.choice(["f", "d", "0.1f", "3.0", "(float)gi", "(double)v.l", "1e10"])
        return f"({self.floating(depth - 1)} {r.choice(['+', '-', '*'])} {self.floating(depth - 1)})"

    def statement(self, depth: int) -> str:
        r = self.random
        target = self.place()
        match r.randrange(14 if depth > 0 else 8):
            case 0 | 1 | 2:
                return f"{target} = {self.integer(3)};"
            case 3:
                return f"{target} {r.choice(['+=', '-=', '*=', '^=', '|=', '&='])} {self.integer(2)};"
            case 4:
                return r.choice([f"{target}++;", f"--{target};", f"out({target}--);", f"out(++{target});"])
            case 5:
                return f"out({self.integer(3)});"
            case 6:
                return r.choice(
                    [
                        *("w = v;", "v = w; v.p = &w;", "z[1] = *w.p;", "v.n = w.a[1];", "w.a[0] = v.n;", "u.n = v.n;"),
                        *(
                            "z[0] = made(gi);",
                            "gp = &m[1][1];",
                            "gp = &w.i;",
                            "gp = &gi;",
                            "w.p = &z[gi & 1];",
                            "bump(gp);",
                        ),
                        *("w.p = &z[2];", "v.a[1] = u.n;", "*w.p = v;", "w.p->p = &w;", "out(bump(&m[0][1]));"),
                    ]
                )
            case 7:
                name, expression = r.choice([("f", self.floating(2)), ("d", self.floating(2))])
                return f"{name} = {expression}; if (!({name} < 1e20 && {name} > -1e20)) {name} = 1.25;"
            case 8 | 9:
                return (
                    f"if ({self.integer(2)}) {{ {self.statement(depth - 1)} }} else {{ {self.statement(depth - 1)} }}"
                )
            case 10:
                n = r.randint(1, 4)
                i = f"i{r.randrange(1000)}"
                exit_ = r.choice(["", f"if ({i} == 2) break;", f"if ({i} == 1) continue;"])
                return f"for (int {i} = 0; {i} < {n}; {i}++) {{ {exit_} {self.statement(depth - 1)} }}"
            case 11:
                cases = "".join(
                    f"case {n}: {self.statement(depth - 1)} {r.choice(['', 'break;'])}\n"
                    for n in range(r.randint(1, 3))
                )
                return f"switch ({self.integer(1)} & 3) {{ {cases} default: {self.statement(depth - 1)} }}"
            case 12:
                n = f"n{r.randrange(1000)}"
                return f"{{ int {n} = 0; do {{ {self.statement(depth - 1)} }} while (++{n} < 3); }}"
            case _:
                a = f"a{r.randrange(1000)}"
                loop = f"for (int k = 0; k < 3; k++) {a}[k] = {self.integer(1)};"
                return f"{{ int {a}[3]; int *q = {a}; {loop} out(q[1] + *(q + 2)); {self.statement(depth - 1)} }}"
