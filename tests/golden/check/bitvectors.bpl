// RUN: check
function {:bvbuiltin "bvadd"} add(bv8, bv8): bv8;
function {:bvbuiltin "bvugt"} ugt(bv8, bv8): bool;

procedure main(x: bv8)
{
  assert ugt(add(x, 1bv8), x);
}
