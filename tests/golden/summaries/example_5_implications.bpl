// RUN: summaries --from-proofs --all-assertions --implications --unwind 2
// Example 5: what other assertions imply is not looked at, and the summaries are as good.
procedure f(a: int, b: int) returns (i: int)
{
  i := 0;
  while (i < a + b) {
    if (i < a) { i := i + a; } else { i := i + b; }
  }
  assert i >= a + b;
}
procedure main()
{
  var x, y, z: int;
  havoc x, y;
  if (x >= y && y >= 0) {
    assert x >= 0;
    z := x + y;
    assert z >= 0;
  }
  havoc x, y;
  call z := f(x, y);
  assert z >= 0;
  assert z >= x + y;
  assert x <= z - y;
}
