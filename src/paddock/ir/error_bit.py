"""The name of the error bit, the Boolean that is set where an assertion fails, before there is one: in candidates."""

from __future__ import annotations

from paddock.ir.expr import Scope, Var
from paddock.ir.types import BOOL

# How users write it, where nothing of their program has that name.
ERROR_BIT_NAME = "err"
# What that means until the pass `error-bit` adds the bit; no variable of a program can have this name.
ERROR_BIT = Var("the error bit", BOOL, Scope.GLOBAL)
