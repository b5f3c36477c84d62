"""Searches for a violation and for proofs: inlining, refinement, Houdini, implications between assertions, regions.

An engine works on prepared programs (`passes`), formulas (`vc`) and a solver, and replays what it finds (`trace`).
"""
