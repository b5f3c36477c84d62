// RUN: transform --pass lower
function {:bvbuiltin "bvult"} ult(bv8, bv8): bool;
function {:bvbuiltin "zero_extend 24"} widen(bv8): bv32;

procedure main(x: bv8, y: bv32)
{
  var high: bv4;
  high := x[8:4];
  assert high ++ x[4:0] == x;
  assert 255bv8[8:7] == 1bv1;
  assert ult(0bv8, x) || x == 0bv8;
  assert widen(x)[8:0] == x;
  assert y[32:16] ++ y[16:8] ++ y[8:0] == y;
  assert (x ++ x)[12:4] == x[4:0] ++ x[8:4];
}
