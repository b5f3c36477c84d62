"""Terms as SMT-LIB text that keeps their sharing.

A term is a graph of nodes. It is printed with a `let` for every node that is used twice, all of one level in one
`let`, so that the text is linear in the graph. A binder's body is a scope of its own. Nothing here recurses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from paddock.digits import digits
from paddock.frozen import frozen
from paddock.solvers.interface import LiteralValue
from paddock.solvers.sorts import BOOL, INT, REAL, ROUNDING_MODE, STRING, BitVecSort, FloatSort, Sort
from paddock.solvers.values import ROUNDING_MODES, is_nan


class Node:
    """`head` alone, or `(head args…)`. Open terms have variables that are not bound in them."""

    __slots__ = ("args", "head", "open", "sort")

    def __init__(self, head: str, args: tuple[Node, ...], sort: Sort, *, is_variable: bool = False) -> None:
        self.head = head
        self.args = args
        self.sort = sort
        self.open: bool = is_variable or any(a.open for a in args)


class Literal(Node):
    """A value."""

    __slots__ = ()


@frozen(eq=False)
class Macro:
    """A `define-fun`; `place` is where in the script it stands."""

    head: str
    parameters: tuple[Node, ...]
    body: Node
    place: int


class Instance(Node):
    """A macro applied to arguments."""

    __slots__ = ("macro",)

    def __init__(self, macro: Macro, args: tuple[Node, ...]) -> None:
        super().__init__(macro.head, args, macro.body.sort)
        self.macro = macro


class Binder(Node):
    """A quantifier: its head is `forall (variables…)` or `exists (variables…)`, its arguments all terms in it."""

    __slots__ = ("name", "no_patterns", "patterns", "variables", "weight")

    def __init__(
        self,
        head: str,
        variables: tuple[Node, ...],
        body: Node,
        patterns: tuple[tuple[Node, ...], ...],
        no_patterns: tuple[Node, ...],
        weight: int,
        name: str,
    ) -> None:
        super().__init__(head, (body, *(t for p in patterns for t in p), *no_patterns), BOOL)
        self.variables = variables
        self.patterns = patterns
        self.no_patterns = no_patterns
        self.weight = weight
        self.name = name
        self.open = bool(free_variables(self.args, variables))

    @property
    def body(self) -> Node:
        return self.args[0]


def free_variables(roots: Sequence[Node], bound: Sequence[Node] = ()) -> list[Node]:
    """The variables that occur free in the roots but are not in `bound`, in the order found."""
    # A variable is bound in one place only, so what any binder within binds is not free here.
    hidden = set(bound)
    found: dict[Node, None] = {}
    seen: set[Node] = set()
    stack = list(reversed(roots))
    while stack:
        node = stack.pop()
        if not node.open or node in seen:
            continue
        seen.add(node)
        if isinstance(node, Binder):
            hidden.update(node.variables)
        if not node.args:
            found[node] = None
        stack.extend(reversed(node.args))
    return [v for v in found if v not in hidden]


def _postorder(root: Node, parts_of: Callable[[Node], Sequence[Node]]) -> Iterator[Node]:
    """The nodes of a graph, each once, parts before what they are parts of."""
    seen: set[Node] = set()
    stack: list[tuple[Node, bool]] = [(root, False)]
    while stack:
        node, parts_done = stack.pop()
        if parts_done:
            yield node
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((part, False) for part in reversed(parts_of(node)))


def term_text(root: Node, sent: int | None = None) -> str:
    """The term as text. Macros that are not among the first `sent` commands are written out."""

    def written_out(node: Node) -> Macro | None:
        return node.macro if isinstance(node, Instance) and sent is not None and node.macro.place >= sent else None

    def parts_of(node: Node) -> Sequence[Node]:
        macro = written_out(node)
        return (*node.args, macro.body) if macro else node.args

    scopes: dict[Node, str] = {}  # the text of what has a scope of its own
    for node in _postorder(root, parts_of):
        if isinstance(node, Binder):
            scopes[node] = _binder_text(node, scopes)
        elif macro := written_out(node):
            values = [_scope_text(arg, scopes) for arg in node.args]
            bindings = [f"({p.head} {value})" for p, value in zip(macro.parameters, values, strict=True)]
            body = _scope_text(macro.body, scopes)
            scopes[node] = f"(let ({' '.join(bindings)}) {body})" if bindings else body
    return _scope_text(root, scopes)


def _binder_text(node: Binder, scopes: dict[Node, str]) -> str:
    body = _scope_text(node.body, scopes)
    notes = [f":pattern ({' '.join(_scope_text(t, scopes) for t in pattern)})" for pattern in node.patterns]
    if not node.patterns:
        notes += [f":no-pattern {_scope_text(t, scopes)}" for t in node.no_patterns]
    if node.weight != 1:
        notes.append(f":weight {node.weight}")
    if node.name:
        notes.append(f":qid {node.name}")
    return f"({node.head} (! {body} {' '.join(notes)}))" if notes else f"({node.head} {body})"


def _scope_text(root: Node, scopes: dict[Node, str]) -> str:
    """The term with its shared nodes in lets; the scopes within it are printed already."""

    def parts_of(node: Node) -> Sequence[Node]:
        return () if node in scopes else node.args

    nodes = list(_postorder(root, parts_of))
    uses: dict[Node, int] = {}
    for node in nodes:
        for part in parts_of(node):
            uses[part] = uses.get(part, 0) + 1
    level: dict[Node, int] = {}  # how many lets must come before
    lets: list[list[Node]] = []
    names: dict[Node, str] = {}
    for node in nodes:
        level[node] = max((level[p] + (p in names) for p in parts_of(node)), default=0)
        if uses.get(node, 0) > 1 and (node.args or node in scopes):
            names[node] = f"?{len(names)}"
            while len(lets) <= level[node]:
                lets.append([])
            lets[level[node]].append(node)
    out: list[str] = []
    for group in lets:
        out.append("(let (")
        for node in group:
            out.append(f"({names[node]} ")
            _emit(node, names, scopes, out)
            out.append(")")
        out.append(") ")
    _emit(root, names, scopes, out)
    out.append(")" * len(lets))
    return "".join(out)


def _emit(root: Node, names: dict[Node, str], scopes: dict[Node, str], out: list[str]) -> None:
    """Appends the text of `root` with names for its shared parts."""
    stack: list[Node | str] = [root]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            out.append(item)
        elif item is not root and item in names:
            out.append(names[item])
        elif item in scopes:
            out.append(scopes[item])
        elif not item.args:
            out.append(item.head)
        else:
            out.append(f"({item.head}")
            stack.append(")")
            for arg in reversed(item.args):
                stack.append(arg)
                stack.append(" ")


_SIMPLE_SYMBOL = re.compile(r"[A-Za-z~!$%^&*_+=<>?/-][A-Za-z0-9~!@$%^&*_+=<>.?/-]*\Z")


def symbol_text(name: str) -> str:
    """A symbol as SMT-LIB writes it; the name must be one that `clean_name` gives."""
    return name if _SIMPLE_SYMBOL.match(name) else f"|{name}|"


def clean_name(name: str) -> str:
    """The name with what no symbol may hold replaced."""
    return "".join(c if " " <= c <= "~" and c not in "|\\" else f"%{ord(c):x}" for c in name)


def unused_name(name: str, taken: dict[str, int]) -> str:
    """A name like `name` that is not taken, and now is. `taken` has for each name how often it was asked for."""
    clean = clean_name(name) or "_"
    # A leading `@` or `.` is the solver's, a leading `?` marks our lets.
    if clean[0] in "@.?":
        clean = f"_{clean}"
    unused, count = clean, taken.get(clean, 0)
    while unused in taken:
        unused = f"{clean}!{count}"
        count += 1
    taken[clean] = max(count, 1)
    taken.setdefault(unused, 1)
    return unused


def literal_text(value: LiteralValue, sort: Sort) -> str:
    """A value of `values.py` as SMT-LIB text."""
    match sort:
        case BitVecSort(width):
            return f"(_ bv{digits(int(value) % (1 << width))} {width})"
        case FloatSort(exponent, significand):
            bits = int(value)
            if is_nan(bits, sort):
                return f"(_ NaN {exponent} {significand})"
            pattern = f"{bits:0{sort.width}b}"
            return f"(fp #b{pattern[0]} #b{pattern[1 : 1 + exponent]} #b{pattern[1 + exponent :]})"
        case _ if sort is BOOL:
            return "true" if value else "false"
        case _ if sort is INT:
            return _signed(digits(abs(int(value))), negative=int(value) < 0)
        case _ if sort is REAL:
            number = Fraction(value)
            top = f"{digits(abs(number.numerator))}.0"
            text = top if number.denominator == 1 else f"(/ {top} {digits(number.denominator)}.0)"
            return _signed(text, negative=number < 0)
        case _ if sort is ROUNDING_MODE:
            return ROUNDING_MODES[str(value)]
        case _ if sort is STRING:
            return f'"{"".join(_string_character(c) for c in str(value))}"'
        case _:
            raise ValueError(f"no literals of sort {sort}")


def _signed(text: str, *, negative: bool) -> str:
    return f"(- {text})" if negative else text


def _string_character(character: str) -> str:
    if character == '"':
        return '""'
    return character if " " <= character <= "~" and character != "\\" else f"\\u{{{ord(character):x}}}"
