// Readings of a sensor, with more assertions than it takes.
// Expected: bug. The second reading need not be larger than the first.
procedure read() returns (value: int);
  free ensures value > 0;

procedure main()
{
  var a: int;
  var b: int;

  call a := read();
  assert a >= 1;
  assert a >= 0;
  b := a + 1;
  assert b > 1;
  call a := read();
  assert a > b;
  assert a != b && b != a + 1;
}
