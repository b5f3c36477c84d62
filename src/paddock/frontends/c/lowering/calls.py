"""Calls: of functions with a body, of library functions, of functions that are not there, and through pointers.

A call through a pointer branches over the functions whose address the pointer may hold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.terms import conjunction, equal, negation
from paddock.frontends.c.fitting import Fit, fit
from paddock.frontends.c.library.threads import ATOMIC, BEGIN, END, STARTS, primitive
from paddock.frontends.c.lowering.blocks import Blocks
from paddock.frontends.c.lowering.checks import Checks
from paddock.frontends.c.lowering.context import ProgramContext, leaf_type
from paddock.frontends.c.lowering.expressions import Expressions, Handlers
from paddock.frontends.c.lowering.missing import MissingBodies
from paddock.frontends.c.lowering.notes import Notes
from paddock.frontends.c.lowering.steps import Steps
from paddock.frontends.c.lowering.variables import Variables
from paddock.frontends.c.lowering.variadic import Variadic
from paddock.frontends.c.show import Note
from paddock.frontends.c.text import expression_text
from paddock.frontends.c.wrappers import is_short
from paddock.frozen import frozen
from paddock.ir.build import FALSE, TRUE
from paddock.ir.expr import Attribute, Attributes, Expr, Var
from paddock.ir.lexical import quotable
from paddock.ir.origin import Origin
from paddock.ir.stmt import Call
from paddock.ir.threads import ACCESSES

# What a call of a function of that name does if the library has a model for it, and the function no body of its own.
Library = Callable[[str, t.Function | None, t.Call], Steps[tuple[Expr, ...]] | None]


@frozen
class Calls:
    """Calls functions."""

    context: ProgramContext
    expressions: Expressions
    blocks: Blocks
    variables: Variables
    checks: Checks
    notes: Notes
    variadic: Variadic
    missing: MissingBodies
    library: Library

    def handlers(self) -> Handlers:
        return Handlers(values={t.Call: self._call})

    def _call(self, node: t.Call) -> Steps[tuple[Expr, ...]]:
        if isinstance(node.function, t.FunctionUse):
            return self._named(node.function.name, node)
        return self._through_pointer(node)

    def _named(self, name: str, node: t.Call) -> Steps[tuple[Expr, ...]]:
        """Call a function by its unique name."""
        function = self.context.functions.get(name)
        modelled = self.library(name, function, node)
        if modelled is not None:
            held: tuple[Expr, ...] = yield modelled
            # The program may have declared a function that returns nothing as one that does.
            return held or self.variables.arbitrary_values(node.type)
        arguments: list[tuple[Expr, ...]] = yield self.expressions.all(node.arguments)
        if function is None or function.body is None:
            return self.missing.call(name, node, arguments)
        return self._with_body(function, node, arguments)

    def _with_body(self, function: t.Function, node: t.Call, arguments: list[tuple[Expr, ...]]) -> tuple[Expr, ...]:
        numbers = self.context.numbers
        passed: list[Expr] = []
        for n, parameter in enumerate(function.parameters):
            if n >= len(arguments):
                passed += self.variables.arbitrary_values(parameter.type)
            elif c.is_scalar(parameter.type) and c.is_scalar(node.arguments[n].type):
                passed.append(numbers.convert(arguments[n][0], node.arguments[n].type, parameter.type))
            else:
                passed += arguments[n]
        if function.type.variadic:
            extra = range(len(function.parameters), len(arguments))
            passed.append(self.variadic.block(function, [(node.arguments[n], arguments[n]) for n in extra]))
        if fit(function, node, self.context.layout) is Fit.NONE:
            message = f"{expression_text(node)} calls {function.written_name}, which does not fit"
            self.checks.insist("pointer", FALSE, message, node.origin)
        results = self.variables.results(function.type.result)
        name = self.context.procedure_name(function)
        attributes, origin = self._as_assertion(function, node)
        starts, atomic = function.name in STARTS, self.context.has_threads and function.name.startswith(ATOMIC)
        if starts:
            attributes = (Attribute(ACCESSES),)
        called = Call(name, tuple(passed), results, asynchronous=starts, attributes=attributes, origin=origin)
        for statement in (primitive(self.context, BEGIN, origin), called, primitive(self.context, END, origin)):
            if atomic or statement is called:
                self.blocks.emit(statement)
        if c.is_scalar(function.type.result) and c.is_scalar(node.type):
            return (numbers.convert(results[0], function.type.result, node.type),)
        return results

    def _as_assertion(self, function: t.Function, node: t.Call) -> tuple[Attributes, Origin]:
        """How the arguments of a call are written and where it is, if the call may count as an assertion."""
        origin = self.blocks.origin
        if function.name not in self.context.possible_wrappers or len(node.arguments) != len(function.parameters):
            return (), origin
        if node.origin.file:
            origin = origin.asserting(node.origin.identity(""))
        noted = origin.noted(self.context.presentation.add(Note("", failing=self.notes.watches())))
        if not all(map(is_short, node.arguments)):
            return (), noted
        texts = tuple(quotable(expression_text(argument)) for argument in node.arguments)
        return (Attribute("arguments", texts),) if texts else (), noted

    # --- through pointers ------------------------------------------------------------------------------------

    def _through_pointer(self, node: t.Call) -> Steps[tuple[Expr, ...]]:
        context, blocks, function = self.context, self.blocks, node.function
        if isinstance(function, t.Dereference):
            function = function.pointer
        pointer: Expr = yield self.expressions.value(function)
        saved = blocks.locals.temporary(pointer.type, "function")
        blocks.put(saved, pointer)
        pointed_to = context.pointsto.pointed_to(node)
        callees = [callee for callee, fits in pointed_to if fits >= Fit.CLOSE]
        join, other = blocks.label("returned"), blocks.label("other")
        results: list[Var] = []
        if not isinstance(node.type, c.VoidType):
            leaves = context.leaves.of(node.type)
            results = [blocks.locals.temporary(leaf_type(leaf, context.numbers), "chosen") for leaf in leaves]
        message = f"the pointer in {expression_text(node)} points to no function of its type"
        labels = [blocks.exact_label(f"call.{callee.name}.{blocks.origin.line}") for callee in callees]
        none: Expr = TRUE
        for callee in callees:
            none = conjunction(none, negation(equal(saved, context.constants.function(callee.name))))
        blocks.goto(*labels, other)
        for label, callee in zip(labels, callees, strict=True):
            blocks.enter(label, equal(saved, context.constants.function(callee.name)))
            if (callee, Fit.CLOSE) in pointed_to:
                self.checks.check("pointer", FALSE, message, node.origin)
            held: tuple[Expr, ...] = yield self._named(callee.name, node)
            self._finish_way(results, held or self.variables.arbitrary_values(node.type), join)
        blocks.enter(other, none)
        is_from_outside = context.pointsto.target(node.function) in context.pointsto.arbitrary
        self._check_other(node, saved, pointed_to, message, is_from_outside=is_from_outside)
        if is_from_outside:
            arguments: list[tuple[Expr, ...]] = yield self.expressions.all(node.arguments)
            held = self.missing.call(None, node, arguments)
        else:
            held = self.variables.arbitrary_values(node.type)
        self._finish_way(results, held, join)
        blocks.open(join)
        return tuple(results)

    def _check_other(
        self,
        node: t.Call,
        pointer: Expr,
        pointed_to: Sequence[tuple[t.Function, Fit]],
        message: str,
        *,
        is_from_outside: bool,
    ) -> None:
        """A pointer holds the address of no function that fits the call."""
        context, text = self.context, expression_text(node)
        if "pointer" in context.settings.checks:
            self.checks.check("pointer", FALSE, message, node.origin)
            return
        if not pointed_to and not is_from_outside:
            context.messages.warn(f"it is not known what {text} calls: it may return anything", node.origin)
        self.blocks.assume(negation(equal(pointer, context.numbers.address(0))))  # the program is ended
        for callee, fits in pointed_to:
            if fits < Fit.CLOSE:
                called = negation(equal(pointer, context.constants.function(callee.name)))
                problem = f"{text} calls {callee.written_name}, which does not fit"
                self.checks.insist("pointer", called, problem, node.origin)

    def _finish_way(self, results: Sequence[Var], held: Sequence[Expr], join: str) -> None:
        for result, value in zip(results, held, strict=False):
            self.blocks.assign(result, value)
        self.blocks.goto(join)
