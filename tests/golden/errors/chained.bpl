// RUN: check
procedure main(a: bool, x: int, y: int)
{
  assert x == y == a;
}
