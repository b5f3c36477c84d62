"""Paddock: a bounded verifier for programs with procedures, loops, recursion and assertions."""

__version__ = "0.1.0"
