"""Paddock: a bounded verifier for programs with procedures, loops, recursion and assertions."""
