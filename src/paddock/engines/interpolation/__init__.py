"""Summaries of procedures from proofs: interpolants of a procedure's body and the rest of an unsatisfiable formula
(assertion-implications paper, §4.2)."""
