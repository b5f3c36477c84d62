"""Bitwuzla in process, where the package is installed: bit-vectors, floats, arrays, uninterpreted functions."""
