// RUN: check
procedure main()
{
  assert 1 @ 2;
  assert true & false;
}
