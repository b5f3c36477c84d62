// RUN: check
procedure main()
{
  var b: bv8;
  b := 256bv8;
  assert 0x1.00001e0f4e4 == 0x1.8e0f4e4;
}
