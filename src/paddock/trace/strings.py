"""SMT-LIB's functions on strings of Unicode characters; `regexes.py` has those with regular expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from paddock.digits import digits, integer
from paddock.trace.values import Value

_CODES = 0x30000  # SMT-LIB's characters are the code points of the planes 0 to 2


def _substring(s: str, start: int, length: int) -> str:
    return s[start : start + length] if 0 <= start < len(s) and length > 0 else ""


def _index_of(s: str, t: str, start: int) -> int:
    return s.find(t, start) if 0 <= start <= len(s) else -1


def _update(s: str, start: int, t: str) -> str:
    return s[:start] + t[: len(s) - start] + s[start + len(t) :] if 0 <= start < len(s) else s


def _digits(s: str) -> bool:
    return s.isascii() and s.isdigit()


STRINGS: Mapping[str, Callable[..., Value]] = {
    "str.++": lambda *parts: "".join(parts),
    "str.len": len,
    "str.at": lambda s, i: _substring(s, i, 1),
    "str.substr": _substring,
    "str.prefixof": lambda s, t: t.startswith(s),
    "str.suffixof": lambda s, t: t.endswith(s),
    "str.contains": lambda s, t: t in s,
    "str.indexof": _index_of,
    "str.replace": lambda s, t, u: s.replace(t, u, 1),
    "str.replace_all": lambda s, t, u: s.replace(t, u) if t else s,
    "str.update": _update,
    "str.rev": lambda s: s[::-1],
    "str.<": lambda s, t: s < t,
    "str.<=": lambda s, t: s <= t,
    "str.is_digit": lambda s: len(s) == 1 and _digits(s),
    "str.to_code": lambda s: ord(s) if len(s) == 1 else -1,
    "str.from_code": lambda n: chr(n) if 0 <= n < _CODES else "",
    "str.to_int": lambda s: integer(s) if _digits(s) else -1,
    "str.from_int": lambda n: digits(n) if n >= 0 else "",
}

# Names that older solvers use, and those of sequences, which are strings here.
OLD_NAMES: Mapping[str, str] = {
    "str.to.int": "str.to_int",
    "int.to.str": "str.from_int",
    "str.to-int": "str.to_int",
    "str.from-int": "str.from_int",
    "seq.++": "str.++",
    "seq.len": "str.len",
    "seq.at": "str.at",
    "seq.extract": "str.substr",
    "seq.prefixof": "str.prefixof",
    "seq.suffixof": "str.suffixof",
    "seq.contains": "str.contains",
    "seq.indexof": "str.indexof",
    "seq.replace": "str.replace",
    "seq.replace_all": "str.replace_all",
}
