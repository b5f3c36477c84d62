"""Houdini: the most candidate contracts of a program that are true together (Corral §4.2)."""

from paddock.engines.houdini.infer import Houdini, Inferred, infer, infer_if_needed, summaries

__all__ = ["Houdini", "Inferred", "infer", "infer_if_needed", "summaries"]
