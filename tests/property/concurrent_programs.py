"""Random concurrent programs, tiny enough for all their schedules to be looked at. They set all variables before they
read them, and all their loops end."""

from __future__ import annotations

from random import Random

GLOBALS = ("g", "h")
HEAD = """\
var g: int;
var h: int;
var lock: bool;
var {:thread_local} mine: int;
procedure corral_atomic_begin();
procedure corral_atomic_end();
procedure corral_getThreadID() returns (t: int);
procedure corral_getChildThreadID() returns (t: int);
procedure corral_thread_join(t: int);
procedure corral_thread_join_all();
"""


class _Writer:
    def __init__(self, chance: Random, yields: bool, locks: bool = False) -> None:
        self.chance = chance
        self.locks = locks
        self.yields = yields
        self.lines: list[str] = HEAD.splitlines()
        self.labels = 0

    def add(self, line: str) -> None:
        self.lines.append(line)

    def expression(self, names: tuple[str, ...]) -> str:
        one = self.chance.choice(names)
        match self.chance.randrange(4):
            case 0:
                return str(self.chance.randint(0, 2))
            case 1:
                return f"{one} + 1"
            case 2:
                return f"{one} + {self.chance.choice(names)}"
            case _:
                return one

    def condition(self, names: tuple[str, ...]) -> str:
        one, other = self.chance.choice(names), self.chance.choice((*names, "0", "1", "2"))
        return f"{one} {self.chance.choice(('==', '!=', '<=', '<'))} {other}"

    def claim(self, names: tuple[str, ...]) -> str:
        """What is false for few values, so that it takes certain schedules to refute it."""
        one, other = self.chance.choice(names), self.chance.choice(names)
        value = self.chance.randint(1, 4)
        return self.chance.choice((f"{one} != {value}", f"{one} + {other} != {value}", f"{one} != {other} + {value}"))

    def simple(self, locals_: tuple[str, ...]) -> None:
        """A statement without calls."""
        everything = (*GLOBALS, *locals_)
        one, other = self.chance.choice(GLOBALS), self.chance.choice(locals_)
        match self.chance.randrange(10):
            case 0 | 1:
                self.add(f"  {one} := {self.expression(everything)};")
            case 2:
                self.add(f"  {other} := {self.expression(everything)};")
            case 3 | 4:
                self.add(f"  {other} := {one};")
                if self.yields and self.chance.random() < 0.7:
                    self.add("  yield;")
                self.add(f"  {one} := {other} + {self.chance.randint(1, 2)};")
            case 5 | 6:
                self.add(f"  assert {self.claim(everything)};")
            case 7:
                self.add(f"  assume {self.condition(everything)} || {self.condition(everything)};")
            case 8:
                self.add(f"  mine := {self.expression(('mine', *everything))};")
            case _:
                self.add(f"  assert {self.claim(('mine', *everything))};")
        if self.yields and self.chance.random() < 0.45:
            self.add("  yield;")

    def section(self, locals_: tuple[str, ...]) -> None:
        """Statements between taking the lock and giving it back, nearly always."""
        if self.chance.random() < 0.95:
            self.add("  call corral_atomic_begin();")
            self.add("  assume !lock;")
            self.add("  lock := true;")
            self.add("  call corral_atomic_end();")
        for _ in range(self.chance.randint(1, 2)):
            self.simple(locals_)
        if self.chance.random() < 0.95:
            self.add("  lock := false;")

    def waiting(self, locals_: tuple[str, ...]) -> None:
        """A statement that waits for threads."""
        one = self.chance.choice(locals_)
        match self.chance.randrange(4):
            case 0:
                self.add(f"  async call t({self.expression(locals_)});")
                self.add("  call i := corral_getChildThreadID();")
                self.simple(locals_)
                self.add("  call corral_thread_join(i);")
            case 1:
                self.add("  call corral_thread_join_all();")
            case 2:
                self.add(f"  par {one} := q({one}) | i := q(1);")
            case _:
                self.add(f"  par t({one}) | {one} := q(2);")

    def body(self, length: int, locals_: tuple[str, ...], starts: tuple[str, ...], calls: bool) -> None:
        """Statements; `starts` are the procedures that are started as threads, each once or so."""
        todo = list(starts)
        for _ in range(length):
            roll = self.chance.random()
            if self.locks and self.chance.random() < 0.7:
                self.section(locals_)
            elif todo and roll < 0.45:
                self.add(f"  async call {todo.pop(0)}({self.expression(locals_)});")
            elif calls and roll < 0.6:
                target = self.chance.choice((*GLOBALS, *locals_))
                self.add(f"  call {target} := p({self.expression(locals_)});")
            elif roll < 0.7:
                self.add("  call corral_atomic_begin();")
                if self.chance.random() < 0.5:
                    self.add("  assume !lock;")
                    self.add("  lock := true;")
                else:
                    self.simple(locals_)
                    self.simple(locals_)
                self.add("  call corral_atomic_end();")
            elif roll < 0.78:
                self.add(f"  if ({self.condition((*GLOBALS, *locals_))}) {{")
                self.simple(locals_)
                self.add("  } else {")
                self.simple(locals_)
                self.add("  }")
            elif roll < 0.84:
                self.add("  i := 0;")
                self.add("  while (i < 2) {")
                self.simple(locals_)
                self.add("  i := i + 1;")
                self.add("  }")
            elif roll < 0.88:
                self.add("  lock := false;")
            else:
                self.simple(locals_)
            if self.chance.random() < 0.5:
                self.add(f"  assert {self.claim((*GLOBALS, *locals_))};")
        for name in todo:
            self.add(f"  async call {name}({self.expression(locals_)});")


def concurrent_program(seed: int, yields: bool, waits: bool = False, locks: bool = False) -> str:
    """The text of a program with two or three threads; if it `waits`, its entry does so for some of them; with `locks`,
    they do most of what they do while they have the lock."""
    chance = Random(seed)
    writer = _Writer(chance, yields, locks)
    several = chance.random() < 0.4
    calls = chance.random() < 0.6
    if calls:
        writer.add("procedure p(a: int) returns (r: int)")
        writer.add("{")
        writer.add("  var i: int;")
        writer.add("  i := 0; r := a;")
        writer.add("  g := h;")  # what only asserts would be an assertion where it is called
        for _ in range(chance.randint(1, 2)):
            writer.simple(("r",))
        writer.add(f"  r := {writer.expression(('r', 'a', 'g'))};")
        writer.add("}")
    nested = several and chance.random() < 0.4
    threads = ("t", "u") if several else ("t",)
    for name in threads:
        writer.add(f"procedure {name}(n: int)")
        writer.add("{")
        writer.add("  var x, i: int;")
        writer.add("  mine := n; x := n; i := 0;")
        inner = ("u",) if nested and name == "t" else ()
        writer.body(chance.randint(1, 3), ("x",), inner, calls)
        writer.add("}")
    if waits:
        writer.add("procedure q(a: int) returns (r: int)")
        writer.add("{")
        writer.add("  r := g;")
        writer.add("  h := h + a;")
        writer.add("}")
    writer.add("procedure {:entrypoint} main()")
    writer.add("{")
    writer.add("  var y, i: int;")
    writer.add("  g := 0; h := 0; lock := false; mine := 0; y := 0; i := 0;")
    started = ("t",) if nested else threads
    if chance.random() < 0.3:
        started = (*started, "t")
    if waits:
        writer.waiting(("y",))
        writer.simple(("y",))
        started = started[:1] if chance.random() < 0.3 else ()
    writer.body(chance.randint(0, 1) if waits else chance.randint(2, 4), ("y",), started, calls and not waits)
    if waits:
        writer.waiting(("y",))
    if yields:
        writer.add("  yield;")
    for _ in range(2):
        writer.add(f"  assert {writer.claim((*GLOBALS, 'y'))};")
    writer.add("}")
    return "\n".join(writer.lines) + "\n"
