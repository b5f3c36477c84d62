"""A piece of clang's tree as Python objects, fetched with one call of the library and without recursion."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from paddock.frontends.c.clang import library as k
from paddock.frontends.c.clang.library import CURSOR_VISITOR, ENTER, FIELD_VISITOR, NEXT, STOP, Cursor, Library, Type
from paddock.frontends.c.initialisers import Braces
from paddock.frontends.c.tree import Expression, Statement

# Types are read by asking for them: nothing in their declarations is needed. Entering them would even take exponential
# time, for libclang shows the definition of a struct once more for each variable that is declared with it.
_LEFT_OUT = frozenset({k.STRUCT_DECL, k.UNION_DECL, k.ENUM_DECL, k.TYPE_REF, k.STATIC_ASSERT})
_NOT_ENTERED = frozenset({k.FUNCTION_DECL, k.MEMBER_REF, k.LABEL_REF, *range(k.FIRST_ATTRIBUTE, k.LAST_ATTRIBUTE + 1)})


class Node:
    """A node of clang's tree, and what has been made of it: one of an expression, statements, or a list in braces."""

    __slots__ = ("braces", "children", "cursor", "designated", "entered", "expression", "kind", "statements")

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor
        self.kind = cursor.kind
        self.children: list[Node] = []
        self.entered = False
        self.designated = False  # an item of a list in braces with designators
        self.expression: Expression | None = None
        self.statements: list[Statement] | None = None
        self.braces: Braces | None = None

    def is_expression(self) -> bool:
        return k.FIRST_EXPR <= self.kind <= k.LAST_EXPR


def snapshot(library: Library, root: Cursor) -> Node:
    """The tree below a cursor."""
    top = Node(root)
    path = [(root.first, root.second, root.kind, top)]  # from the root to where the next node may belong
    failure: list[BaseException] = []

    def visit(cursor: Cursor, parent: Cursor, _: object) -> int:
        try:
            # Parameters are those of the function itself, or names in the type of a pointer to a function.
            if cursor.kind in _LEFT_OUT or (cursor.kind == k.PARM_DECL and parent.kind != k.FUNCTION_DECL):
                return NEXT
            above = parent.first, parent.second, parent.kind
            if above == (cursor.first, cursor.second, cursor.kind):
                return ENTER  # clang has a node around constants, which libclang shows as the constant itself
            while path[-1][:3] != above:
                path.pop()
            node = Node(cursor)
            path[-1][3].children.append(node)
            if cursor.kind in _NOT_ENTERED:
                return NEXT
            path.append((cursor.first, cursor.second, cursor.kind, node))
            return ENTER
        except BaseException as error:  # an exception cannot pass through the library: it is raised again below
            failure.append(error)
            return STOP

    library.visitChildren(root, CURSOR_VISITOR(visit), None)
    if failure:
        raise failure[0]
    return top


def children_of(library: Library, cursor: Cursor) -> list[Cursor]:
    """The cursors directly below one."""
    return _collected(lambda visit: library.visitChildren(cursor, CURSOR_VISITOR(visit), None))


def fields_of(library: Library, record: Type) -> list[Cursor]:
    """The members of a struct or union, the anonymous ones included."""
    return _collected(lambda visit: library.Type_visitFields(record, FIELD_VISITOR(visit), None))


def _collected(start: Callable[[Callable[..., int]], object]) -> list[Cursor]:
    """The cursors that a function of the library shows to a visitor."""
    found: list[Cursor] = []
    failure: list[BaseException] = []

    def visit(cursor: Cursor, *_: object) -> int:
        try:
            found.append(cursor)
            return NEXT
        except BaseException as error:  # as above
            failure.append(error)
            return STOP

    start(visit)
    if failure:
        raise failure[0]
    return found


def entering_and_leaving(root: Node) -> Iterator[tuple[Node, bool]]:
    """Each node twice: before its children (which may still be changed then) with True, and after them with False."""
    todo = [root]
    while todo:
        node = todo[-1]
        if node.entered:
            todo.pop()
            yield node, False
        else:
            node.entered = True
            yield node, True
            todo += reversed(node.children)
