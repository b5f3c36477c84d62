"""How cvc5 counts its work."""

WORK_PER_SECOND = 60_000  # about so much of it is done
