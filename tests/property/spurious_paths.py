"""Random paths that are not feasible, over many globals: what refinement is tried on."""

from __future__ import annotations

from random import Random

import paddock
from paddock.engines.outcome import Budget
from paddock.engines.refinement.spurious import SpuriousPath
from paddock.ir.expr import Var
from paddock.ir.program import Program
from paddock.solvers.interface import Solver
from paddock.trace.path import Activation, Path, Visit


def random_path(chance: Random, globals_: int, length: int) -> str:
    """A program of one block in which the values of some globals are known, and which ends with what is not true.

    On the way other things are assumed: those that are true, and those about globals of which nothing is known.
    """
    names = [f"g{n}" for n in range(globals_)]
    known: dict[str, int] = {}
    lines = []
    for _ in range(length):
        target, source, number = chance.choice(names), chance.choice(names), chance.randint(-3, 3)
        form = chance.choice(["constant", "copy", "copy", "through a local", "assume", "havoc"])
        match form:
            case "constant":
                lines.append(f"{target} := {number};")
                known[target] = number
            case "copy" | "through a local":
                value = f"{source} + {number}"
                lines.append(f"{target} := {value};" if form == "copy" else f"x := {value}; {target} := x;")
                known.pop(target, None)
                if source in known and source != target:
                    known[target] = known[source] + number
            case "assume" if target in known and source in known:
                lines.append(f"assume {target} - {source} == {known[target] - known[source]};")
            case "assume" if target not in known and source not in known:
                lines.append(f"assume {target} <= {source} + {number};")
            case "havoc":
                lines.append(f"havoc {target};")
                known.pop(target, None)
    if not known:
        lines.append("g0 := 1;")
        known["g0"] = 1
    wrong = chance.sample(sorted(known), chance.randint(1, min(3, len(known))))
    lines.append(f"assume {' + '.join(wrong)} != {sum(known[name] for name in wrong)};")
    declared = "".join(f"var {name}: int;\n" for name in names)
    code = "\n  ".join(lines)
    return f"{declared}procedure main()\n  modifies {', '.join(names)};\n{{\n  var x: int;\n  {code}\n}}"


def only_path(program: Program) -> Path:
    """The path of a program whose entry is one block without calls."""
    (procedure,) = program.procedures
    (block,) = procedure.implementations[0].blocks
    return Path(Activation(procedure.name, [Visit(block.label)]), {})


def spurious_path(text: str, solver: Solver, tracked: int = 0) -> SpuriousPath:
    """The path of such a program when its first few globals are tracked already."""
    program = paddock.load(text)
    variables: list[Var] = [g.var for g in program.globals]
    known, undecided = tuple(variables[:tracked]), tuple(variables[tracked:])
    return SpuriousPath(program, only_path(program), known, undecided, solver, Budget())
