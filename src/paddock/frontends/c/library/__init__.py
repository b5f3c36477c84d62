"""Models of functions that have no body, in terms of the IR: a file for each family. `registry.py` finds them."""
