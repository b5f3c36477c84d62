"""The formats of `paddock summaries`: from `Summaries` to text."""
