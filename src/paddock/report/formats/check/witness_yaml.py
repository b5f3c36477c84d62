"""Of a C program, the witness of the bug or of the proof in YAML, format 2.0; else a comment with the verdict."""

from __future__ import annotations

from paddock.report.color import PLAIN, Painter
from paddock.report.result import Result
from paddock.report.sentence import verdict_sentence
from paddock.report.witnesses.making import witness_of
from paddock.report.witnesses.yaml_form import yaml_text


def render(result: Result, _paint: Painter = PLAIN) -> str:
    witness = witness_of(result)
    if witness is None:
        return f"# no witness: {' '.join(f'{result.verdict}: {verdict_sentence(result)}'.split())}\n"
    return yaml_text(witness)
