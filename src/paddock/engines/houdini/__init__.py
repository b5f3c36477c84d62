"""Houdini: the most candidate contracts of a program that are true together (Corral §4.2); see `infer.py`."""
