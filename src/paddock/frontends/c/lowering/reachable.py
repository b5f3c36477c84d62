"""What of a program is reachable from the function to start in, and what others may do besides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from paddock.frontends.c import tree as t
from paddock.frontends.c.library.registry import has_own_body
from paddock.frontends.c.pointsto_classes import Classes
from paddock.frontends.c.symbols import is_model
from paddock.frontends.c.walk import children, nodes_in
from paddock.frozen import frozen
from paddock.ir.origin import Diagnostic, InputError
from paddock.ir.spelling import did_you_mean

_MOST_NAMED = 10  # functions, in a message


@frozen
class Reachable:
    """The functions with a body and the globals that the entry may use, in the order of the source. Among the functions
    are those `handed_out`: what the entry does not reach takes their addresses, and lets others know them."""

    unit: t.Unit
    entry: t.Function
    functions: Mapping[str, t.Function]
    globals: Mapping[t.Variable, t.Global]
    handed_out: frozenset[str]

    def unreached(self) -> Iterator[t.Expression | t.Statement]:
        """What others may have done before the program gets to its entry, and what they may look at."""
        for declared in self.unit.globals:
            if declared.variable not in self.globals and declared.initialiser is not None:
                yield from (item.value for item in declared.initialiser.items)
        if self.entry.name != "main":
            for function in self.unit.functions:
                if function.name not in self.functions and function.body is not None and not is_model(function.origin):
                    yield function.body

    def known_elsewhere(self) -> Iterator[t.Function]:
        """The functions with a body whose addresses are taken by what the entry does not reach."""
        known = {f.name: f for f in self.unit.functions if has_own_body(f.name, f)}
        for root in self.unreached():
            nodes = list(nodes_in(root))
            called = {node.function for node in nodes if isinstance(node, t.Call)}
            for node in nodes:
                if isinstance(node, t.FunctionUse) and node not in called and node.name in known:
                    yield known[node.name]

    def call_graph(self, pointsto: Classes) -> dict[str, list[str]]:
        """The functions with a body that each function may call."""
        graph = {}
        for name, body in self.bodies():
            called: dict[str, None] = {}
            for node in nodes_in(body):
                if isinstance(node, t.Call) and isinstance(node.function, t.FunctionUse):
                    called[node.function.name] = None
                elif isinstance(node, t.Call):
                    called |= {f.name: None for f in pointsto.callees(node)}
            graph[name] = [callee for callee in called if callee in self.functions]
        return graph

    def bodies(self) -> Iterator[tuple[str, t.Block]]:
        """The bodies of the functions, with their names."""
        for name, function in self.functions.items():
            assert function.body is not None
            yield name, function.body

    def assigned(self) -> set[t.Variable]:
        """The variables that are the target of some assignment."""
        return {
            node.target.variable
            for _, body in self.bodies()
            for node in nodes_in(body)
            if isinstance(node, t.Assignment | t.Update) and isinstance(node.target, t.VariableUse)
        }


def reachable(unit: t.Unit, start: str, handed_out: frozenset[str] = frozenset()) -> Reachable:
    """What is reachable from the function of that name, and from others that it may get from outside."""
    known, globals_ = {f.name: f for f in unit.functions}, {g.variable: g for g in unit.globals}
    entry = _entry(known, start)
    reached_functions, reached_globals = set[str](), set[t.Variable]()
    functions, variables = [entry.name, *sorted(handed_out)], list[t.Variable]()
    roots: list[t.Expression | t.Statement] = []
    while functions or variables or roots:
        if roots:
            for node in nodes_in(roots.pop()):
                if isinstance(node, t.FunctionUse):
                    functions.append(node.name)
                elif isinstance(node, t.VariableUse) and node.variable in globals_:
                    variables.append(node.variable)
        elif functions:
            name = functions.pop()
            function = known.get(name)
            if name in reached_functions or function is None or function.body is None:
                continue
            if has_own_body(name, function):
                reached_functions.add(name)
                roots.append(function.body)
        else:
            variable = variables.pop()
            if variable not in reached_globals:
                reached_globals.add(variable)
                initialiser = globals_[variable].initialiser
                roots += [item.value for item in initialiser.items] if initialiser is not None else []
    return Reachable(
        unit,
        entry,
        {name: function for name, function in known.items() if name in reached_functions},
        {variable: declared for variable, declared in globals_.items() if variable in reached_globals},
        handed_out,
    )


def _entry(functions: Mapping[str, t.Function], name: str) -> t.Function:
    function = functions.get(name)
    if function is not None and function.body is not None:
        return function
    hint = did_you_mean(name, [f.name for f in functions.values() if f.body is not None]) or _possible(functions)
    problem = "has no body" if function is not None else "is not there"
    raise InputError(Diagnostic(f"the program cannot start in the function {name}: it {problem}", hint=hint))


def _possible(functions: Mapping[str, t.Function]) -> str:
    """Where the program could start: functions with external linkage, those that no other one calls first."""
    defined = [f for f in functions.values() if f.body is not None and not is_model(f.origin)]
    used = {n.name for f in defined if f.body for n in nodes_in(f.body) if isinstance(n, t.FunctionUse)}
    in_order = sorted(defined, key=lambda f: (f.static, f.name in used))
    if not in_order:
        return "no function has a body"
    names = [f.written_name for f in in_order]
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"functions with a body: {', '.join(names[:_MOST_NAMED])}{more}; say --function {names[0]}"


def locals_of(function: t.Function) -> Iterable[t.Variable]:
    """The local objects of a function."""
    yield from function.parameters
    assert function.body is not None
    for node in nodes_in(function.body):
        if isinstance(node, t.Declare | t.CompoundLiteral):
            yield node.variable


def begun_once(function: t.Function) -> Iterator[t.Variable]:
    """The locals of a function that begin to live at most once in a call of it: outside of loops."""
    assert function.body is not None
    yield from function.parameters
    if any(isinstance(node, t.Label) for node in nodes_in(function.body)):
        return
    stack: list[t.Statement | t.Expression] = [function.body]
    while stack:
        node = stack.pop()
        if isinstance(node, t.Declare | t.CompoundLiteral):
            yield node.variable
        if not isinstance(node, t.While | t.DoWhile | t.For):
            stack += children(node)
