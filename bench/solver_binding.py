"""How fast terms can be built in Z3, and instantiated.

Four roads build the same formula, of the kind that a procedure's VC is (blocks that imply statements over integers,
arrays and functions, and their successors): the operators of the `z3` package, the C interface through the package's
wrappers, SMT-LIB text that Z3 parses, and Paddock's `Solver`. Then an instance of it is made through `Solver`.

    python bench/solver_binding.py [NODES]
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable

import z3
from z3 import z3core

from paddock.solvers.factory import open_solver
from paddock.solvers.interface import Term
from paddock.solvers.ops import Op
from paddock.solvers.sorts import BOOL, INT, ArraySort

REPEATS = 3

# A formula is a list of nodes in an order in which arguments come first: an operator and the places of its arguments,
# or ("variable", sort, number), ("literal", value).
Node = tuple[object, ...]


def procedure_formula(size: int, seed: int = 1) -> list[Node]:
    """Nodes of a VC-like formula; the last one is the formula."""
    chance = random.Random(seed)
    nodes: list[Node] = []

    def add(*node: object) -> int:
        nodes.append(node)
        return len(nodes) - 1

    # About 14 new nodes for each block.
    blocks = [add("variable", "bool", i) for i in range(size // 14)]
    integers = [add("variable", "int", i) for i in range(len(blocks))]
    arrays = [add("variable", "array", i) for i in range(max(1, len(blocks) // 8))]
    numbers = [add("literal", n) for n in range(10)]
    clauses = []
    for place, block in enumerate(blocks):
        x, y, z = (chance.choice(integers) for _ in range(3))
        a, b = chance.choice(arrays), chance.choice(arrays)
        facts = [
            add("=", x, add("+", y, chance.choice(numbers))),
            add("<", z, add("f", add("select", a, x))),
            add("=", b, add("store", a, y, z)),
        ]
        following = blocks[place + 1 : place + 3] or [block]
        jumps = [add("and", target, add("=", chance.choice(integers), chance.choice(integers))) for target in following]
        clauses.append(add("=>", block, add("and", *facts, add("or", *jumps))))
    add("and", *clauses)
    return nodes


def with_operators(nodes: list[Node]) -> object:
    """The `z3` package as its documentation has it."""
    f = z3.Function("f", z3.IntSort(), z3.IntSort())
    sorts = {"bool": z3.BoolSort(), "int": z3.IntSort(), "array": z3.ArraySort(z3.IntSort(), z3.IntSort())}
    make: dict[object, Callable[..., object]] = {
        "=": lambda a, b: a == b,
        "<": lambda a, b: a < b,
        "+": lambda a, b: a + b,
        "and": z3.And,
        "or": z3.Or,
        "=>": z3.Implies,
        "select": z3.Select,
        "store": z3.Store,
        "f": f,
    }
    built: list[object] = []
    for head, *rest in nodes:
        if head == "variable":
            built.append(z3.Const(f"{rest[0]}{rest[1]}", sorts[rest[0]]))
        elif head == "literal":
            built.append(z3.IntVal(rest[0]))
        else:
            built.append(make[head](*(built[i] for i in rest)))
    return built[-1]


def with_wrappers(nodes: list[Node]) -> object:
    """`Z3_mk_…` through the package's wrappers, with reference counts."""
    context = z3.Context()
    c = context.ref()

    def kept(term: object) -> object:
        z3core.Z3_inc_ref(c, term)
        return term

    integer = kept(z3core.Z3_mk_int_sort(c))
    array = kept(z3core.Z3_mk_array_sort(c, integer, integer))
    sorts = {"bool": kept(z3core.Z3_mk_bool_sort(c)), "int": integer, "array": array}
    f = kept(z3core.Z3_mk_func_decl(c, z3core.Z3_mk_string_symbol(c, "f"), 1, (z3.Sort * 1)(integer), integer))
    binary = {"=": z3core.Z3_mk_eq, "<": z3core.Z3_mk_lt, "=>": z3core.Z3_mk_implies, "select": z3core.Z3_mk_select}
    variadic = {"and": z3core.Z3_mk_and, "or": z3core.Z3_mk_or, "+": z3core.Z3_mk_add}
    built: list[object] = []
    for head, *rest in nodes:
        if head == "variable":
            symbol = z3core.Z3_mk_string_symbol(c, f"{rest[0]}{rest[1]}")
            term = z3core.Z3_mk_const(c, symbol, sorts[rest[0]])
        elif head == "literal":
            term = z3core.Z3_mk_int(c, rest[0], integer)
        elif head in binary:
            term = binary[head](c, built[rest[0]], built[rest[1]])
        elif head == "store":
            term = z3core.Z3_mk_store(c, *(built[i] for i in rest))
        else:
            args = (z3.Ast * len(rest))(*(built[i] for i in rest))
            term = variadic[head](c, len(rest), args) if head in variadic else z3core.Z3_mk_app(c, f, 1, args)
        built.append(kept(term))
    return context, built[-1]


def with_text(nodes: list[Node]) -> object:
    """SMT-LIB text with a let for every node, parsed by Z3."""
    declared = {"bool": "Bool", "int": "Int", "array": "(Array Int Int)"}
    lines = ["(declare-fun f (Int) Int)"]
    lets, names = [], []
    for place, (head, *rest) in enumerate(nodes):
        if head == "variable":
            names.append(f"{rest[0]}{rest[1]}")
            lines.append(f"(declare-fun {names[-1]} () {declared[rest[0]]})")
        elif head == "literal":
            names.append(str(rest[0]))
        else:
            names.append(f"?{place}")
            lets.append(f"(let ((?{place} ({head} {' '.join([names[i] for i in rest])})))")
    text = "\n".join([*lines, f"(assert {' '.join(lets)} {names[-1]}{')' * len(lets)})"])
    return z3.parse_smt2_string(text, ctx=z3.Context())


SORTS = {"bool": BOOL, "int": INT, "array": ArraySort((INT,), INT)}


def with_solver(nodes: list[Node]) -> tuple[object, list[Term], Term]:
    """The road that Paddock takes."""
    solver = open_solver("z3")
    f = solver.terms.declare_function("f", [INT], INT)
    ops = {op.value: op for op in Op}
    built: list[Term] = []
    variables: list[Term] = []
    for head, *rest in nodes:
        if head == "variable":
            built.append(solver.terms.variable(rest[0], SORTS[rest[0]]))
            variables.append(built[-1])
        elif head == "literal":
            built.append(solver.terms.literal(rest[0], INT))
        elif head == "f":
            built.append(solver.terms.apply(f, [built[i] for i in rest]))
        else:
            built.append(solver.terms.app(ops[head], [built[i] for i in rest]))
    return solver, variables, built[-1]


def seconds(work: Callable[[], object]) -> float:
    """The least CPU time of a few runs."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        result = work()
        times.append(time.process_time() - start)
        del result
    return min(times)


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    nodes = procedure_formula(size)
    print(f"formula of {len(nodes)} nodes, CPU time, least of {REPEATS} runs, Z3 {z3.get_version_string()}\n")
    roads = {
        "operators of the z3 package": with_operators,
        "wrapped C functions": with_wrappers,
        "SMT-LIB text": with_text,
        "paddock.solvers": with_solver,
    }
    times = {name: seconds(lambda road=road: road(nodes)) for name, road in roads.items()}
    best = min(times.values())
    for name, taken in times.items():
        print(f"{name:30} {taken / len(nodes) * 1e6:7.2f} µs a node  {taken / best:6.1f} ×")

    solver, variables, formula = with_solver(nodes)
    sorts = [SORTS[node[1]] for node in nodes if node[0] == "variable"]
    template = solver.terms.template(variables, formula)
    fresh = seconds(lambda: [solver.terms.fresh("v", sort) for sort in sorts])
    instances = (
        seconds(lambda: solver.terms.instantiate(template, [solver.terms.fresh("v", sort) for sort in sorts])) - fresh
    )
    print(f"\none instance: {len(sorts)} fresh constants {fresh / len(sorts) * 1e6:.2f} µs each, ", end="")
    print(f"substitution {instances / len(nodes) * 1e6:.2f} µs a node")


if __name__ == "__main__":
    main()
