"""The services that lower one function, put together. Models of library functions get the whole."""

from __future__ import annotations

from paddock.frontends.c import tree as t
from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.jumps import Jumps
from paddock.frontends.c.library.registry import model_of
from paddock.frontends.c.lowering.access import Access
from paddock.frontends.c.lowering.assignments import Assignments
from paddock.frontends.c.lowering.blocks import Blocks
from paddock.frontends.c.lowering.branches import Branches
from paddock.frontends.c.lowering.calls import Calls
from paddock.frontends.c.lowering.checks import ArithmeticChecks, Checks
from paddock.frontends.c.lowering.contents import Contents
from paddock.frontends.c.lowering.context import ProgramContext
from paddock.frontends.c.lowering.demand import OnDemand
from paddock.frontends.c.lowering.errno import Errno
from paddock.frontends.c.lowering.expressions import Expressions
from paddock.frontends.c.lowering.goals import goals_in
from paddock.frontends.c.lowering.initialised import Initialised
from paddock.frontends.c.lowering.initialisers import Initialisers
from paddock.frontends.c.lowering.inputs import Inputs
from paddock.frontends.c.lowering.jumping import Jumping
from paddock.frontends.c.lowering.lifetimes import Lifetimes
from paddock.frontends.c.lowering.lvalues import Lvalues
from paddock.frontends.c.lowering.marks import Marks
from paddock.frontends.c.lowering.missing import MissingBodies
from paddock.frontends.c.lowering.notes import Notes
from paddock.frontends.c.lowering.objects import Objects
from paddock.frontends.c.lowering.places import Places
from paddock.frontends.c.lowering.quantifiers import Quantifiers
from paddock.frontends.c.lowering.races import races_of
from paddock.frontends.c.lowering.scalars import Scalars
from paddock.frontends.c.lowering.statements import Statements
from paddock.frontends.c.lowering.steps import Steps
from paddock.frontends.c.lowering.switches import Switches
from paddock.frontends.c.lowering.unsupported import Unsupported
from paddock.frontends.c.lowering.variables import Variables
from paddock.frontends.c.lowering.variadic import Variadic
from paddock.frontends.c.memory import Memory
from paddock.frontends.c.pointsto_classes import Classes
from paddock.ir.expr import Expr, Var


class Lowering:
    """The services that lower one function."""

    numbers: Numbers
    memory: Memory
    pointsto: Classes
    marks: Marks
    notes: Notes
    variables: Variables
    checks: Checks
    objects: Objects
    places: Places

    def __init__(
        self,
        context: ProgramContext,
        function: str,
        jumps: Jumps,
        blocks: Blocks,
        results: tuple[Var, ...],
        exit_label: str | None,
    ) -> None:
        self.context = context
        self.numbers = numbers = context.numbers
        self.memory = memory = context.memory
        self.pointsto = pointsto = context.pointsto
        self.blocks = blocks
        self.marks = marks = Marks(blocks)
        self.notes = notes = Notes(blocks, marks, context.presentation)
        self.variables = variables = Variables(
            blocks, numbers, context.leaves, pointsto, context.globals, context.constants, function
        )
        self.checks = Checks(blocks, notes, context.settings)
        self.arithmetic = ArithmeticChecks(self.checks, numbers)
        self.objects = Objects(
            blocks,
            self.checks,
            numbers,
            context.globals,
            context.space,
            context.settings,
            context.presentation,
            context.tracks_sizes,
            Initialised(blocks, self.checks),
        )
        self.places = places = Places(variables, marks, numbers, context.layout, pointsto, context.messages)
        races = races_of(context, function, blocks, self.checks)
        self.access = Access(blocks, marks, notes, self.objects, places, numbers, memory, context.leaves, races)
        self.contents = Contents(blocks, self.access, places, variables, numbers, memory, context.leaves, pointsto)
        self.inputs = Inputs(blocks, self.contents, numbers, memory, pointsto, context.globals, context.outside)
        self.errno = Errno(context.errno, blocks, variables, places, self.access, numbers)
        self.expressions = Expressions(marks, numbers)
        self.lifetimes = Lifetimes(blocks, self.objects, places, self.contents, variables, jumps)
        self.initialisers = Initialisers(
            self.expressions,
            self.access,
            places,
            self.contents,
            self.lifetimes,
            blocks,
            marks,
            notes,
            numbers,
            context.leaves,
        )
        self.variadic = Variadic(
            self.expressions, self.access, places, self.objects, blocks, marks, numbers, context.layout, pointsto
        )
        self.goals = goals_in(blocks, context, function)
        self.statements = Statements(
            self.expressions, self.initialisers, self.lifetimes, blocks, notes, self.goals, results, exit_label
        )
        self._register()

    def _register(self) -> None:
        """Say who knows which kinds of expressions and statements."""
        context, expressions, statements, blocks = self.context, self.expressions, self.statements, self.blocks
        missing = MissingBodies(context, blocks, self.variables, self.places, self.inputs, self.errno, self.notes)
        unsupported = Unsupported(blocks, self.variables, context.messages, context.bodiless)
        jumping = Jumping(blocks, self.lifetimes, self.checks, unsupported, expressions, self.numbers)
        for service in (
            Lvalues(
                expressions,
                self.access,
                self.places,
                self.objects,
                self.variables,
                context.constants,
                self.marks,
                self.notes,
                self.numbers,
                self.pointsto,
            ),
            Scalars(
                expressions,
                self.access,
                self.places,
                self.arithmetic,
                context.constants,
                self.numbers,
                self.pointsto,
                context.outside,
            ),
            OnDemand(expressions, blocks, self.marks, self.notes, self.numbers),
            Assignments(expressions, self.access, self.places, self.marks, self.notes, self.arithmetic),
            Quantifiers(expressions, self.variables, self.notes, self.numbers, context.messages),
            Calls(
                context,
                expressions,
                blocks,
                self.variables,
                self.checks,
                self.notes,
                self.variadic,
                missing,
                self._modelled,
            ),
            unsupported,
            self.initialisers,
            self.variadic,
            statements,
        ):
            expressions.register(service.handlers())
        for control in (
            jumping,
            Branches(statements, expressions, jumping, blocks, self.notes, self.goals),
            Switches(statements, expressions, jumping, blocks, self.notes, self.numbers, self.goals),
        ):
            statements.register(control.handlers())

    def _modelled(self, name: str, function: t.Function | None, call: t.Call) -> Steps[tuple[Expr, ...]] | None:
        """What a call does, if the library has a model for it."""
        model = model_of(name, function, call)
        return None if model is None else model(self, call)
