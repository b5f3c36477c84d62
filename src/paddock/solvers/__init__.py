"""Solvers behind one small interface: see `interface.py` for it, `factory.py` for how to open one."""
