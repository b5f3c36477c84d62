// RUN: check
function f(int): int;
axiom f(0) == 1;
