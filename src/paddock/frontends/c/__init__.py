"""The C front end: preprocessing and parsing into a tree of its own, and lowering to the IR."""
