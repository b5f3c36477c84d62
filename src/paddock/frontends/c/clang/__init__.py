"""All that touches libclang. Nothing of libclang leaves this folder: what comes out is the tree of `tree.py`."""
