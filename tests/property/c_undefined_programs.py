"""Random C programs that end in something undefined: with all checks, that is a bug, and nothing before it is one."""

from __future__ import annotations

from dataclasses import dataclass

from tests.property.c_memory_programs import MIX, MemoryProgram, memory_program, prototypes_for

CHECKS = ("assert", "bounds", "pointer", "overflow", "div-by-zero", "shift", "bit-count")
# What is undefined comes last, on a line of its own; what it needs comes before it. Results are dropped now and then,
# which makes nothing defined.
UNDEFINED = [
    ("int *z = 0;", "*z;"),
    ("volatile int *z = 0;", "*z;"),
    ("int *z = 0;", "(void)*z;"),
    ("int *z = 0;", "*z = 1;"),
    ("struct { int a[2], b; } *z = 0;", "z->b;"),
    ("struct { int a[2], b; } *z = 0;", "z->a[1];"),
    ("struct Z { int a, b; } *z = 0, y;", "y = *z;"),
    ("int *z; { int d = 1; z = &d; }", "*z;"),
    ("int *z; { int d = 1; z = &d; }", "MIX(*z);"),
    ("int z[2] = {0}, k = 2;", "z[k];"),
    ("int z[2] = {0}, k = 2;", "z[k] = 1;"),
    ("int z[2] = {0}, k = -1;", "MIX(z[k]);"),
    ("int z[2] = {0}, *y = z + 2;", "*y;"),
    ("long z = 0; char *y = (char *)&z + sizeof z;", "*y;"),
    ("long z = 0; int *y = (int *)&z + 1;", "*(long *)y;"),
    ("struct { char a[4], b[4]; } z = {{0}, {0}}; int k = 3;", "MIX(z.b[k + 1]);"),
    ("int z = 0, y = 5;", "MIX(y / z);"),
    ("int z = 0, y = 5;", "y % z;"),
    ("int z = -1, y = -2147483647 - 1;", "MIX(y / z);"),
    ("int z = 2147483647;", "MIX(z + 1);"),
    ("int z = 2147483647;", "z++;"),
    ("int z = -2147483647 - 1;", "MIX(-z);"),
    ("int z = 70000;", "z *= z;"),
    ("int z = 32;", "MIX(1u << z);"),
    ("int z = -1;", "MIX(1 >> z);"),
    ("char z[4] = {0}; unsigned long k = 5;", "memset(z, 1, k);"),
    ("char z[4] = {0}, y[8] = {0}; unsigned long k = 5;", "memcpy(z, y, k);"),
    ("char z[4] = {0}, y[8] = {0}; unsigned long k = 5;", "memcpy(y, z, k);"),
    ("char *z = malloc(4); z[0] = 1; free(z);", "MIX(z[0]);"),
    ("char *z = malloc(4); free(z);", "free(z);"),
    ("char *z = malloc(4);", "z[4] = 1;"),
    ("unsigned z = 0;", "MIX(__builtin_clz(z));"),
    ("unsigned long z = 0;", "__builtin_ctzl(z);"),
    ("int (*z)(int, int) = (int (*)(int, int))one;", "z(1, 2);"),
    ("double (*z)(int) = (double (*)(int))one;", "MIX(z(1));"),
    ("struct { char a; int (*f)(void); } z[2] = {{0, 0}, {1, (int (*)(void))one}};", "MIX(z[1].f());"),
]
ONE = "static int one(int v) { return v; }"


@dataclass(frozen=True)
class UndefinedProgram:
    """A program, what the end needs, and the end, which is undefined."""

    before: MemoryProgram
    needs: str
    end: str
    checks_all = True

    @property
    def top(self) -> tuple[str, ...]:
        return self.before.top

    @property
    def body(self) -> tuple[str, ...]:
        return self.before.body

    def asking(self) -> tuple[str, int]:
        """The program for Paddock, and the line of what is undefined."""
        lines = [*prototypes_for([*self.top, *self.body, self.needs, self.end]), "static unsigned long sum;", MIX]
        lines += [*self.top, ONE, "int main(void) {", *self.body, self.needs, self.end, "}"]
        return "\n".join(lines).replace("@", "") + "\n", len(lines) - 1


def undefined_program(seed: int, size: int = 1) -> UndefinedProgram:
    return UndefinedProgram(memory_program(seed, size), *UNDEFINED[seed % len(UNDEFINED)])
