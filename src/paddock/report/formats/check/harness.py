"""Of a bug in a C program, C code that makes it happen; else a comment with the verdict.

The front end of the program has written it with the counterexample, as only that knows what to write.
"""

from __future__ import annotations

from paddock.report.color import PLAIN, Painter
from paddock.report.result import Result
from paddock.report.sentence import verdict_sentence


def render(result: Result, _paint: Painter = PLAIN) -> str:
    if result.counterexample is not None and result.counterexample.harness:
        return result.counterexample.harness
    sentence = f"{result.verdict}: {verdict_sentence(result)}".replace("*/", "* /")
    return f"/* {sentence} */\n"
