"""Houdini: the most candidate contracts of a program that are true together (Corral §4.2)."""

from paddock.search.houdini.infer import Houdini, Inferred, infer, is_proved_without, summaries

__all__ = ["Houdini", "Inferred", "infer", "is_proved_without", "summaries"]
