"""What a proof has looked into: the procedures that were inlined, and a hash of all that it depends on.

A proof by inlining depends on the bodies that it looked into, on what is known of the callees that it left open, and on
constants, functions, axioms and globals; if a bound limits it, also on which calls that cuts off, and so on who calls
whom. If none of that has changed, it is still a proof, whatever else has.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection

from paddock.engines.outcome import Outcome
from paddock.frozen import frozen, replace
from paddock.ir.callgraph import CallGraph
from paddock.ir.modref import mod_ref
from paddock.ir.printer import program_text
from paddock.ir.program import Program
from paddock.ir.rewriting import without_capture


@frozen
class LookedInto:
    """The procedures that a proof with this outcome has looked into, and the hash of what it depends on."""

    procedures: tuple[str, ...]
    hash: str
    outcome: Outcome


def hash_of(program: Program, looked_into: Collection[str]) -> str | None:
    """The hash of all that a proof depends on that looks into some procedures; None if one of them is not there."""
    known = program.procedure_named
    if any(name not in known or not known[name].implementations for name in looked_into):
        return None
    effects, calls = mod_ref(program), CallGraph(program)
    open_ = {callee for name in looked_into for callee in calls.callees[name]} - set(looked_into)
    parts = [known[name] for name in sorted(looked_into)]
    parts += [replace(known[name], implementations=(), modifies=effects[name].modifies) for name in sorted(open_)]
    own = without_capture(replace(program, procedures=tuple(parts)))
    # A bound counts activations of procedures that call themselves, and what their attributes add.
    shapes = [(p.name, str(p.attributes), sorted(calls.callees[p.name])) for p in program.procedures]
    return hashlib.sha256("\0".join((program_text(own), *map(str, shapes))).encode()).hexdigest()
