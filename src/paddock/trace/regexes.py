"""Regular expressions as values, and SMT-LIB's functions on them.

An expression is a tree. Which parts of a string it matches is found from the leaves up: for each start the set of ends,
as bits of an integer. That knows complement and intersection, and recurses on nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from paddock.trace.values import Regex, Undecided, Value

_MOST_WORK = 10_000_000

_Ends = list[int]  # for each start, the ends of what is matched, as bits


def is_in(text: str, regex: Regex) -> bool:
    return bool(_ends(text, regex)[0] >> len(text) & 1)


def replaced(text: str, regex: Regex, by: str) -> str:
    """The text with its leftmost, shortest match replaced."""
    for start, ends in enumerate(_ends(text, regex)):
        if ends:
            return text[:start] + by + text[_lowest(ends) :]
    return text


def all_replaced(text: str, regex: Regex, by: str) -> str:
    """The text with its matches that are not empty replaced, from the left, each the shortest."""
    parts, at, kept = list[str](), 0, 0
    matches = _ends(text, regex)
    while at <= len(text):
        ends = matches[at] >> (at + 1) << (at + 1)
        if ends:
            parts += (text[kept:at], by)
            at = kept = _lowest(ends)
        else:
            at += 1
    return "".join((*parts, text[kept:]))


def _lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1


def _ends(text: str, root: Regex) -> _Ends:
    """What the expression matches, from each start."""
    done: dict[Regex, _Ends] = {}
    stack = [root]
    while stack:
        node = stack[-1]
        missing = [a for a in node.args if isinstance(a, Regex) and a not in done]
        if node in done or missing:
            stack.pop() if node in done else stack.extend(missing)
            continue
        stack.pop()
        if (len(done) + 1) * (len(text) + 1) * (len(text) + 1) > _MOST_WORK:
            raise Undecided("a regular expression on a long string")
        done[node] = _matched(text, node, [done[a] for a in node.args if isinstance(a, Regex)])
    return done[root]


def _matched(text: str, node: Regex, parts: list[_Ends]) -> _Ends:
    size = len(text) + 1
    nothing = [1 << i for i in range(size)]
    everything = [(1 << size) - (1 << i) for i in range(size)]
    match node.op:
        case "str.to_re":
            (literal,) = node.args
            assert isinstance(literal, str)
            return [1 << (i + len(literal)) if text.startswith(literal, i) else 0 for i in range(size)]
        case "re.range":
            low, high = node.args
            assert isinstance(low, str) and isinstance(high, str)
            single = len(low) == len(high) == 1
            return [2 << i if single and low <= c <= high else 0 for i, c in enumerate(text)] + [0]
        case "re.none":
            return [0] * size
        case "re.all":
            return everything
        case "re.allchar":
            return [2 << i for i in range(size - 1)] + [0]
        case "re.++":
            return _folded(_concatenated, parts)
        case "re.union":
            return _folded(lambda a, b: [x | y for x, y in zip(a, b, strict=True)], parts)
        case "re.inter":
            return _folded(lambda a, b: [x & y for x, y in zip(a, b, strict=True)], parts)
        case "re.diff":
            return _folded(lambda a, b: [x & ~y for x, y in zip(a, b, strict=True)], parts)
        case "re.comp":
            return [e & ~x for e, x in zip(everything, parts[0], strict=True)]
        case "re.opt":
            return [x | y for x, y in zip(nothing, parts[0], strict=True)]
        case "re.*":
            return _starred(parts[0])
        case "re.+":
            return _concatenated(parts[0], _starred(parts[0]))
        case "re.^":
            return _repeated(parts[0], node.numbers[0], node.numbers[0], nothing)
        case "re.loop":
            return _repeated(parts[0], node.numbers[0], node.numbers[1], nothing)
        case _:
            raise AssertionError(node.op)


def _folded(join: Callable[[_Ends, _Ends], _Ends], parts: list[_Ends]) -> _Ends:
    result = parts[0]
    for part in parts[1:]:
        result = join(result, part)
    return result


def _concatenated(a: _Ends, b: _Ends) -> _Ends:
    result = []
    for ends in a:
        bits = 0
        while ends:
            middle = _lowest(ends)
            ends &= ends - 1
            bits |= b[middle]
        result.append(bits)
    return result


def _starred(a: _Ends) -> _Ends:
    """From the right: what is matched from later starts is known by then."""
    result = [0] * len(a)
    for i in reversed(range(len(a))):
        bits, ends = 1 << i, a[i] & ~(1 << i)
        while ends:
            middle = _lowest(ends)
            ends &= ends - 1
            bits |= result[middle]
        result[i] = bits
    return result


def _repeated(a: _Ends, least: int, most: int, nothing: _Ends) -> _Ends:
    if most < least:
        return [0] * len(a)
    if most * len(a) * len(a) > _MOST_WORK:
        raise Undecided("a regular expression that is repeated very often")
    result, power = [0] * len(a), nothing
    for count in range(most + 1):
        if count >= least:
            result = [x | y for x, y in zip(result, power, strict=True)]
        power = _concatenated(power, a)
    return result


def _made(op: str) -> Callable[..., Regex]:
    return lambda *args: Regex(op, args)


def indexed(name: str, numbers: tuple[int, ...]) -> Callable[..., Value] | None:
    """`(_ re.^ n)` and `(_ re.loop m n)`."""
    if (name, len(numbers)) in (("re.^", 1), ("re.loop", 2)):
        return lambda regex: Regex(name, (regex,), numbers)
    return None


_OPS = "str.to_re re.range re.none re.all re.allchar re.++ re.union re.inter re.diff re.comp re.opt re.* re.+"

REGEXES: Mapping[str, Callable[..., Value]] = {
    **{op: _made(op) for op in _OPS.split()},
    "str.in_re": is_in,
    "str.replace_re": replaced,
    "str.replace_re_all": all_replaced,
}

# Names that older solvers use.
OLD_REGEX_NAMES: Mapping[str, str] = {
    "str.to.re": "str.to_re",
    "seq.to.re": "str.to_re",
    "str.in.re": "str.in_re",
    "seq.in.re": "str.in_re",
    "re.nostr": "re.none",
    "re.empty": "re.none",
    "re.full": "re.all",
    "re.complement": "re.comp",
}
