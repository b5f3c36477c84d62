"""A region as a C program, for verifiers that read C: integers of 8, 16, 32 and 64 bits, `float` and `double`,
Booleans, jumps and calls.

It is written from the program as Paddock sees it, not from the source: what is arbitrary in the region is arbitrary in
C, pointers and arrays have become numbers and maps before, and no behaviour of C is left open. What has no exact
counterpart is refused: maps (memory), numbers without bounds, other floating point, quantifiers, functions without a
meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from paddock.ir.entry import entry_name
from paddock.ir.expr import App, Expr, Extract, Fn, Lit, Op, Var
from paddock.ir.printer import short_text
from paddock.ir.program import Procedure, Program, VarDecl, find_attribute
from paddock.ir.stmt import Assert, Assign, Assume, Block, Call, Goto, Havoc, Statement
from paddock.ir.types import BOOL, Bv, Float, Type
from paddock.search.regions import c_floats

LONGEST = 100_000  # characters of an expression
SHOWN = 60  # characters of an expression, in a message
WIDTHS = {8: "unsigned char", 16: "unsigned short", 32: "unsigned int", 64: "unsigned long long"}


class NotInC(Exception):
    """A region that cannot be written in C, and why."""


def c_text(program: Program) -> str:
    """The program in C; its entry is `main`, and assertions are `__CPROVER_assert(…, "id")`, each on a line of its own.
    Raises `NotInC`."""
    return "\n".join(_Writer(program).lines()) + "\n"


def assertion_lines(text: str) -> dict[int, str]:
    """The id of the assertion in each line of such a text that has one."""
    found: dict[int, str] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if match := re.match(r'\s*__CPROVER_assert\(.*, "(\w+)"\);$', line):
            found[number] = match[1]
    return found


# With operands of n bits as words of w bits (32 or more, so that C does not make them signed), and the sign bit s.
_OPERATORS = {
    "bvadd": "(u{n})((u{w}){a} + (u{w}){b})",
    "bvsub": "(u{n})((u{w}){a} - (u{w}){b})",
    "bvmul": "(u{n})((u{w}){a} * (u{w}){b})",
    "bvand": "(u{n})((u{w}){a} & (u{w}){b})",
    "bvor": "(u{n})((u{w}){a} | (u{w}){b})",
    "bvxor": "(u{n})((u{w}){a} ^ (u{w}){b})",
    "bvneg": "(u{n})(0 - (u{w}){a})",
    "bvnot": "(u{n})(~(u{w}){a})",
    "bvudiv": "({b} ? (u{n})({a} / {b}) : (u{n})-1)",
    "bvurem": "({b} ? (u{n})({a} % {b}) : {a})",
    "bvshl": "({b} < {n} ? (u{n})((u{w}){a} << {b}) : (u{n})0)",
    "bvlshr": "({b} < {n} ? (u{n})({a} >> {b}) : (u{n})0)",
    "bvult": "({a} < {b})",
    "bvule": "({a} <= {b})",
    "bvugt": "({a} > {b})",
    "bvuge": "({a} >= {b})",
    "bvslt": "((u{n})({a} ^ {s}) < (u{n})({b} ^ {s}))",
    "bvsle": "((u{n})({a} ^ {s}) <= (u{n})({b} ^ {s}))",
    "bvsgt": "((u{n})({a} ^ {s}) > (u{n})({b} ^ {s}))",
    "bvsge": "((u{n})({a} ^ {s}) >= (u{n})({b} ^ {s}))",
    "bvsdiv": "sdiv{n}({a}, {b})",
    "bvsrem": "srem{n}({a}, {b})",
    "bvashr": "ashr{n}({a}, {b})",
}

_HELPERS = """\
static u{n} sdiv{n}(u{n} a, u{n} b)
{{
  u{n} x = a & {s} ? (u{n})(0 - (u{w})a) : a, y = b & {s} ? (u{n})(0 - (u{w})b) : b;
  u{n} q = y ? (u{n})(x / y) : (u{n})-1;
  return (a ^ b) & {s} ? (u{n})(0 - (u{w})q) : q;
}}
static u{n} srem{n}(u{n} a, u{n} b)
{{
  u{n} x = a & {s} ? (u{n})(0 - (u{w})a) : a, y = b & {s} ? (u{n})(0 - (u{w})b) : b;
  u{n} r = y ? (u{n})(x % y) : x;
  return a & {s} ? (u{n})(0 - (u{w})r) : r;
}}
static u{n} ashr{n}(u{n} a, u{n} b)
{{
  u{n} sign = a & {s} ? (u{n})-1 : (u{n})0;
  return b >= {n} ? sign : b ? (u{n})((u{n})(a >> b) | (u{n})((u{w})sign << ({n} - b))) : a;
}}"""

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
        case Bv(width) if width in WIDTHS:
            return width
        case _:
            raise NotInC(f"there is no exact counterpart of the type {type_}")


def _c_type(type_: Type) -> str:
    if type_ in c_floats.WIDTHS:
        return f"f{c_floats.WIDTHS[type_]}"
    return "_Bool" if type_ is BOOL else f"u{_width(type_)}"


def _sign(width: int) -> str:
    return f"{1 << (width - 1)}{'ull' if width == 64 else 'u'}"


class _Writer:
    def __init__(self, program: Program) -> None:
        if program.axioms:
            raise NotInC("there are axioms")
        self.program = program
        self.entry = entry_name(program)
        self._count = 0
        self._variables = {d.var: self._name(d.name) for d in program.globals}
        self._procedures = {p.name: self._name(p.name) for p in program.procedures}

    def _name(self, name: str) -> str:
        """A name for C that is like another one, and used once."""
        self._count += 1
        return f"p{self._count}_{re.sub('[^A-Za-z0-9_]', '_', name)}"

    def lines(self) -> Iterator[str]:
        for width, words in WIDTHS.items():
            yield f"typedef {words} u{width};"
            yield f"u{width} nondet_u{width}(void);"
        yield "_Bool nondet_bool(void);"
        yield from _DECLARATIONS
        for width in WIDTHS:
            yield _HELPERS.format(n=width, w=max(width, 32), s=_sign(width))
        yield from c_floats.declarations()
        for declaration in self.program.globals:
            yield f"static {_c_type(declaration.var.type)} {self._variables[declaration.var]};"
        for procedure in self.program.procedures:
            yield f"{self._head(procedure)};"
        for procedure in self.program.procedures:
            yield from self._procedure(procedure)
        yield from ("int main(void)", "{")
        yield from (f"  {self._havoc(d.var)}" for d in self.program.globals)
        entry = self.program.procedure_named[self.entry]
        variables = [*entry.params, *entry.results]
        for n, declaration in enumerate(variables):
            type_ = declaration.var.type
            yield f"  {_c_type(type_)} v{n} = {_arbitrary(type_)};"
        arguments = [f"v{n}" for n in range(len(entry.params))]
        arguments += [f"&v{n}" for n in range(len(entry.params), len(variables))]
        yield from (f"  {self._procedures[self.entry]}({', '.join(arguments)});", "  return 0;", "}")

    # --- procedures -------------------------------------------------------------------------------------------------

    def _head(self, procedure: Procedure) -> str:
        params = [f"{_c_type(d.var.type)} i{n}" for n, d in enumerate(procedure.params)]
        params += [f"{_c_type(d.var.type)} *o{n}" for n, d in enumerate(procedure.results)]
        return f"static void {self._procedures[procedure.name]}({', '.join(params) or 'void'})"

    def _procedure(self, procedure: Procedure) -> Iterator[str]:
        """A procedure; without a body it does anything that it may, whatever its contract says."""
        yield from (self._head(procedure), "{")
        body = procedure.body
        if body is None:
            yield from (f"  {self._havoc(var)}" for var in procedure.modifies)
            yield from (f"  *o{n} = {_arbitrary(d.var.type)};" for n, d in enumerate(procedure.results))
            yield "}"
            return
        inputs = {d.name: f"i{n}" for n, d in enumerate(procedure.params)}
        for declaration in (*procedure.params, *procedure.results, *body.locals):
            yield f"  {self._declared(declaration, inputs.get(declaration.name))}"
        self._labels = {block.label: f"l{n}" for n, block in enumerate(body.blocks)}
        for block in body.blocks:
            yield from (f"  {line}" for line in self._block(block, procedure.results))
        yield "}"

    def _declared(self, declaration: VarDecl, value: str | None) -> str:
        name = self._variables[declaration.var] = self._name(declaration.name)
        type_ = declaration.var.type
        return f"{_c_type(type_)} {name} = {value or _arbitrary(type_)};"

    def _block(self, block: Block, results: Sequence[VarDecl]) -> Iterator[str]:
        yield f"{self._labels[block.label]}:;"
        for statement in block.statements:
            yield from self._statement(statement)
        match block.transfer:
            case Goto(targets):
                *others, last = targets
                yield from (f"if (nondet_bool()) goto {self._labels[target]};" for target in others)
                yield f"goto {self._labels[last]};"
            case _:
                yield from (f"*o{n} = {self._variables[d.var]};" for n, d in enumerate(results))
                yield "return;"

    def _statement(self, statement: Statement) -> Iterator[str]:
        match statement:
            case Assume(condition):
                yield f"__CPROVER_assume({self._expr(condition)});"
            case Assert(condition, attributes):
                given = find_attribute(attributes, "id")
                yield f'__CPROVER_assert({self._expr(condition)}, "{given.params[0] if given else ""}");'
            case Assign((target,), (value,)):
                yield f"{self._variable(target)} = {self._expr(value)};"
            case Assign(targets, values):
                pairs = list(zip(targets, values, strict=True))
                news = [f"{_c_type(t.type)} new{n} = {self._expr(v)};" for n, (t, v) in enumerate(pairs)]
                sets = [f"{self._variable(t)} = new{n};" for n, (t, _) in enumerate(pairs)]
                yield " ".join(["{", *news, *sets, "}"])
            case Havoc(targets):
                yield from map(self._havoc, targets)
            case Call(procedure, args, results, asynchronous=False):
                news = [f"{_c_type(var.type)} new{n};" for n, var in enumerate(results)]
                passed = [*map(self._expr, args), *(f"&new{n}" for n in range(len(news)))]
                call = f"{self._procedures[procedure]}({', '.join(passed)});"
                sets = [f"{self._variable(var)} = new{n};" for n, var in enumerate(results)]
                yield " ".join(["{", *news, call, *sets, "}"])
            case _:
                raise NotInC("there are threads")

    def _variable(self, var: Var) -> str:
        if var not in self._variables:
            raise NotInC(f"{var.name} is a constant without a value")
        return self._variables[var]

    def _havoc(self, var: Var) -> str:
        return f"{self._variable(var)} = {_arbitrary(var.type)};"

    # --- expressions ------------------------------------------------------------------------------------------------

    def _expr(self, expr: Expr) -> str:
        """An expression, parts before wholes: it may be deep."""
        texts: dict[Expr, str] = {}
        stack = [expr]
        while stack:
            node = stack[-1]
            waiting = [a for a in node.args if a not in texts] if isinstance(node, App) else []
            if node not in texts and not waiting:
                self._fill(node, texts)
            if node in texts:
                stack.pop()
            stack += waiting
        return texts[expr]

    def _fill(self, node: Expr, texts: dict[Expr, str]) -> None:
        """Write a node whose parts are written."""
        match node:
            case Lit(bool(value)):
                texts[node] = str(int(value))
            case Lit(int(value), Bv(width)) if width in WIDTHS:
                texts[node] = f"((u{width}){value}{'ull' if width == 64 else 'u'})"
            case Lit(int(value), Float() as type_) if type_ in c_floats.WIDTHS:
                texts[node] = c_floats.literal(value, c_floats.WIDTHS[type_])
            case Var():
                texts[node] = self._variable(node)
            case App(args=args):
                texts[node] = self._applied(node, [texts[arg] for arg in args])
                if len(texts[node]) > LONGEST:  # parts that are shared are written again and again
                    raise NotInC("an expression is too large")
            case _:
                raise NotInC(f"there is no exact counterpart of {short_text(node, SHOWN)}")

    def _applied(self, node: App, args: list[str]) -> str:
        named = dict(zip("abc", args, strict=False))
        is_on_floats = bool(args) and node.args[0].type in c_floats.WIDTHS
        match node.op:
            case Op() as op if is_on_floats and op in c_floats.OPERATORS:
                return c_floats.OPERATORS[op].format(**named)
            case Op() as op if op in _SIMPLE:
                return _SIMPLE[op].format(**named)
            case Op.CONCAT:
                low, whole = _width(node.args[1].type), _width(node.type)
                return f"(u{whole})(((u{whole}){args[0]} << {low}) | {args[1]})"
            case Extract(_, low):
                _width(node.args[0].type)
                return f"(u{_width(node.type)})({args[0]} >> {low})"
            case Fn(name):
                return self._builtin(name, node, named)
            case _:
                raise NotInC(f"there is no exact counterpart of {short_text(node, SHOWN)}")

    def _builtin(self, name: str, node: App, args: dict[str, str]) -> str:
        attributes = self.program.function_named[name].attributes
        builtin = find_attribute(attributes, "builtin") or find_attribute(attributes, "bvbuiltin")
        meaning = str(builtin.params[0]) if builtin else ""
        operand = node.args[0].type if node.args else BOOL
        if (on_floats := c_floats.builtin(meaning, operand, node.type, args)) is not None:
            return on_floats
        width = _width(operand) if isinstance(operand, Bv) else 0
        if meaning in _OPERATORS:
            return _OPERATORS[meaning].format(**args, n=width, w=max(width, 32), s=_sign(width))
        if match := re.fullmatch(r"\(?_? ?(zero|sign)_extend \d+\)?", meaning):
            wide = _width(node.type)
            sign = f"(u{wide}){_sign(width)}" if match[1] == "sign" else "0"
            word = max(wide, 32)
            return f"(u{wide})(((u{word}){args['a']} ^ (u{word}){sign}) - (u{word}){sign})"
        raise NotInC(f"there is no exact counterpart of the function {name}")


def _arbitrary(type_: Type) -> str:
    return "nondet_bool()" if type_ is BOOL else f"nondet_{_c_type(type_)}()"
