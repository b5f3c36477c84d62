"""Z3 in process, the default solver."""
