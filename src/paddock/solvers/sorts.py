"""The sorts of terms, as plain data that every solver maps to its own.

A map with several indices is one array sort with several domain sorts; a solver whose arrays have one
index takes tuples for it. Values of a sort are described in `values.py`.
"""

from __future__ import annotations

from enum import Enum

from paddock.frozen import frozen


class BasicSort(Enum):
    """A sort with no parts; the value is SMT-LIB's name for it."""

    BOOL = "Bool"
    INT = "Int"
    REAL = "Real"
    ROUNDING_MODE = "RoundingMode"
    STRING = "String"
    REGEX = "RegLan"

    __hash__ = object.__hash__


BOOL = BasicSort.BOOL
INT = BasicSort.INT
REAL = BasicSort.REAL
ROUNDING_MODE = BasicSort.ROUNDING_MODE
STRING = BasicSort.STRING
REGEX = BasicSort.REGEX


@frozen
class BitVecSort:
    width: int


@frozen
class FloatSort:
    """IEEE 754 numbers; the significand's width counts the hidden bit."""

    exponent: int
    significand: int

    @property
    def width(self) -> int:
        return self.exponent + self.significand


@frozen
class ArraySort:
    domain: tuple[Sort, ...]
    range: Sort


@frozen
class UninterpretedSort:
    name: str


@frozen
class DatatypeSort:
    """A sort that `Solver.declare_datatypes` has declared, or is just declaring."""

    name: str


Sort = BasicSort | BitVecSort | FloatSort | ArraySort | UninterpretedSort | DatatypeSort


@frozen
class ConstructorDecl:
    name: str
    fields: tuple[tuple[str, Sort], ...] = ()


@frozen
class DatatypeDecl:
    name: str
    constructors: tuple[ConstructorDecl, ...]
