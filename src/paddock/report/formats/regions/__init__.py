"""The formats of `paddock regions`: from a tree of `RegionNode`s to text."""
