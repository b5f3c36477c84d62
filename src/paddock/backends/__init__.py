"""Other verifiers: programs written in their languages.

`engines/regions` decides what to hand to them; this folder imports `ir` alone.
"""
