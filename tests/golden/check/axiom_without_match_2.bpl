// RUN: check
// The trigger never matches, yet the axiom holds: a candidate that violates it is no bug.
function f(int): int; function g(int): int; axiom (forall x: int :: {g(x)} f(x) > 0);
procedure main() { assert f(3) > 0; }
