// RUN: transform --pass lower
function {:builtin "abs"} abs(x: int): int;
function {:builtin "frobnicate"} f(x: int): int;
function {:bvbuiltin "bvadd 3 4"} g(x: bv8, y: bv8): bv8;
function {:builtin "MapAdd"} h(x: int): int;
procedure main() { assert f(1) == 2; }
