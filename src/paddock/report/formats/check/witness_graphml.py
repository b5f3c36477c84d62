"""Of a C program, the witness of the bug or of the proof in GraphML, format 1.0; else a comment with the verdict."""

from __future__ import annotations

from paddock.report.color import PLAIN, Painter
from paddock.report.result import Result
from paddock.report.sentence import verdict_sentence
from paddock.report.witnesses.graphml_form import graphml_text
from paddock.report.witnesses.making import witness_of
from paddock.report.xml_text import allowed


def render(result: Result, _paint: Painter = PLAIN) -> str:
    witness = witness_of(result)
    if witness is None:
        sentence = allowed(f"{result.verdict}: {verdict_sentence(result)}").replace("--", "- -")
        return f"<!-- no witness: {sentence} -->\n"
    return graphml_text(witness)
