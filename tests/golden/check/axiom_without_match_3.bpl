// RUN: check
// The trigger never matches, yet the axiom holds: a candidate that violates it is no bug.
function P(int): bool; axiom (forall h: int :: {P(h+1)} P(h) ==> P(h+1));
procedure main(h: int) { assume P(h); assert P(h+1); assert P(h+2); }
