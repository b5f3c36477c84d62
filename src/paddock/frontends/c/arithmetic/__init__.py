"""C's numbers as terms: integers as bit-vectors or those of mathematics, floats, addresses, and all by their type."""
