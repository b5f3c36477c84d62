"""Programs that are built in Python are checked for sense before anything is asked of them."""

from __future__ import annotations

import pytest

import paddock
from paddock.ir.expr import Scope, Var
from paddock.ir.program import Implementation, Procedure, Program, VarDecl
from paddock.ir.stmt import Assert, Assign, Block, Call, Return, Statement
from paddock.ir.types import INT

x = Var("x", INT, Scope.LOCAL)


def main_with(*statements: Statement, declares: bool = True) -> Program:
    body = Implementation((VarDecl(x),) if declares else (), (Block("start", statements, Return()),))
    return Program(procedures=(Procedure("main", implementations=(body,)),))


def test_a_program_that_is_built_in_python() -> None:
    result = paddock.check(main_with(Assign((x,), (x * x,)), Assert(x >= 0)))
    assert result.verdict is paddock.Verdict.PROVED


def test_an_undeclared_local_is_refused() -> None:
    with pytest.raises(paddock.InputError, match="x"):
        paddock.check(main_with(Assert(x >= 0), declares=False))


def test_an_undeclared_procedure_is_refused() -> None:
    with pytest.raises(paddock.InputError, match="P"):
        paddock.check(main_with(Call("P", (), ())))
