"""Reading the S-expressions that SMT-LIB solvers answer with.

An expression is an atom, kept as it was written, or a list. Answers come in pieces; a `Stream` gives out the
expressions that are complete. Nothing here recurses.
"""

from __future__ import annotations

import re

Sexpr = str | list["Sexpr"]

_TOKEN = re.compile(r'[()]|"(?:[^"]|"")*"|\|[^|]*\||;[^\n]*|[^\s()";|]+')
_MARK = re.compile(r'["|();\n]')


def parse(text: str) -> list[Sexpr]:
    """The expressions in `text`. Raises ValueError where a parenthesis has no partner."""
    top: list[Sexpr] = []
    open_lists: list[list[Sexpr]] = [top]
    for token in _TOKEN.findall(text):
        if token == "(":
            new: list[Sexpr] = []
            open_lists[-1].append(new)
            open_lists.append(new)
        elif token == ")":
            open_lists.pop()
            if not open_lists:
                raise ValueError("a closing parenthesis too many")
        elif token[0] != ";":
            open_lists[-1].append(token)
    if len(open_lists) > 1:
        raise ValueError("a closing parenthesis is missing")
    return top


def expression_text(root: Sexpr) -> str:
    """The expression as text."""
    out: list[str] = []
    stack: list[Sexpr] = [root]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            out.append(item)
        else:
            out.append("(")
            stack.append(")")
            stack.extend(reversed(item))
    return " ".join(out).replace("( ", "(").replace(" )", ")")


def without_lets(expression: Sexpr) -> Sexpr:
    """The expression with the lets around it filled in; what they name is shared, not copied."""
    values: dict[str, Sexpr] = {}
    while isinstance(expression, list) and len(expression) == 3 and expression[0] == "let":
        _, bindings, expression = expression
        values |= {b[0]: _replaced(b[1], values) for b in bindings if len(b) == 2 and isinstance(b[0], str)}
    return _replaced(expression, values)


def _replaced(expression: Sexpr, values: dict[str, Sexpr]) -> Sexpr:
    if isinstance(expression, str):
        return values.get(expression, expression)
    root = list(expression)
    stack = [root]
    while stack:
        items = stack.pop()
        for i, item in enumerate(items):
            if isinstance(item, str):
                items[i] = values.get(item, item)
            else:
                inner = list(item)
                items[i] = inner
                stack.append(inner)
    return root


def symbol_name(atom: Sexpr) -> str:
    """The name that a symbol stands for, quoted or not; "" for what is no symbol."""
    if not isinstance(atom, str):
        return ""
    return atom[1:-1] if atom.startswith("|") else atom


def string_value(atom: str) -> str:
    """The characters of a string literal."""
    return re.sub(
        r"\\u(?:\{([0-9a-fA-F]{1,5})\}|([0-9a-fA-F]{4}))",
        lambda m: chr(int(m[1] or m[2], 16)),
        atom[1:-1].replace('""', '"'),
    )


class Stream:
    """Text that comes in pieces. An expression is complete at the end of a line that closes all parentheses."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._depth = 0
        self._inside = ""  # the character that ends the string, quoted symbol or comment that the text is in

    def feed(self, text: str) -> list[Sexpr]:
        """The expressions that `text` completes. Raises ValueError on a closing parenthesis too many."""
        complete = 0
        for mark in _MARK.finditer(text):
            character = mark[0]
            if self._inside and character != self._inside:
                continue
            if character == "(":
                self._depth += 1
            elif character == ")":
                self._depth -= 1
            elif character in '"|;' and not self._inside:
                self._inside = "\n" if character == ";" else character
                continue
            elif character == "\n" and self._depth <= 0:
                complete = mark.end()
            self._inside = ""
        if not complete:
            self._pieces.append(text)
            return []
        whole = "".join((*self._pieces, text[:complete]))
        self._pieces = [text[complete:]]
        return parse(whole)

    @property
    def rest(self) -> str:
        """The text that completes no expression yet."""
        return "".join(self._pieces)
