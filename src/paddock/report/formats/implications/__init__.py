"""The formats of `paddock implications`: from an `ImplicationGraph` to text."""
