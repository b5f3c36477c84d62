"""Formats of `paddock check --show-properties`."""
