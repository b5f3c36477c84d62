"""The house rules about shapes: how long a function, how wide a class and how deep inheritance may be.

Attributes of a class are its methods and fields, those that it inherits from classes of ours among them. The members of
enumerations are values, and methods like `__init__` belong to Python. What exceeds a limit is listed: the lists shrink.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "src" / "paddock"
LONGEST_FUNCTION = 60
MOST_ATTRIBUTES = 25
DEEPEST = 2  # classes of ours above a class; exceptions and protocols are free

LONG_FUNCTIONS: set[str] = set()
WIDE_CLASSES: set[str] = set()
DEEP_CLASSES: set[str] = set()


@dataclass(frozen=True)
class Class:
    """A class as its text says: the names of its bases, and the attributes that it adds."""

    path: Path
    name: str
    bases: tuple[str, ...]
    own: frozenset[str]

    def __str__(self) -> str:
        return f"{self.path.relative_to(PACKAGE)}::{self.name}"


@cache
def shapes() -> tuple[dict[str, list[Class]], set[str]]:
    """All classes, by their names, and the functions that are too long. The trees are large and not kept."""
    found: dict[str, list[Class]] = {}
    long: set[str] = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        stack: list[ast.stmt] = list(ast.parse(path.read_text(encoding="utf-8")).body)
        while stack:  # classes and functions are statements: no need to look into expressions
            match node := stack.pop():
                case ast.ClassDef():
                    bases = tuple(ast.unparse(base).split("[")[0].split(".")[-1] for base in node.bases)
                    found.setdefault(node.name, []).append(Class(path, node.name, bases, frozenset(attributes(node))))
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    if (node.end_lineno or 0) - node.lineno + 1 > LONGEST_FUNCTION:
                        long.add(f"{path.relative_to(PACKAGE)}::{node.name}")
            stack += (child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt))
    return found, long


def attributes(node: ast.ClassDef) -> Iterator[str]:
    """The methods that a class has, its fields, and what its methods assign to `self`."""
    is_enumeration = any("Enum" in ast.unparse(base) or "Flag" in ast.unparse(base) for base in node.bases)
    for statement in node.body:
        match statement:
            case ast.FunctionDef(name=name) if not (name.startswith("__") and name.endswith("__")):
                yield name
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.Assign(targets=targets) if not is_enumeration:
                yield from (target.id for target in targets if isinstance(target, ast.Name))
    for inner in ast.walk(node):
        match inner:
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                yield name


def ancestors(class_: Class) -> Iterator[list[Class]]:
    """The rows of classes of ours that end with a class, that class first."""
    rows = [[class_]]
    while rows:
        row = rows.pop()
        above = [base for name in row[-1].bases for base in named(name, row[-1].path) if base not in row]
        rows += [[*row, base] for base in above]
        if not above:
            yield row


def named(name: str, path: Path) -> list[Class]:
    """The class that a name stands for: the one in the same file if there are several."""
    known = shapes()[0].get(name, [])
    return [found for found in known if found.path == path] or known[:1]


def wide_classes() -> set[str]:
    wide = set()
    for class_ in (c for several in shapes()[0].values() for c in several):
        has = {name for row in ancestors(class_) for above in row for name in above.own}
        if len(has) > MOST_ATTRIBUTES and "Protocol" not in class_.bases:
            wide.add(str(class_))
    return wide


def deep_classes() -> set[str]:
    deep = set()
    for class_ in (c for several in shapes()[0].values() for c in several):
        for row in ancestors(class_):
            counted = [above for above in row if not {"Protocol", "type"} & set(above.bases)]
            if len(counted) - 1 > DEEPEST and not {"Exception", "BaseException"} & set(row[-1].bases):
                deep.add(str(class_))
    return deep


def long_functions() -> set[str]:
    return shapes()[1]


def test_no_function_is_too_long() -> None:
    _compare(long_functions(), LONG_FUNCTIONS)


def test_no_class_has_too_many_attributes() -> None:
    _compare(wide_classes(), WIDE_CLASSES)


def test_inheritance_is_not_too_deep() -> None:
    _compare(deep_classes(), DEEP_CLASSES)


def _compare(too_much: set[str], known: set[str]) -> None:
    assert too_much - known == set(), "make it smaller"
    assert known - too_much == set(), "take it off the list"


def test_lowering_of_c_has_no_exception() -> None:
    """Services that are handed to one another, each of a size that one can hold in mind."""
    assert not [
        name for name in WIDE_CLASSES | DEEP_CLASSES if name.startswith(("frontends/c/lower", "frontends/c/arith"))
    ]


def test_attributes_are_counted_over_all_bases() -> None:
    tree = ast.parse("class A:\n    x: int\n    def f(self):\n        self.y = 1\n    def __init__(self): ...\n")
    assert isinstance(tree.body[0], ast.ClassDef)
    assert set(attributes(tree.body[0])) == {"x", "f", "y"}
    assert any(len(row) == 2 and row[1].name == "Integers" for row in ancestors(shapes()[0]["BitVectors"][0]))


# Words that explain nothing to those who search for the words of the field, such as events, report, portfolio, narrate.
RIDDLES = re.compile(
    r"\b_?(told|hear|hears|heard|desk|nobody|afresh|second_look|as_read|relating|story)\b", re.IGNORECASE
)
EMPTY_OPENING = re.compile(r'"""The same,')


def test_names_and_comments_use_words_of_the_field() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}: {line.strip()}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if RIDDLES.search(line) or EMPTY_OPENING.search(line)
    ]
    assert found == []
