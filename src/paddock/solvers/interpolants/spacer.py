"""Interpolants by Spacer, Z3's solver for Horn clauses: what holds implies a relation, and the point is not in it."""

from __future__ import annotations

from paddock.solvers.interpolants.problem import Problem, conjunction
from paddock.solvers.sexpr import Sexpr, parse, without_lets
from paddock.solvers.z3.context import Z3Context
from paddock.solvers.z3.portfolio import WORK_PER_SECOND

_HOLDS, _BAD = "interpolant!", "bad!"
_UNSAT = -1
# Or else the relation is gone before it has been looked for.
_OFF = ("xform.inline_eager", "xform.inline_linear", "xform.slice")


class Spacer:
    """Z3's Spacer: integers, reals, bit-vectors and arrays; no functions."""

    name = "Spacer"

    def suits(self, problem: Problem) -> bool:
        return not (problem.has_functions or problem.has_floats_or_strings or problem.has_quantifiers)

    def interpolant(self, problem: Problem, effort: float) -> Sexpr | None:
        context = Z3Context()
        try:
            return _named(_answered(context, _horn_clauses(problem), effort), problem)
        finally:
            context.free()


def _horn_clauses(problem: Problem) -> str:
    constants = problem.constants()
    sorts = dict(constants)
    shared = [symbol for symbol, _ in problem.point]
    relation = f"({_HOLDS} {' '.join(shared)})"
    point = [f"(= {symbol} {value})" for symbol, value in problem.point]
    return "\n".join(
        [
            f"(declare-rel {_HOLDS} ({' '.join(sorts[symbol] for symbol in shared)}))",
            f"(declare-rel {_BAD} ())",
            *(f"(declare-var {symbol} {sort})" for symbol, sort in constants),
            f"(rule (=> {conjunction(problem.assertions())} {relation}))",
            f"(rule (=> {conjunction([relation, *point])} {_BAD}))",
            f"(query {_BAD})",
        ]
    )


def _answered(context: Z3Context, clauses: str, effort: float) -> str:
    """What Spacer says that the relations are; empty if it does not know."""
    bound = context.bound
    symbol = bound("mk_string_symbol", "pps")
    parameters = bound("mk_params", "pp")()
    bound("params_inc_ref", "-pp")(parameters)
    bound("params_set_symbol", "-pppp")(parameters, symbol(b"engine"), symbol(b"spacer"))
    bound("params_set_uint", "-pppu")(parameters, symbol(b"rlimit"), max(1, int(effort * WORK_PER_SECOND)))
    for name in _OFF:
        bound("params_set_bool", "-pppb")(parameters, symbol(name.encode()), False)
    fixedpoint = bound("mk_fixedpoint", "pp")()
    bound("fixedpoint_inc_ref", "-pp")(fixedpoint)
    try:
        bound("fixedpoint_set_params", "-ppp")(fixedpoint, parameters)
        return _relations(context, fixedpoint, clauses)
    finally:
        bound("fixedpoint_dec_ref", "-pp")(fixedpoint)
        bound("params_dec_ref", "-pp")(parameters)


def _relations(context: Z3Context, fixedpoint: int, clauses: str) -> str:
    bound = context.bound
    queries = bound("fixedpoint_from_string", "ppps")(fixedpoint, clauses.encode())
    if context.errors or not queries:
        return ""
    bound("ast_vector_inc_ref", "-pp")(queries)
    try:
        query = bound("ast_vector_get", "pppu")(queries, 0)
        if bound("fixedpoint_query", "ippp")(fixedpoint, query) != _UNSAT or context.errors:
            return ""
        text: bytes = bound("ast_to_string", "spp")(bound("fixedpoint_get_answer", "ppp")(fixedpoint))
        return "" if context.errors else text.decode(errors="replace")
    finally:
        bound("ast_vector_dec_ref", "-pp")(queries)


def _named(text: str, problem: Problem) -> Sexpr | None:
    """The definition of the relation in `(and … (forall ((A Int) …) (! (= (relation A …) definition) …)))`."""
    try:
        parsed = parse(text)
    except ValueError:
        return None
    stack = list(parsed)
    while stack:
        match stack.pop():
            case ["forall", [*_], ["!", body, *_]]:
                match without_lets(body):
                    case ["=", [head, *variables], definition] if head == _HOLDS:
                        symbols = [symbol for symbol, _ in problem.point]
                        return ["let", [list(pair) for pair in zip(variables, symbols, strict=True)], definition]
            case ["and", *parts]:
                stack += parts
    return None
