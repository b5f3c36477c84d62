"""Lambdas for solvers that have none: a new function of the free variables, and an axiom that gives its values.

`lambda x :: x + y` becomes `L(y)`, with `forall y, x :: { L(y)[x] } L(y)[x] == x + y`.
"""

from __future__ import annotations

from collections.abc import Sequence

from paddock.solvers.interface import Term, Terms
from paddock.solvers.ops import Op
from paddock.solvers.sorts import ArraySort, Sort


def define_lambda(
    terms: Terms,
    name: str,
    free: Sequence[Term],
    free_sorts: Sequence[Sort],
    variables: Sequence[Term],
    sort: ArraySort,
    body: Term,
) -> Term:
    """The array of this sort whose value at `variables` is `body`, whose other variables are `free`.

    No function called `name` may exist.
    """
    array = terms.apply(terms.declare_function(name, free_sorts, sort), free)
    at_index = terms.app(Op.SELECT, (array, *variables))
    axiom = terms.app(Op.EQ, (at_index, body))
    terms.assert_(terms.quantify(True, (*free, *variables), axiom, patterns=[[at_index]]))
    return array
