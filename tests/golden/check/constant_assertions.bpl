// RUN: check --all-assertions
procedure main(x: int)
{
  assert true;
  assert 1 < 2;
  assert x == x;
  assert x < 3;
}
