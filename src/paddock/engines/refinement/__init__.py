"""Variable abstraction: which globals a search tracks, and refinement on spurious paths (Corral, CAV 2012, §3)."""
