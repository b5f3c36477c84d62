"""Random programs with few states, as text, and which of their assertions can fail: all their states are visited.

Their loops need not end, are nested and entered anywhere, and call procedures that have loops, too; so what holds in
them holds by an invariant, or because there is no way to it. All numbers are 0, 1 or 2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from random import Random
from types import CodeType

GLOBALS, LOCALS, VALUES = ("g", "h"), ("x", "y"), range(3)
MOST_STATES = 20_000

Values = tuple[int, ...]
Statement = tuple[str, ...]  # its kind, and its parts as text
Clause = tuple[bool, str]  # whether it is free, and its condition


class TooManyStates(Exception):
    """The program is not as small as it should be."""


@dataclass(frozen=True)
class Finite:
    """A procedure: its blocks have statements and targets, and start in `b0`."""

    name: str
    params: tuple[str, ...]
    results: tuple[str, ...]
    requires: tuple[Clause, ...]
    ensures: tuple[Clause, ...]
    where: Mapping[str, str]
    blocks: Mapping[str, tuple[list[Statement], list[str]]]

    @property
    def own(self) -> tuple[str, ...]:
        return (*self.params, *self.results, *LOCALS)


Program = Mapping[str, Finite]
Frame = tuple[str, str, int, Values, Values]  # procedure, block, number of the statement, own variables, old globals
State = tuple[Values, tuple[Frame, ...]]


# --- making them ----------------------------------------------------------------------------------------------------


def finite_program(chance: Random) -> Program:
    """`main`, and perhaps `p` and `q`, which are called by those before them."""
    names = ("main", "p", "q")[: chance.randint(1, 3)]
    program: dict[str, Finite] = {}
    for n in reversed(range(len(names))):
        program[names[n]] = _procedure(chance, names[n], [program[name] for name in names[n + 1 :]])
    return dict(reversed(program.items()))


def _procedure(chance: Random, name: str, callees: Sequence[Finite]) -> Finite:
    is_main = name == "main"
    params = ("a",) if not is_main and chance.random() < 0.6 else ()
    results = ("r",) if not is_main and chance.random() < 0.5 else ()
    requires, ensures = [
        ((chance.random() < 0.4, _condition(chance, (*GLOBALS, *visible), olds)),)
        if not is_main and chance.random() < 0.3
        else ()
        for visible, olds in ((params, False), (results, True))
    ]
    where = {v: f"{v} {chance.choice(('!=', '<='))} {chance.randint(1, 2)}" for v in LOCALS if chance.random() < 0.3}
    readable = (*GLOBALS, *LOCALS, *params, *results)
    count = chance.randint(3, 7)
    blocks = {}
    first: list[Statement] = [("assign", v, str(chance.randint(0, 2))) for v in LOCALS if chance.random() < 0.7]
    first += [("assign", g, str(chance.randint(0, 2))) for g in GLOBALS if is_main and chance.random() < 0.7]
    for n in range(count):
        statements = first if n == 0 else []
        statements += [_statement(chance, readable, callees) for _ in range(chance.randint(0, 3))]
        targets = [f"b{n + 1}"] if n < count - 1 else []
        targets += [f"b{chance.randrange(count)}" for _ in range(chance.choice((0, 1, 1, 2)))]
        blocks[f"b{n}"] = statements, list(dict.fromkeys(targets))
    return Finite(name, params, results, requires, ensures, where, blocks)


def _condition(chance: Random, names: Sequence[str], olds: bool) -> str:
    def atom() -> str:
        left = f"old({chance.choice(GLOBALS)})" if olds and chance.random() < 0.2 else chance.choice(names)
        return f"{left} {chance.choice(('==', '!=', '<', '<='))} {chance.choice((*names, '0', '1', '2'))}"

    return atom() if chance.random() < 0.7 else f"({atom()}) {chance.choice(('&&', '||'))} ({atom()})"


def _statement(chance: Random, readable: Sequence[str], callees: Sequence[Finite]) -> Statement:
    writable = [name for name in readable if name != "a"]
    target, source = chance.choice(writable), chance.choice(readable)
    match chance.choice(("assign", "assign", "assign", "swap", "havoc", "assume", "assert", "assert", "call")):
        case "assign":
            value = chance.choice((str(chance.randint(0, 2)), source, f"({source} + 1) mod 3", "old(g)"))
            return "assign", target, value
        case "swap":
            other = chance.choice([name for name in writable if name != target])
            return "assign", f"{target}, {other}", f"{other}, ({target} + 1) mod 3"
        case "havoc":
            return "havoc", target
        case "call" if callees:
            callee = chance.choice(callees)
            return "call", callee.name, source if callee.params else "", target if callee.results else ""
        case "assume":
            return "assume", _condition(chance, readable, olds=True)
        case _:
            return "assert", _condition(chance, readable, olds=True)


# --- writing them ---------------------------------------------------------------------------------------------------


def finite_text(program: Program) -> str:
    """A program in Boogie. Assertions are named after the places of their statements."""
    return "\n".join([*(f"var {g}: int;" for g in GLOBALS), *(line for p in program.values() for line in _lines(p))])


def _in_range(name: str) -> str:
    return f"0 <= {name} && {name} <= 2"


def _lines(procedure: Finite) -> Iterator[str]:
    params = ", ".join(f"{name}: int" for name in procedure.params)
    results = ", ".join(f"{name}: int" for name in procedure.results)
    head = f"{procedure.name}({params}) returns ({results})"
    yield f"procedure {head};\n  modifies {', '.join(GLOBALS)};"
    for free, condition in procedure.requires:
        yield f"  {'free ' * free}requires {condition};"
    for free, condition in procedure.ensures:
        yield f'  {"free " * free}ensures {{:id "{procedure.name}"}} {condition};'
    yield f"implementation {head}\n{{"
    for name in LOCALS:
        yield f"  var {name}: int where {_in_range(name)} && {procedure.where.get(name, 'true')};"
    arbitrary = GLOBALS if procedure.name == "main" else procedure.results
    yield f"  start: {' '.join(f'assume {_in_range(name)};' for name in arbitrary)} goto b0;"
    for label, (statements, targets) in procedure.blocks.items():
        code = " ".join(_line(s, f"{procedure.name} {label} {n}") for n, s in enumerate(statements))
        yield f"  {label}: {code} {'goto ' if targets else 'return'}{', '.join(targets)};"
    yield "}"


def _line(statement: Statement, place: str) -> str:
    match statement:
        case "assign", targets, values:
            return f"{targets} := {values};"
        case "havoc", name:
            return f"havoc {name};" if name in LOCALS else f"havoc {name}; assume {_in_range(name)};"
        case "call", callee, argument, result:
            return f"call {f'{result} := ' if result else ''}{callee}({argument});"
        case "assert", condition:
            return f'assert {{:id "{place}"}} {condition};'
        case kind, condition:
            return f"{kind} {condition};"
    raise AssertionError(statement)


# --- running them ---------------------------------------------------------------------------------------------------


@cache
def _compiled(text: str) -> CodeType:
    for here, there in (("&&", "and"), ("||", "or"), ("mod", "%"), ("true", "True")):
        text = text.replace(here, there)
    return compile(re.sub(r"old\((\w)\)", r"old_\1", text), "<condition>", "eval")


def _value(text: str, names: Mapping[str, int]) -> int:
    return int(eval(_compiled(text), {}, dict(names)))


def failing(program: Program) -> set[str]:
    """The ids of the assertions that can fail; after a failure, an execution does not go on. Preconditions have none.
    Raises `TooManyStates`."""
    failed: set[str] = set()
    waiting: list[State] = [(g, (f,)) for g in product(VALUES, repeat=2) for f in _starts(program["main"], (), g)]
    seen = set(waiting)
    while waiting:
        for state in _next(program, waiting.pop(), failed):
            if state not in seen:
                seen.add(state)
                waiting.append(state)
        if len(seen) > MOST_STATES:
            raise TooManyStates
    return failed


def _starts(procedure: Finite, arguments: Values, globals_: Values) -> Iterator[Frame]:
    """Where an activation may start: results and locals are arbitrary."""
    for rest in product(VALUES, repeat=len(procedure.own) - len(arguments)):
        own = (*arguments, *rest)
        names = dict(zip(procedure.own, own, strict=True))
        if all(_value(where, names) for where in procedure.where.values()):
            yield procedure.name, "b0", 0, own, globals_


def _next(program: Program, state: State, failed: set[str]) -> Iterator[State]:
    """The states that may come next. What fails is added to `failed`."""
    globals_, (*below, (name, label, number, own, before)) = state
    procedure = program[name]
    statements, targets = procedure.blocks[label]
    names = {
        **dict(zip(GLOBALS, globals_, strict=True)),
        **dict(zip(procedure.own, own, strict=True)),
        **{f"old_{g}": value for g, value in zip(GLOBALS, before, strict=True)},
    }

    def then(changes: Mapping[str, int], label: str = label, number: int = number + 1) -> State:
        new = {**names, **changes}
        frame = name, label, number, tuple(new[v] for v in procedure.own), before
        return tuple(new[g] for g in GLOBALS), (*below, frame)

    if number == len(statements):
        if targets:
            yield from (then({}, target, 0) for target in targets)
        elif _holds(procedure.ensures, names, name, failed) and below:
            yield _returned(program, globals_, below, names)
        return
    match statements[number]:
        case "assign", assigned, values:
            news = [_value(value, names) for value in values.split(", ")]
            yield then(dict(zip(assigned.split(", "), news, strict=True)))
        case "havoc", target:
            where = procedure.where.get(target, "true")
            yield from (then({target: v}) for v in VALUES if _value(where, {**names, target: v}))
        case "call", callee, argument, _:
            called = program[callee]
            arguments = (names[argument],) if argument else ()
            if _holds(called.requires, {**names, **dict(zip(called.params, arguments, strict=True))}, "", set()):
                yield from ((globals_, (*state[1], frame)) for frame in _starts(called, arguments, globals_))
        case kind, condition:
            if _holds([(kind == "assume", condition)], names, f"{name} {label} {number}", failed):
                yield then({})


def _holds(clauses: Sequence[Clause], names: Mapping[str, int], id_: str, failed: set[str]) -> bool:
    for free, condition in clauses:
        if not _value(condition, names):
            if not free:
                failed.add(id_)
            return False
    return True


def _returned(program: Program, globals_: Values, below: Sequence[Frame], names: Mapping[str, int]) -> State:
    """The state in which the caller goes on."""
    *rest, (caller, label, number, own, before) = below
    _, _, _, result = program[caller].blocks[label][0][number]
    new = {**dict(zip(GLOBALS, globals_, strict=True)), **dict(zip(program[caller].own, own, strict=True))}
    if result:
        new[result] = names["r"]
    frame = caller, label, number + 1, tuple(new[v] for v in program[caller].own), before
    return tuple(new[g] for g in GLOBALS), (*rest, frame)
