"""The templates of a program's procedures, each built when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable

from paddock.ir.modref import mod_ref
from paddock.ir.program import Procedure, Program, is_loop
from paddock.solvers.interface import Terms
from paddock.vc.encode import Encoder
from paddock.vc.passive import Interface, PassiveProcedure, interface
from paddock.vc.template import Template, build_template


class Templates:
    """Templates by procedure name, for one program in one solver. The program is acyclic within procedures
    and its contracts are all free (passes `check-specs` and `extract-loops`). `serves_one` says of which procedures
    every call has an instance of its own."""

    def __init__(
        self, program: Program, entry: str, terms: Terms, serves_one: Callable[[Procedure], bool] = is_loop
    ) -> None:
        self.program = program
        self.entry = entry
        self.terms = terms
        self.serves_one = serves_one
        self.encoder = Encoder(program, terms)
        effects = mod_ref(program)
        self.interfaces: dict[str, Interface] = {p.name: interface(p, effects[p.name]) for p in program.procedures}
        self._built: dict[str, Template] = {}

    def __getitem__(self, name: str) -> Template:
        template = self._built.get(name)
        if template is None:
            passive = PassiveProcedure(self.program, self.program.procedure_named[name], self.interfaces)
            template = build_template(self.terms, self.encoder, passive, name == self.entry, self.serves_one)
            self._built[name] = template
        return template
