// RUN: check
procedure main(x: int, b: bool)
{
  assert x + b == 2;
  assert x;
  x := 3;
}
