"""A region as a C program, for verifiers that read C: integers of 8, 16, 32 and 64 bits, `float` and `double`,
Booleans, jumps and calls.

It is written from the program as Paddock sees it, not from the source: what is arbitrary in the region is arbitrary in
C, pointers and arrays have become numbers and maps before, and no behaviour of C is left open. What has no exact
counterpart (maps, which is memory; numbers without bounds; quantifiers; functions without a meaning) is arbitrary
wherever its value is asked for, so that no execution of the region is missing: what cannot fail in C cannot fail there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from paddock.backends import c_bits, c_floats
from paddock.digits import digits
from paddock.ir.entry import entry_name
from paddock.ir.expr import App, Expr, Extract, Fn, Lit, Op, Var
from paddock.ir.printer import short_text
from paddock.ir.program import Procedure, Program, VarDecl, built_in, find_attribute
from paddock.ir.stmt import Assert, Assign, Assume, Block, Call, Goto, Havoc, Statement
from paddock.ir.types import BOOL, Bv, Float, Type

LONGEST = 300  # characters of an expression; parts of larger ones get a variable, as they may be shared
SHOWN = 60  # characters of an expression, in a message
MOST_NAMED = 20  # things without a counterpart


class NotInC(Exception):
    """What has no counterpart in C."""


def c_text(program: Program) -> str:
    """The program in C; its entry is `main`, and assertions are `__CPROVER_assert(…, "id")`, each on a line of its own.
    First comes what is arbitrary for want of a counterpart. Raises `NotInC` if there are threads."""
    writer = _Writer(program)
    lines = list(writer.lines())
    missing = [f"//   {reason}" for reason in list(writer.arbitrary)[:MOST_NAMED]]
    if missing:
        more = ["//   and more"] if len(writer.arbitrary) > MOST_NAMED else []
        lines = [
            "// Without an exact counterpart in C, and arbitrary wherever it is asked for:",
            *missing,
            *more,
            *lines,
        ]
    return "\n".join(lines) + "\n"


def assertion_lines(text: str) -> dict[int, str]:
    """The id of the assertion in each line of such a text that has one."""
    found: dict[int, str] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if match := re.match(r'\s*__CPROVER_assert\(.*, "(\w+)"\);$', line):
            found[number] = match[1]
    return found


# Verifiers know these; compilers do not.
_DECLARATIONS = (
    "#ifndef __CPROVER__",
    "void __CPROVER_assume(_Bool condition);",
    "void __CPROVER_assert(_Bool condition, const char *id);",
    "#endif",
)

_SIMPLE = {
    Op.NOT: "!{a}",
    Op.AND: "({a} && {b})",
    Op.OR: "({a} || {b})",
    Op.IMPLIES: "(!{a} || {b})",
    Op.IFF: "({a} == {b})",
    Op.EQ: "({a} == {b})",
    Op.NE: "({a} != {b})",
    Op.ITE: "({a} ? {b} : {c})",
}


def _width(type_: Type) -> int:
    match type_:
        case Bv(width) if width in c_bits.WIDTHS:
            return width
        case _:
            raise NotInC(f"the type {type_}")


def _is_in_c(type_: Type) -> bool:
    return type_ is BOOL or type_ in c_floats.WIDTHS or (isinstance(type_, Bv) and type_.width in c_bits.WIDTHS)


def _c_type(type_: Type) -> str:
    if type_ in c_floats.WIDTHS:
        return f"f{c_floats.WIDTHS[type_]}"
    return "_Bool" if type_ is BOOL else f"u{_width(type_)}"


class _Names:
    """Names for C, each used once, and variables that hold parts of expressions."""

    def __init__(self) -> None:
        self._count = 0
        self._parts: list[str] = []  # declarations of parts of the expressions that are being written

    def new(self, name: str) -> str:
        """A name that is like another one."""
        self._count += 1
        return f"p{self._count}_{re.sub('[^A-Za-z0-9_]', '_', name)}"

    def part(self, type_: Type, text: str) -> str:
        """A variable for a part of an expression."""
        name = self.new("part")
        self._parts.append(f"{_c_type(type_)} {name} = {text};")
        return name

    def declarations(self) -> list[str]:
        """The variables that the expressions of a statement need before it."""
        parts, self._parts = self._parts, []
        return parts


class _Writer:
    """Writes a program. Variables whose type C does not have are left out, with all that is done to them."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.arbitrary: dict[str, None] = {}  # what has no counterpart
        self.entry = entry_name(program)
        self._names = _Names()
        declared = [*(d.var for d in program.globals), *(c.var for c in program.constants)]
        self._globals = [var for var in declared if self._has(var)]
        self._variables = {var: self._names.new(var.name) for var in self._globals}
        self._procedures = {p.name: self._names.new(p.name) for p in program.procedures}

    def _has(self, var: Var) -> bool:
        """Whether there is such a variable in C."""
        if not _is_in_c(var.type):
            self.arbitrary[f"the type {var.type}"] = None
        return _is_in_c(var.type)

    def lines(self) -> Iterator[str]:
        for width, words in c_bits.WIDTHS.items():
            yield f"typedef {words} u{width};"
            yield f"u{width} nondet_u{width}(void);"
        yield "_Bool nondet_bool(void);"
        yield from _DECLARATIONS
        yield from c_bits.declarations()
        yield from c_floats.declarations()
        for var in self._globals:
            yield f"static {_c_type(var.type)} {self._variables[var]};"
        for procedure in self.program.procedures:
            yield f"{self._head(procedure)};"
        for procedure in self.program.procedures:
            yield from self._procedure(procedure)
        yield from self._main()

    def _main(self) -> Iterator[str]:
        yield from ("int main(void)", "{")
        yield from (f"  {line}" for line in self._havocs(self._globals))
        unique = [c.var for c in self.program.constants if c.unique and isinstance(c.var.type, Bv)]
        for one, other in combinations([var for var in unique if self._has(var)], 2):
            if one.type == other.type:
                yield f"  __CPROVER_assume({self._variables[one]} != {self._variables[other]});"
        for axiom in self.program.axioms:
            yield from (f"  {line}" for line in self._assumed(axiom.condition))
        entry = self.program.procedure_named[self.entry]
        params, results = self._in_c(entry.params), self._in_c(entry.results)
        for n, var in enumerate((*params, *results)):
            yield f"  {_c_type(var.type)} v{n} = {_arbitrary(var.type)};"
        arguments = [f"{'&' if n >= len(params) else ''}v{n}" for n in range(len(params) + len(results))]
        yield from (f"  {self._procedures[self.entry]}({', '.join(arguments)});", "  return 0;", "}")

    # --- procedures -------------------------------------------------------------------------------------------------

    def _in_c(self, declarations: Sequence[VarDecl]) -> list[Var]:
        return [d.var for d in declarations if self._has(d.var)]

    def _head(self, procedure: Procedure) -> str:
        params = [f"{_c_type(var.type)} i{n}" for n, var in enumerate(self._in_c(procedure.params))]
        params += [f"{_c_type(var.type)} *o{n}" for n, var in enumerate(self._in_c(procedure.results))]
        return f"static void {self._procedures[procedure.name]}({', '.join(params) or 'void'})"

    def _procedure(self, procedure: Procedure) -> Iterator[str]:
        """A procedure; without a body it does anything that it may, whatever its contract says."""
        yield from (self._head(procedure), "{")
        body, results = procedure.body, self._in_c(procedure.results)
        if body is None:
            yield from (f"  {line}" for line in self._havocs(procedure.modifies))
            yield from (f"  *o{n} = {_arbitrary(var.type)};" for n, var in enumerate(results))
            yield "}"
            return
        inputs = {var: f"i{n}" for n, var in enumerate(self._in_c(procedure.params))}
        for var in (*inputs, *results, *self._in_c(body.locals)):
            name = self._variables[var] = self._names.new(var.name)
            yield f"  {_c_type(var.type)} {name} = {inputs.get(var) or _arbitrary(var.type)};"
        self._targets = {block.label: (f"l{n}", block.statements[:1]) for n, block in enumerate(body.blocks)}
        for block in body.blocks:
            yield from (f"  {line}" for line in self._block(block, results))
        yield "}"

    def _block(self, block: Block, results: Sequence[Var]) -> Iterator[str]:
        yield f"{self._targets[block.label][0]}:;"
        for statement in block.statements:
            yield from self._statement(statement)
        match block.transfer:
            case Goto(targets):
                *others, last = (self._targets[target] for target in targets)
                # What verifiers know of the values says which way to go; a choice that is assumed later says nothing.
                condition = _deciding(*others[0][1], *last[1]) if len(others) == 1 else None
                text = "nondet_bool()" if condition is None else self._expr(condition)
                yield from self._names.declarations()
                yield from (f"if ({text}) goto {label};" for label, _ in others)
                yield f"goto {last[0]};"
            case _:
                yield from (f"*o{n} = {self._variables[var]};" for n, var in enumerate(results))
                yield "return;"

    def _statement(self, statement: Statement) -> Iterator[str]:
        match statement:
            case Assume(condition):
                yield from self._assumed(condition)
            case Assert(condition, attributes):
                given, text = find_attribute(attributes, "id"), self._expr(condition)
                yield from self._names.declarations()
                named = re.sub(r"\W", "_", str(given.params[0])) if given and given.params else ""
                yield f'__CPROVER_assert({text}, "{named}");'
            case Assign(targets, values):
                pairs = [(t, self._expr(v)) for t, v in zip(targets, values, strict=True) if self._has(t)]
                yield from self._names.declarations()
                if len(pairs) == 1:
                    yield f"{self._variables[pairs[0][0]]} = {pairs[0][1]};"
                else:
                    news = [f"{_c_type(t.type)} new{n} = {text};" for n, (t, text) in enumerate(pairs)]
                    yield from self._set([t for t, _ in pairs], news)
            case Havoc(targets):
                yield from self._havocs(targets)
            case Call(procedure, args, results, asynchronous=False):
                formals = self.program.procedure_named[procedure].params
                passed = [self._expr(arg) for arg, formal in zip(args, formals, strict=True) if self._has(formal.var)]
                yield from self._names.declarations()
                kept = [var for var in results if self._has(var)]
                passed += [f"&new{n}" for n in range(len(kept))]
                news = [f"{_c_type(var.type)} new{n};" for n, var in enumerate(kept)]
                yield from self._set(kept, [*news, f"{self._procedures[procedure]}({', '.join(passed)});"])
            case _:
                raise NotInC("there are threads")

    def _set(self, variables: Sequence[Var], news: Sequence[str]) -> Iterator[str]:
        """Give variables the values that `news` have for them."""
        sets = [f"{self._variables[var]} = new{n};" for n, var in enumerate(variables)]
        if news:
            yield " ".join(["{", *news, *sets, "}"])

    def _assumed(self, condition: Expr) -> Iterator[str]:
        text = self._expr(condition)
        yield from self._names.declarations()
        yield f"__CPROVER_assume({text});"

    def _havocs(self, variables: Sequence[Var]) -> Iterator[str]:
        return (f"{self._variables[var]} = {_arbitrary(var.type)};" for var in variables if self._has(var))

    # --- expressions ------------------------------------------------------------------------------------------------

    def _expr(self, expr: Expr) -> str:
        """An expression of a type that C has, parts before wholes: it may be deep. What stands for parts of types that
        C does not have is not used."""
        texts: dict[Expr, str] = {}
        stack = [expr]
        while stack:
            node = stack[-1]
            waiting = [a for a in node.args if a not in texts] if isinstance(node, App) else []
            if node not in texts and not waiting:
                texts[node] = self._written(node, texts) if _is_in_c(node.type) else ""
            if node in texts:
                stack.pop()
            stack += waiting
        return texts[expr]

    def _written(self, node: Expr, texts: dict[Expr, str]) -> str:
        """A node whose parts are written."""
        try:
            text = self._exact(node, texts)
        except NotInC as reason:
            self.arbitrary[str(reason)] = None
            return self._names.part(node.type, _arbitrary(node.type))
        return self._names.part(node.type, text) if len(text) > LONGEST else text

    def _exact(self, node: Expr, texts: dict[Expr, str]) -> str:
        match node:
            case Lit(bool(value)):
                return digits(int(value))
            case Lit(int(value), Bv(width)) if width in c_bits.WIDTHS:
                return c_bits.literal(value, width)
            case Lit(int(value), Float() as type_) if type_ in c_floats.WIDTHS:
                return c_floats.literal(value, c_floats.WIDTHS[type_])
            case Var() if node in self._variables:
                return self._variables[node]
            case App(args=args):
                if missing := next((arg for arg in args if not _is_in_c(arg.type)), None):
                    raise NotInC(f"the type {missing.type}")
                return self._applied(node, [texts[arg] for arg in args])
            case _:
                raise NotInC(short_text(node, SHOWN))

    def _applied(self, node: App, args: list[str]) -> str:
        named = dict(zip("abc", args, strict=False))
        float_width = c_floats.WIDTHS.get(node.args[0].type) if args else None
        match node.op:
            case Op() as op if float_width is not None and op in c_floats.OPERATORS:
                return c_floats.OPERATORS[op].format(**named, n=float_width)
            case Op() as op if op in _SIMPLE:
                return _SIMPLE[op].format(**named)
            case Op.CONCAT:
                low, whole = _width(node.args[1].type), _width(node.type)
                return f"(u{whole})(((u{whole}){args[0]} << {low}) | {args[1]})"
            case Extract(_, low):
                return f"(u{_width(node.type)})({args[0]} >> {low})"
            case Fn(name):
                return self._builtin(name, node, named)
            case _:
                raise NotInC(short_text(node, SHOWN))

    def _builtin(self, name: str, node: App, args: dict[str, str]) -> str:
        meaning = built_in(self.program.function_named[name]) or ""
        operands = [arg.type for arg in node.args]
        if (on_floats := c_floats.builtin(meaning, operands, node.type, args)) is not None:
            # An operand may be written twice, and what is arbitrary must not be two things.
            return self._names.part(node.type, on_floats) if c_floats.may_be_arbitrary(meaning) else on_floats
        match operands:
            case [Bv(width), *others] if all(other == operands[0] for other in others):
                text = c_bits.builtin(meaning, width, node.type, args)
            case _:
                text = None
        if text is None:
            raise NotInC(f"the function {name}")
        return text


def _deciding(*first: Statement) -> Expr | None:
    """The condition that decides between two blocks, given how they start: one assumes it, the other its negation."""
    match first:
        case Assume(holds), Assume(App(Op.NOT, (negated,))) if negated is holds:
            return holds
        case Assume(App(Op.NOT, (negated,)) as holds), Assume(other) if negated is other:
            return holds
        case _:
            return None


def _arbitrary(type_: Type) -> str:
    return "nondet_bool()" if type_ is BOOL else f"nondet_{_c_type(type_)}()"
