"""Writes layered drivers as Boogie: many procedures, locks and an I/O request protocol, assertions deep in the calls.

    python bench/drivers.py FOLDER [--seeds 1] [--largest 200]

They are like the programs that the Static Driver Verifier checks (deep-asserts paper, §VI): a harness sends requests in
a loop; dispatch routines pass them down through layers of helpers; the assertions are in the models of what the system
offers (`Acquire`, `Release`, `Complete`, `Pend`), and a library that all layers use has none. Each program with a bug,
planted at a depth of 5 to 15 calls, has a twin in which it is fixed and which is otherwise the same. What is random
depends on the seed alone.

Helpers are correct by construction. Each leaves the locks as they were, and locks are taken in their order. A helper
that owns the request completes or queues it and returns 0, or returns a negative status, and then its caller must.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

LOCKS = 3
BUGS = ("lock", "request")

# A request that reaches the bug: conditions on the way to it hold for this one.
KIND, LENGTH = 5, 40

HEADER = """\
// A layered driver{bug}, as bench/drivers.py writes it.
// Expected: {expected}.

var irp: int;  // 1: the driver owns the request, 2: it is completed, 3: it is queued
var started, errors, bytes, last: int;
var config: [int]int;
"""

LOCK = """
var lock{k}: int;

procedure Acquire{k}()
  modifies lock{k};
{{
  assert lock{k} == 0;
  lock{k} := 1;
}}

procedure Release{k}()
  modifies lock{k};
{{
  assert lock{k} == 1;
  lock{k} := 0;
}}
"""

REQUEST = """
procedure Complete(status: int)
  modifies irp, last;
{
  assert irp == 1;
  irp := 2;
  last := status;
}

procedure Pend()
  modifies irp;
{
  assert irp == 1;
  irp := 3;
}
"""

LIBRARY_MODIFIES = "errors, bytes, last"
MODIFIES = ", ".join(["irp", "started", LIBRARY_MODIFIES, *(f"lock{k}" for k in range(LOCKS))])


@dataclass(frozen=True)
class Size:
    """How many layers of helpers there are, and how many helpers in each."""

    layers: int
    width: int

    @property
    def library(self) -> int:
        """The number of procedures in the library."""
        return self.layers * self.width // 2

    @property
    def procedures(self) -> int:
        """With the library, the harness and the models of the system."""
        return self.layers * self.width + self.library + 2 * LOCKS + 3


SIZES = (Size(5, 2), Size(6, 3), Size(8, 4), Size(10, 5), Size(12, 6), Size(15, 8))


@dataclass(frozen=True)
class Driver:
    """One program of the suite."""

    size: Size
    seed: int
    bug: str
    is_fixed: bool

    @property
    def name(self) -> str:
        twin = "fixed" if self.is_fixed else "bug"
        return f"driver_{self.size.procedures:03}_{self.bug}_{self.seed}_{twin}.bpl"

    @property
    def expected(self) -> str:
        return "safe" if self.is_fixed else "bug"

    def text(self) -> str:
        return _Writer(self).program()


def suite(seeds: int = 1, largest: int = 1000) -> list[Driver]:
    """All drivers up to a number of procedures, smallest first, twins side by side."""
    return [
        Driver(size, seed, bug, is_fixed)
        for size in SIZES
        if size.procedures <= largest
        for seed in range(seeds)
        for bug in BUGS
        for is_fixed in (False, True)
    ]


@dataclass(frozen=True)
class _Helper:
    """A procedure of a layer. `owns` says that it is handed the request; it takes only locks from `lowest` on."""

    name: str
    layer: int
    owns: bool
    lowest: int


class _Writer:
    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.chance = Random(f"{driver.size} {driver.seed} {driver.bug}")  # the same for both twins
        size = driver.size
        self.layers = [[self._helper(layer, n) for n in range(size.width)] for layer in range(1, size.layers + 1)]
        # The first of each layer owns the request, the second does not: one of them has the bug, in the last layer but
        # one, and the first ones of the layers above lead to it.
        self.chain = [helpers[0] for helpers in self.layers[:-1]]
        if driver.bug == "lock":
            self.chain[-1] = self.layers[-2][1]
        self.bug_lock = self.chance.randrange(LOCKS)

    def _helper(self, layer: int, number: int) -> _Helper:
        owns = layer == 1 or number % 3 == 0
        deep = layer * LOCKS // (self.driver.size.layers + 1)  # callers may hold more locks the deeper it is
        lowest = 0 if number < 2 else min(LOCKS, deep + self.chance.randint(0, 1))
        return _Helper(f"{'Dispatch' if layer == 1 else f'Layer{layer}'}_{number}", layer, owns, lowest)

    def program(self) -> str:
        bug = "" if self.driver.is_fixed else f" with a bug in {self.chain[-1].name}"
        expected = "bounded" if self.driver.is_fixed else "bug"
        parts = [HEADER.format(bug=bug, expected=expected), *(LOCK.format(k=k) for k in range(LOCKS)), REQUEST]
        parts.append(self._harness())
        parts += [self._procedure(helper) for helpers in self.layers for helper in helpers]
        parts += [self._library_procedure(n) for n in range(self.driver.size.library)]
        return "".join(parts)

    def _harness(self) -> str:
        lines = [
            *(f"lock{k} := 0;" for k in range(LOCKS)),
            "started, errors, bytes := 0, 0, 0;",
            "while (*) {",
            "  irp := 1;",
            "  havoc kind, length, which;",
            *(
                f"  {'if' if n == 0 else '} else if'} (which == {n}) {{\n      call status := {d.name}(kind, length);"
                for n, d in enumerate(self.layers[0])
            ),
            "  } else {",
            "    call status := Dispatch_0(kind, length);",
            "  }",
            "  if (status < 0) {",
            "    call Complete(status);",
            "  }",
            "  assert irp != 1;",
            "}",
        ]
        variables = "var kind, length, which, status: int;"
        return _procedure("main()", MODIFIES, [variables, "", *lines])

    def _procedure(self, helper: _Helper) -> str:
        """A helper: some work in any order, among it what leads to the bug; then the request, if it owns one."""
        last = helper.layer == self.driver.size.layers
        parts = [
            self._noise(),
            *([] if last else [self._work(helper) for _ in range(self.chance.choice([0, 1, 1, 2]))]),
        ]
        if self.chance.random() < 0.4 and helper.lowest < LOCKS:
            parts.append(self._section(helper, self.chance.randrange(helper.lowest, LOCKS)))
        if self.chance.random() < 0.1 and not last:
            parts.append([*_block("while (*)", self._call(helper, helper.lowest))])
        if helper.layer == 1 and helper.name.endswith("_1"):
            parts.append(["if (kind == 1) {", "  started := 1;", "}"])
        self.chance.shuffle(parts)
        if helper is self.chain[-1]:
            parts.append(list(self._bug()))
        elif helper in self.chain and not (helper is self.chain[-2] and self.driver.bug == "request"):
            parts.append(self._towards_bug(self.chain[helper.layer]))
        body = [line for part in parts for line in part]
        body += self._finish(helper) if helper.owns else [f"status := {self.chance.choice(['0', 's', 'length'])};"]
        head = f"{helper.name}(kind: int, length: int) returns (status: int)"
        return _procedure(head, MODIFIES, ["var s: int;", "", *body])

    def _library_procedure(self, number: int) -> str:
        """A procedure that only computes; it may call those before it."""
        lines = ["r, i := length, 0;", *self._statistics(), *self._statistics()]
        loop = ["bytes := bytes + r;", "i := i + 1;"]
        if number > 0:
            call = f"call r := Library_{self.chance.randrange(number)}(kind, {self.chance.choice(['r', 'r + 1'])});"
            self.chance.choice([lines, loop]).append(call)
        if self.chance.random() < 0.5:
            lines += _block("while (*)", loop)
        else:
            lines += [*_block("if (kind > r)", loop), *_block("if (r < 0)", ["r := 0;", "errors := errors + 1;"])]
        head = f"Library_{number}(kind: int, length: int) returns (r: int)"
        return _procedure(head, LIBRARY_MODIFIES, ["var i: int;", "", *lines])

    # --- parts of a body -------------------------------------------------------------------------

    def _noise(self) -> list[str]:
        if self.chance.random() < 0.5:
            return [f"call s := Library_{self.chance.randrange(self.driver.size.library)}(kind, length);"]
        return self._statistics()

    def _statistics(self) -> list[str]:
        return self.chance.choice(
            [
                ["bytes := bytes + length;"],
                ["if (config[kind] < length) {", "  errors := errors + 1;", "}"],
                ["if (errors > 3) {", "  errors := 0;", "}"],
                ["last := config[kind + 1];"],
            ]
        )

    def _condition(self) -> str:
        """One that holds for the request that reaches the bug."""
        return self.chance.choice(
            [f"kind == {KIND}", "length > 10", "length > 20", "kind > 2", "errors >= 0 || kind > 0"]
        )

    def _call(self, helper: _Helper, lowest: int) -> list[str]:
        """A call of a helper below that does not own the request and takes locks from `lowest` on only."""
        below = [h for h in self.layers[helper.layer] if not h.owns and h.lowest >= lowest]
        if not below:
            return self._noise()
        kind, length = self.chance.choice([("kind", "length - 1"), ("kind + 1", "length"), ("kind", "length")])
        return [f"call s := {self.chance.choice(below).name}({kind}, {length});"]

    def _work(self, helper: _Helper) -> list[str]:
        call = self._call(helper, helper.lowest)
        return call if self.chance.random() < 0.5 else list(_block(f"if ({self._condition()})", call))

    def _section(self, helper: _Helper, k: int) -> list[str]:
        """Work under a lock, which every path out of it releases."""
        inside = self._noise() if helper.layer == self.driver.size.layers else self._call(helper, k + 1)
        return [f"call Acquire{k}();", *inside, *self._noise(), f"call Release{k}();"]

    def _towards_bug(self, below: _Helper) -> list[str]:
        call = [f"call s := {below.name}(kind, length);"]
        if below.owns:
            # What it does not finish is finished here or by the caller.
            call += ["if (s >= 0) {", "  status := 0;", "  return;", "}"]
        elif below is self.chain[-1]:
            call += [f"call Acquire{self.bug_lock}();", *self._noise(), f"call Release{self.bug_lock}();"]
        return list(_block(f"if ({self._condition()})", call))

    def _bug(self) -> Iterator[str]:
        rare = self.chance.choice([f"kind == {KIND} && length > 30", f"kind == {KIND} && started == 1"])
        if self.driver.bug == "request":
            wrong = "call Complete(-1);"
            leaving = ["status := -1;", "return;"]
        else:
            k = self.bug_lock
            yield from (f"call Acquire{k}();", *self._noise())
            wrong = ""
            leaving = ["status := -1;", "return;"]
            if self.driver.is_fixed:
                leaving = [f"call Release{k}();", *leaving]
        yield from _block(f"if ({rare})", [wrong, *leaving] if wrong and not self.driver.is_fixed else leaving)
        if self.driver.bug == "lock":
            yield f"call Release{self.bug_lock}();"

    def _finish(self, helper: _Helper) -> list[str]:
        """What becomes of the request."""
        below = [h for h in self.layers[helper.layer] if h.owns] if helper.layer < self.driver.size.layers else []
        if helper in self.chain[:-1] and self.driver.bug == "request" and helper is self.chain[-2]:
            # The helper with the bug has completed the request already; then this one does it again.
            bad = self.chain[-1]
            return [f"call s := {bad.name}(kind, length);", "if (s < 0) {", "  call Complete(s);", "}", "status := 0;"]
        if below and self.chance.random() < 0.6:
            callee = self.chance.choice(below)
            return [f"call status := {callee.name}(kind, length - 1);"]
        ending = self.chance.choice(["call Complete(0);", "call Pend();"])
        return ["if (length < 0) {", "  status := -1;", "  return;", "}", ending, "status := 0;"]


def _block(head: str, lines: Sequence[str]) -> Iterator[str]:
    yield f"{head} {{"
    yield from (f"  {line}" for line in lines)
    yield "}"


def _procedure(head: str, modifies: str, lines: Sequence[str]) -> str:
    body = "".join(f"  {line}\n" if line else "\n" for line in lines)
    return f"\nprocedure {head}\n  modifies {modifies};\n{{\n{body}}}\n"


def write_suite(folder: Path, seeds: int, largest: int) -> None:
    """Write the drivers to a folder, with what is known of them in its `verdicts.tsv`."""
    folder.mkdir(parents=True, exist_ok=True)
    drivers = suite(seeds, largest)
    for driver in drivers:
        (folder / driver.name).write_text(driver.text(), encoding="utf-8")
    rows = "".join(f"{driver.name}\t{driver.expected}\n" for driver in drivers)
    (folder / "verdicts.tsv").write_text(f"file\texpected\n{rows}", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Write layered drivers, with planted bugs and without.")
    parser.add_argument("folder", type=Path, help="for the programs")
    parser.add_argument(
        "--seeds", type=int, default=1, metavar="N", help="programs of each kind (default: %(default)s)"
    )
    parser.add_argument("--largest", type=int, default=200, metavar="N", help="procedures (default: %(default)s)")
    options = parser.parse_args()
    write_suite(options.folder, options.seeds, options.largest)


if __name__ == "__main__":
    main()
