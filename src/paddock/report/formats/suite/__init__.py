"""The formats of `paddock suite`: from a `Suite` to text."""
