"""What the pass `facts` claims holds: of single steps in random states, and of random programs on random runs."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from paddock.analysis.facts.expressions import evaluate
from paddock.analysis.facts.state import State, Widening, all_done, join
from paddock.analysis.facts.transfer import Transfer
from paddock.analysis.facts.values import INFINITY, Value, interval, truth
from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.expr import Lit, Var
from paddock.ir.origin import Role
from paddock.ir.program import Program
from paddock.ir.stmt import Assign, Assume
from paddock.ir.types import BOOL
from paddock.ir.validate import check_valid
from paddock.passes.facts import facts
from paddock.passes.registry import run_passes
from paddock.trace import values as concrete
from paddock.trace.interpreter import Interpreter, Limits
from paddock.trace.oracle import RandomOracle
from paddock.trace.run import Blocked, Cut, Run
from tests.property.examples import examples

NUMBERS = ("0", "1", "2", "3", "-1", "-2", "7")
FUNCTIONS = """
function {:inline} twice(n: int): int { n + n }
function {:inline} small(n: int): bool { 0 <= n && n < 4 }
"""

numbers = st.sampled_from(NUMBERS)


@st.composite
def terms(draw: st.DrawFn, variables: tuple[str, ...], factor: str = "{}") -> str:
    x, y, n = draw(st.sampled_from(variables)), draw(st.sampled_from(variables)), draw(numbers)
    forms = (
        n,
        x,
        f"{x} + {n}",
        f"{x} - {n}",
        f"{x} - {y}",
        f"{x} + {y}",
        f"{x} * {factor.format(y)}",
        f"{x} * {n}",
        f"-{x}",
        f"{n} - {x}",
    )
    rare = (
        f"{x} div {n}",
        f"{x} mod {n}",
        f"{n} div {x}",
        f"(if {x} < {y} then {x} else {n})",
        f"twice({x})",
        f"m[{x}]",
    )
    return draw(st.sampled_from(forms + rare))


@st.composite
def atoms(draw: st.DrawFn, variables: tuple[str, ...], booleans: tuple[str, ...]) -> str:
    x, relation = draw(st.sampled_from(variables)), draw(st.sampled_from(("==", "!=", "<", "<=", ">", ">=")))
    b, c = draw(st.sampled_from(booleans)), draw(st.sampled_from((*booleans, "true", "false", f"({x} < 2)")))
    term = draw(terms(variables))
    equality = draw(st.sampled_from(("==", "!=", "<==>")))
    return draw(
        st.sampled_from((f"{x} {relation} {term}", f"{term} {relation} {x}", b, f"{b} {equality} {c}", f"small({x})"))
    )


@st.composite
def conditions(draw: st.DrawFn, variables: tuple[str, ...], booleans: tuple[str, ...]) -> str:
    p, q, r = (f"({draw(atoms(variables, booleans))})" for _ in range(3))
    forms = (p, f"!{p}", f"{p} && {q}", f"{p} || {q}", f"{p} ==> {q}", f"{p} || ({q} && {r})", f"({p} && {q}) || {r}")
    form = draw(st.sampled_from(forms))
    return f"!({form})" if draw(st.booleans()) else form


# --- single steps ----------------------------------------------------------------------------------

INTS = ("x", "y", "z")
BOOLS = ("b", "d")
Env = dict[Var, concrete.Value]


def one_procedure(statement: str) -> Program:
    return load(
        [Source(f"{FUNCTIONS} procedure main() {{ var x, y, z: int; var b, d: bool; var m: [int]int; {statement} }}")]
    )


def random_env(random: Random, program: Program) -> Env:
    locals_ = [d.var for d in program.procedures[0].implementations[0].locals]
    scalars = [v for v in locals_ if v.name in INTS + BOOLS]
    return {v: random.random() < 0.5 if v.type is BOOL else random.randint(-4, 5) for v in scalars}


def random_state(random: Random, env: Env) -> State:
    """A state that the environment is one of the possibilities of."""
    state = State()
    for var, value in env.items():
        if isinstance(value, bool):
            known: Value | None = truth(value)
        else:
            assert isinstance(value, int)
            lo, hi = (random.choice((0, 0, 1, 3, INFINITY)) for _ in range(2))
            known = interval(value - lo, value + hi, value != 0 and random.random() < 0.5)
        if known is not None and random.random() < 0.7:
            state.restrict(var, known)
    for a in env:
        for b in env:
            if a.type is b.type and env[a] == env[b] and random.random() < 0.3:
                state.equate(a, b)
    return state


def allows(state: State, env: Env) -> bool:
    """Whether the environment is one of the possibilities of the state."""
    return all(has_value(known, env[var]) for var, known in state.values.items()) and all(
        env[var] == env[other] for var, class_ in state.classes.items() for other in class_
    )


def has_value(known: Value, value: concrete.Value) -> bool:
    if isinstance(known, Lit):
        return known.value == value
    assert isinstance(value, int)
    return known.lo <= value <= known.hi and not (known.nonzero and value == 0)


def interpreted(program: Program, env: Env) -> concrete.Env:
    maps = {"m": concrete.map_of(0, {}, None)}
    return concrete.Env({}, {v.name: value for v, value in env.items()} | maps, {})


@examples(80, 1000)
@given(condition=conditions(INTS, BOOLS), seed=st.integers(0, 1000))
def test_nothing_false_is_learnt_from_a_condition(condition: str, seed: int) -> None:
    program, random = one_procedure(f"assume {condition};"), Random(seed)
    statement = program.procedures[0].implementations[0].blocks[0].statements[0]
    assert isinstance(statement, Assume)
    steps, interpreter = Transfer(program).steps(statement), Interpreter(program)
    for _ in range(20):
        env = random_env(random, program)
        state = random_state(random, env)
        assert allows(state, env)
        if interpreter.evaluate(statement.condition, interpreted(program, env)) is True:
            assert all_done(steps, state)
            assert allows(state, env)


@examples(60, 1000)
@given(
    values=st.lists(st.one_of(terms(INTS), st.sampled_from(INTS)), min_size=1, max_size=2), seed=st.integers(0, 1000)
)
def test_assignments(values: list[str], seed: int) -> None:
    targets = ", ".join(("y", "x")[: len(values)])
    program, random = one_procedure(f"{targets} := {', '.join(values)};"), Random(seed)
    statement = program.procedures[0].implementations[0].blocks[0].statements[0]
    assert isinstance(statement, Assign)
    transfer, interpreter = Transfer(program), Interpreter(program)
    for _ in range(20):
        env = random_env(random, program)
        state = random_state(random, env)
        new = [interpreter.evaluate(v, interpreted(program, env)) for v in statement.values]
        for expr, value in zip(statement.values, new, strict=True):
            known = evaluate(transfer.expressions.meaning(expr), state)
            assert known is None or has_value(known, value)
        assert all_done(transfer.steps(statement), state)
        assert allows(state, env | dict(zip(statement.targets, new, strict=True)))


@given(seed=st.integers(0, 100_000), widen=st.booleans())
def test_a_join_allows_what_either_state_allows(seed: int, widen: bool) -> None:
    random, program = Random(seed), one_procedure("")
    envs = [random_env(random, program) for _ in range(6)]
    states = [random_state(random, env) for env in envs]
    widening = Widening([-1, 0, 3]) if widen else None
    joined = states[0]
    for state in states[1:]:
        joined = join(joined, state, widening)
    assert all(allows(joined, env) for env in envs)
    assert join(joined, states[0], widening) is joined


# --- programs --------------------------------------------------------------------------------------

TARGETS = ("g", "h", "r", "s", "z")
READ = (*TARGETS, "x", "y", "c")
# A factor in a program is small: a loop that squares a variable again and again would soon count in millions of digits.
FACTOR = "({} mod 4)"
RUNS = 12
LIMITS = Limits(steps=400, depth=30)


@st.composite
def statements(draw: st.DrawFn) -> str:
    target, other = draw(st.permutations(TARGETS))[:2]
    kinds = ("set",) * 5 + ("call",) * 3 + ("copy", "both", "bool", "havoc", "assume", "assert")
    match draw(st.sampled_from(kinds)):
        case "set":
            return f"{target} := {draw(terms(READ, FACTOR))};"
        case "copy":
            return f"{target} := {other};"
        case "both":
            return f"{target}, {other} := {draw(terms(READ, FACTOR))}, {draw(terms(READ, FACTOR))};"
        case "bool":
            return f"{draw(st.sampled_from(BOOLS))} := {draw(conditions(READ, BOOLS))};"
        case "havoc":
            return f"havoc {draw(st.sampled_from((target, 'b', f'd, {target}')))};"
        case "call":
            args = f"{draw(terms(READ, FACTOR))}, {draw(st.sampled_from(READ))}"
            return f"call {target}, {other} := {draw(st.sampled_from(('P', 'P', 'Q', 'R')))}({args});"
        case kind:
            return f"{kind} {draw(conditions(READ, BOOLS))};"


@st.composite
def bodies(draw: st.DrawFn) -> str:
    labels = [f"l{n}" for n in range(draw(st.integers(1, 5)))]
    lines = ["  var z: int; var d: bool;"]
    for n, label in enumerate(labels):
        code = " ".join(draw(st.lists(statements(), min_size=1, max_size=4)))
        # Mostly forward, so that branches meet and runs come to an end; sometimes back.
        ahead = labels[n + 1 :] if draw(st.integers(0, 4)) else labels
        targets = draw(st.lists(st.sampled_from(ahead), max_size=2, unique=True)) if ahead else []
        transfer = f"goto {', '.join(targets)};" if targets else "return;"
        lines.append(f"  {label}: {code} {transfer}")
    return "\n{\n" + "\n".join(lines) + "\n}"


@st.composite
def programs(draw: st.DrawFn) -> str:
    """`main` sets some globals and calls P, which calls itself, Q and R; R has no body."""
    header = "(x: int, y: int) returns (r: int, s: int)"
    clauses = (
        "requires x < 3;",
        "free requires x == y;",
        "free ensures g == old(g);",
        "ensures r >= s;",
        "free ensures r == x;",
    )
    lines = [FUNCTIONS, "const c: int; axiom c == 2; var g: int; var h: int; var b: bool; var m: [int]int;"]
    for name in ("P", "Q", "R"):
        contract = " ".join(draw(st.lists(st.sampled_from(clauses), max_size=1)))
        lines.append(f"procedure {name}{header}; modifies g, h, b; {contract}")
        if name != "R":
            lines += [f"implementation {name}{header}{draw(bodies())}" for _ in range(draw(st.integers(1, 2)))]
    start = draw(
        st.sampled_from(("g := 0; h := 0; b := false;", "g := 1; assume h > 0;", "h := g;", "assume h == g && !b;"))
    )
    calls = f"call r, s := P({draw(numbers)}, g); call s, r := P(r, h);"
    lines.append(f"procedure main() modifies g, h, b; {{ var r: int; var s: int; {start} {calls} }}")
    return "\n".join(lines)


def runs(program: Program) -> list[Run]:
    interpreter = Interpreter(program)
    oracles = [RandomOracle(interpreter.world.domains, seed) for seed in range(RUNS)]
    return [interpreter.run(oracle, limits=LIMITS, record=False, guided=True) for oracle in oracles]


def check_facts(before: Program) -> None:
    after = facts(before)
    check_valid(after)
    for old, new in zip(runs(before), runs(after), strict=True):
        if isinstance(new.outcome, Blocked) and new.outcome.what is not None:
            assert new.outcome.what.origin.role is not Role.FACT, new.outcome
        if not isinstance(old.outcome, Cut) and not isinstance(new.outcome, Cut):
            assert (new.outcome, new.globals) == (old.outcome, old.globals)


@examples(15, 300)
@given(text=programs())
def test_facts_hold_on_every_run(text: str) -> None:
    check_facts(load([Source(text)]))


@examples(15, 300)
@given(text=programs())
def test_facts_hold_after_the_other_passes(text: str) -> None:
    names = ["merge-implementations", "check-specs", "extract-loops", "prune"]
    check_facts(run_passes(load([Source(text)]), names))
