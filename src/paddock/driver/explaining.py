"""What a verdict rests on and what the search looked at, in terms of the user's program: the details of a result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from paddock.driver.regions import region_tree
from paddock.driver.verdicts import CutOff
from paddock.engines.assertions import Assertion, Findings
from paddock.engines.regions.tree import Hierarchy
from paddock.engines.scope import Instance, Scope
from paddock.frontends import language_of
from paddock.frozen import frozen, replace
from paddock.ir.build import FALSE
from paddock.ir.entry import entry_name
from paddock.ir.expr import Expr, Var
from paddock.ir.origin import Origin
from paddock.ir.printer import expr_text
from paddock.ir.program import Procedure, Program, is_loop
from paddock.ir.rewriting import calls_in
from paddock.ir.stmt import Assume, Statement
from paddock.ir.summaries import Summary, SummaryOrigin, summaries_of
from paddock.ir.threads import has_threads
from paddock.ir.walk import variables
from paddock.report.details import (
    ASSUMPTION,
    CUT_CALL,
    CUT_LOOP,
    IMPLICATIONS,
    INLINING,
    INVARIANT,
    NO_BODY,
    REGIONS,
    SUMMARY,
    UNUSED,
    Coverage,
    Details,
    Graph,
    GraphNode,
    Ground,
)
from paddock.report.implications import ImplicationGraph, RelatedAssertion, forest, labelled, shortened
from paddock.report.regions import node_lines

MOST_NODES = 150  # of a picture
MOST_GROUNDS = 200  # of one kind

Place = tuple[str, int, int]


@frozen
class Checked:
    """What a check was about, and what it found: the program as counterexamples are replayed on it, the files of the
    user, the assertions, what became known of them, and what bounds cut off."""

    original: Program
    files: tuple[str, ...]
    assertions: Sequence[Assertion]
    findings: Findings
    cut: Sequence[CutOff]
    line_of: Callable[[Origin], str]  # the text of a line, if it is known


def details_of(checked: Checked, hierarchy: Hierarchy | None) -> Details:
    """The details of a check. If nothing was searched, because a run or a store gave the answer, there is less."""
    scope = checked.findings.scope
    reached = None if scope is None else dict.fromkeys(_places(scope))
    graphs = [
        *([] if scope is None else [_inlining(scope)]),
        *([] if hierarchy is None else [_regions(hierarchy)]),
        *([_implications(checked)] if checked.findings.implied else []),
    ]
    return Details(
        tuple(_grounds(checked, reached)),
        () if reached is None else tuple(_coverage(checked, reached)),
        tuple(graph for graph in graphs if len(graph.nodes) > 1),
    )


# --- what it rests on --------------------------------------------------------------------------------------------


def _grounds(checked: Checked, reached: Mapping[Place, None] | None) -> Iterator[Ground]:
    original, scope = checked.original, checked.findings.scope
    for cut in checked.cut:
        yield _ground(CUT_LOOP if cut.is_loop else CUT_CALL, cut.words, cut.origin)
    if scope is not None and not checked.findings.bugs:  # a bug rests on a run, which looks into all calls
        yield from islice(_summaries(scope, original), MOST_GROUNDS)
    if scope is not None:
        yield from islice(_without_body(scope), MOST_GROUNDS)
    yield from islice(_invariants(checked), MOST_GROUNDS)
    needs = checked.findings.needs
    unused = frozenset[Place]() if needs is None else needs.unneeded
    if needs is not None and reached is not None:
        reached = {**reached, **dict.fromkeys(needs.needed)}
    for words, condition, origin in islice(_assumptions(original, reached), MOST_GROUNDS):
        written = checked.line_of(origin).strip() or f"{words} {expr_text(condition)}"
        yield _ground(UNUSED if _place(origin) in unused else ASSUMPTION, shortened(written), origin)
    yield from islice(_unreached(checked), MOST_GROUNDS)


def _unreached(checked: Checked) -> Iterator[Ground]:
    """The assertions that the proof would prove whatever their conditions were."""
    found = checked.findings.needs
    for assertion in checked.assertions if found is not None else ():
        if found is not None and assertion.source in found.unreached:
            source = assertion.source
            words = f"{shortened(assertion.text)} holds whatever it says: none of these executions gets there"
            yield Ground(UNUSED, words, source.file, source.line, source.column)


def _summaries(scope: Scope, original: Program) -> Iterator[Ground]:
    """The callees whose calls were left to what is known of them."""
    counts: dict[str, int] = {}
    for callee in (callee for instance in scope.instances for callee in instance.open_calls):
        counts[callee] = counts.get(callee, 0) + 1
    for name, count in counts.items():
        procedure = scope.program.procedure_named[name]
        if procedure.body is None or is_loop(procedure) or name not in original.procedure_named:
            continue
        known = "; ".join(map(_said, summaries_of(procedure))) or "what it modifies is arbitrary"
        calls = f"{count} call{'s'[: count > 1]}"
        yield _ground(SUMMARY, f"{name} ({calls} not looked into): {shortened(known)}", procedure.origin)


def _said(summary: Summary) -> str:
    """What a summary says, and where it is from unless that is the contract."""
    text = " && ".join(map(expr_text, summary.ensures))
    return text if summary.origin is SummaryOrigin.CONTRACT else f"{text} ({summary.origin.value})"


def _without_body(scope: Scope) -> Iterator[Ground]:
    """The procedures without a body that visited blocks call."""
    first: dict[str, Origin] = {}
    for statement in _visited(scope):
        for call in calls_in(statement):
            if scope.program.procedure_named[call.procedure].body is None:
                first.setdefault(call.procedure, call.origin)
    for name, origin in first.items():
        ensures = scope.program.procedure_named[name].ensures
        known = " && ".join(expr_text(clause.condition) for clause in ensures)
        does = f"does what it ensures: {shortened(known)}" if known else "may do anything that it is allowed to"
        yield _ground(NO_BODY, f"{name} {does}", origin)


def _invariants(checked: Checked) -> Iterator[Ground]:
    """The invariants of loops by which the program was proved, in the terms of its language as far as there are any."""
    found, said = checked.findings.invariants, set[Ground]()
    if found is None:
        return
    original = replace(checked.original, functions=found.functions)
    for claim in found.claims:
        procedure = original.procedure_named.get(claim.procedure)
        if procedure is None or not claim.is_at_start:
            continue
        visible = _visible(procedure, claim.origin, checked.line_of(claim.origin))
        known = {*visible, *(g.var for g in original.globals), *(c.var for c in original.constants)}
        if not variables(claim.condition) <= known:
            continue  # it is about what a pass has made
        language = language_of(original)
        text = language.condition(claim.condition, claim.procedure, original, visible)
        text = text or (expr_text(claim.condition) if not language.computes else None)
        if text is not None and (ground := _ground(INVARIANT, text, claim.origin)) not in said:
            said.add(ground)
            yield ground


def _visible(procedure: Procedure, loop: Origin, line: str) -> dict[Var, str]:
    """The variables of a procedure that the head of a loop sees, with their names there: what is declared before it, or
    where a `for` starts. Of two with the same name, neither."""
    end = line.find(";") + 1 if line[loop.column - 1 :].startswith("for") else loop.column
    found: dict[str, list[Var]] = {}
    for parameter in procedure.params:
        found.setdefault(parameter.name, []).append(parameter.var)
    for declared in (d for body in procedure.implementations for d in body.locals):
        place = declared.origin
        if place.file == loop.file and place.line > 0 and (place.line, place.column) < (loop.line, end):
            found.setdefault(declared.name.partition("$")[0], []).append(declared.var)
    return {own[0]: name for name, own in found.items() if len(own) == 1 and name.isidentifier()}


def _assumptions(original: Program, reached: Mapping[Place, None] | None) -> Iterator[tuple[str, Expr, Origin]]:
    """The assumptions of the user: axioms, preconditions of the entry, and statements that were looked at."""
    for axiom in original.axioms:
        if _is_own(axiom.origin):
            yield "axiom", axiom.condition, axiom.origin
    for clause in original.procedure_named[entry_name(original)].requires:
        if _is_own(clause.origin):
            yield "requires", clause.condition, clause.origin
    seen: set[Place] = set()
    for statement in _statements(original):
        place = _place(statement.origin)
        if not isinstance(statement, Assume) or statement.attributes or statement.condition is FALSE:
            continue
        if _is_own(statement.origin) and place not in seen and (reached is None or place in reached):
            seen.add(place)
            yield "assume", statement.condition, statement.origin


def _is_own(origin: Origin) -> bool:
    return bool(origin.line) and origin.role is None


def _ground(kind: str, text: str, origin: Origin) -> Ground:
    return Ground(kind, text, origin.file, origin.line, origin.column)


# --- what was looked at ------------------------------------------------------------------------------------------


def _coverage(checked: Checked, reached: Mapping[Place, None]) -> Iterator[Coverage]:
    """The lines with statements, file by file. What passes have removed because nothing leads there was not looked
    at."""
    explored = {(file, line) for file, line, _ in reached}
    lines: dict[str, set[int]] = {file: set() for file in checked.files}
    for statement in _statements(checked.original):
        origin = statement.origin
        if origin.line and origin.file in lines:
            lines[origin.file].add(origin.line)
    for file, every in lines.items():
        if every:
            inside = {line for line in every if (file, line) in explored}
            yield Coverage(file, tuple(sorted(inside)), tuple(sorted(every - inside)))


def _statements(program: Program) -> Iterator[Statement]:
    bodies = (p.body for p in program.procedures if p.body is not None)
    return (s for body in bodies for block in body.blocks for s in block.statements)


def _visited(scope: Scope) -> Iterator[Statement]:
    for name, labels in scope.visited.items():
        body = scope.program.procedure_named[name].body
        for block in body.blocks if body is not None else ():
            if block.label in labels:
                yield from block.statements


def _places(scope: Scope) -> Iterator[Place]:
    return (_place(statement.origin) for statement in _visited(scope) if statement.origin.line)


def _place(origin: Origin) -> Place:
    return origin.file, origin.line, origin.column


# --- pictures ----------------------------------------------------------------------------------------------------


def _inlining(scope: Scope) -> Graph:
    """Instances, those near the entry first; calls that were left open are boxes of their own, one for each caller."""
    order = [0] if scope.instances else []
    known = set(order)
    for number in order:  # which grows
        for callee in scope.instances[number].callees:
            if callee not in known:
                known.add(callee)
                order.append(callee)
    shown = set(order[:MOST_NODES])
    nodes, edges = [], []
    for number in order[:MOST_NODES]:
        instance = scope.instances[number]
        nodes.append(_instance_node(scope.program, str(number), instance))
        edges += [(str(number), str(callee)) for callee in dict.fromkeys(instance.callees) if callee in shown]
    return Graph(INLINING, tuple(nodes), tuple(edges), len(scope.instances) - len(nodes))


def _instance_node(program: Program, id_: str, instance: Instance) -> GraphNode:
    procedure = program.procedure_named[instance.procedure]
    loop = is_loop(procedure)
    name = f"loop {procedure.origin.line}" if loop else procedure.name
    count = len(instance.open_calls)
    below = (f"{count} open call{'s'[: count > 1]}",) if count else ()
    kind = "loop" if loop else "open" if count else ""
    return GraphNode(id_, (name, *below), kind, procedure.origin.file, procedure.origin.line)


def _regions(hierarchy: Hierarchy) -> Graph:
    tree = region_tree(hierarchy)
    shown = list(tree)[:MOST_NODES]
    nodes = tuple(
        GraphNode(r.id, tuple(node_lines(r)), "loop" if r.is_loop else "", r.file, r.first_line)
        for r in (tree[name] for name in shown)
    )
    edges = [(name, c) for name in shown for c in tree[name].children if c not in tree[name].recursive and c in shown]
    return Graph(REGIONS, nodes, tuple(edges), len(tree) - len(nodes))


def _implications(checked: Checked) -> Graph:
    sources = {a.source: a.id for a in checked.assertions}
    implied = {w: s for w, s in checked.findings.implied.items() if w in sources}
    pairs = [(sources[s], sources[w], "") for w, stronger in implied.items() for s in stronger if s in sources]
    related = tuple(
        RelatedAssertion(a.id, a.source.file, a.source.line, a.source.column, a.text, 1) for a in checked.assertions
    )
    every = ImplicationGraph(related, tuple(pairs), (), ())
    classes = forest(every)
    labels = labelled(every, classes)
    places = {a.id: a.source for a in checked.assertions}
    shown = dict(list(labels.items())[:MOST_NODES])
    nodes = tuple(GraphNode(n, tuple(lines), "", places[n].file, places[n].line) for n, lines in shown.items())
    edges = tuple((a, b) for a in shown for b in classes.weaker[a] if b in shown)
    return Graph(IMPLICATIONS, nodes, edges, len(labels) - len(shown))


def hierarchy_if_any(original: Program) -> Hierarchy | None:
    """The regions of a program without threads."""
    if has_threads(original):
        return None
    from paddock.driver.gambling import hierarchy_of

    return hierarchy_of(original)
