"""The formats of `paddock check`: from a `Result` to text."""
