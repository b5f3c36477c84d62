// RUN: check
procedure main(f: float24e8)
{
  var b: bv8;
  b := 1bv9;
  b := b[9:0] ++ b;
  assert b[2:4] == 1bv2;
  assert f == 0x1.8e0f53e11;
}
