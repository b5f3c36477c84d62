"""Runs as data, the concrete interpreter, and replay: the judge of every counterexample."""
