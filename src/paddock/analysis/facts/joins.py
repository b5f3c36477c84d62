"""Where the pass `facts` has something to say inside a body: which variables matter at which block.

Where branches meet, these are the variables that may have been assigned since the branches parted. Of the others,
nothing is known that was not known before, unless by conditions alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from paddock.ir.cfg import Cfg
from paddock.ir.expr import Expr, Lit, Scope, Var
from paddock.ir.modref import assigned
from paddock.ir.stmt import Assert, Assign, Assume, Block, Call
from paddock.ir.walk import variables

_Versions = dict[Var, int]  # which assignment a variable's value is from; none: from before the body


def merged_variables(
    cfg: Cfg, interesting: Mapping[str, Iterable[Var]], changed_by: Callable[[str], Iterable[Var]]
) -> dict[str, list[Var]]:
    """For each of the given blocks, where branches meet: the variables that arrive there in several versions.

    Only those variables count that are interesting at one of the blocks. `changed_by` gives the globals that a
    procedure changes. Where blocks form a cycle, all that is assigned anywhere counts as assigned on the way.
    """
    counted = {var for vars_ in interesting.values() for var in vars_}
    if not counted:
        return {}
    position, order = cfg.position, cfg.reverse_postorder
    assignments = {
        label: [var for var in _assigned(cfg.blocks[label], changed_by) if var in counted] for label in order
    }
    everything = list(dict.fromkeys(var for vars_ in assignments.values() for var in vars_))
    result: dict[str, list[Var]] = {}
    leaving: dict[str, _Versions] = {}
    number = 0
    for label in order:
        before = [p for p in cfg.predecessors[label] if p in position]
        arriving = [leaving[p] for p in before if p in leaving] or [{}]
        versions = arriving[0]
        if len(arriving) < len(before) or label == cfg.entry:
            merged = everything if before else []
        else:
            merged = _different(arriving)
        if merged:
            number += 1
            versions = {**versions, **dict.fromkeys(merged, number)}
            if label in interesting:
                result[label] = merged
        if assignments[label]:
            number += 1
            versions = {**versions, **dict.fromkeys(assignments[label], number)}
        leaving[label] = versions
    return result


def _different(versions: list[_Versions]) -> list[Var]:
    first = versions[0]
    others = [other for other in versions[1:] if other is not first]
    return list(dict.fromkeys(v for other in others for v in (*first, *other) if first.get(v) != other.get(v)))


def _assigned(block: Block, changed_by: Callable[[str], Iterable[Var]]) -> list[Var]:
    found: list[Var] = []
    for statement in block.statements:
        if isinstance(statement, Call):
            found += changed_by(statement.procedure)
        found += assigned(statement)
    return found


def last_reads(cfg: Cfg) -> dict[Var, int]:
    """The locals that are read, each with the position of the last block that reads it.

    Where blocks form a cycle there is no last one: it is the position of the last block of all.
    """
    last: dict[Expr, int] = {}
    for number, label in enumerate(cfg.reverse_postorder):
        for statement in cfg.blocks[label].statements:
            match statement:
                case Assume(condition) | Assert(condition):
                    last[condition] = number
                case Assign(_, exprs) | Call(_, exprs):
                    last.update(dict.fromkeys(exprs, number))
                case _:
                    pass
    result: dict[Var, int] = {}
    for expr, number in last.items():
        if not isinstance(expr, Lit):
            for var in (expr,) if isinstance(expr, Var) else variables(expr):
                if var.scope is Scope.LOCAL and number > result.get(var, -1):
                    result[var] = number
    if any(cfg.position[s] <= n for n, label in enumerate(cfg.reverse_postorder) for s in cfg.successors[label]):
        result = dict.fromkeys(result, len(cfg.reverse_postorder) - 1)
    return result
