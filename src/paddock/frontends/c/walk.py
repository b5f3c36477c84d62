"""Traversal of the tree: what a node is directly made of, and a walk over all that is inside, without recursion."""

from __future__ import annotations

from collections.abc import Iterator

from paddock.frontends.c import tree as t

Node = t.Expression | t.Statement


def children(node: Node) -> tuple[Node, ...]:
    """The expressions and statements that a node is directly made of, in the order in which they are written."""
    match node:
        case t.Conversion(operand=operand) | t.Unary(operand=operand):
            return (operand,)
        case t.Binary(left=left, right=right) | t.Logical(left=left, right=right):
            return (left, right)
        case t.Index(pointer=pointer, index=index) | t.PointerOffset(pointer=pointer, index=index):
            return (pointer, index)
        case t.PointerDifference(left=left, right=right):
            return (left, right)
        case t.Member(record=record):
            return (record,)
        case t.Dereference(pointer=pointer):
            return (pointer,)
        case t.AddressOf(place=place):
            return (place,)
        case t.Assignment(target=target, value=value) | t.Update(target=target, value=value):
            return (target, value)
        case t.Call(function=function, arguments=arguments):
            return (function, *arguments)
        case t.Conditional(condition=condition, then=then, otherwise=otherwise):
            return (condition, then, otherwise)
        case t.Comma(first=first, second=second):
            return (first, second)
        case t.VariadicArgument(list=list_):
            return (list_,)
        case t.Quantified(body=body):
            return (body,)
        case t.CompoundLiteral(initialiser=initialiser):
            return tuple(item.value for item in initialiser.items)
        case t.StatementExpression(statements=statements, value=result):
            return statements if result is None else (*statements, result)
        case t.UnsupportedExpression(parts=parts) | t.UnsupportedStatement(parts=parts):
            return parts
        case t.Block(statements=statements):
            return statements
        case t.Declare(initialiser=maybe):
            return () if maybe is None else tuple(item.value for item in maybe.items)
        case t.Evaluate(expression=expression):
            return (expression,)
        case t.If(condition=condition, then=branch, otherwise=other):
            return (condition, branch) if other is None else (condition, branch, other)
        case t.While(condition=condition, body=repeated):
            return (condition, repeated)
        case t.DoWhile(condition=condition, body=repeated):
            return (repeated, condition)
        case t.For(first=before, condition=question, step=step, body=repeated):
            return (*before, *(part for part in (question, step) if part is not None), repeated)
        case t.ComputedGoto(target=goal):
            return (goal,)
        case t.Switch(value=value, body=chosen):
            return (value, chosen)
        case t.Return(value=result):
            return () if result is None else (result,)
        case _:  # constants, names, jumps and labels
            return ()


def nodes_in(root: Node) -> Iterator[Node]:
    """The node and all that is inside of it, what is around before what is inside, in the order of the text."""
    todo = [root]
    while todo:
        node = todo.pop()
        yield node
        todo += reversed(children(node))


def has_effects(expression: t.Expression) -> bool:
    """May its evaluation do something beside giving a value?"""
    doing = t.Assignment | t.Update | t.Call | t.VariadicArgument | t.StatementExpression | t.UnsupportedExpression
    return any(isinstance(node, doing) for node in nodes_in(expression))
