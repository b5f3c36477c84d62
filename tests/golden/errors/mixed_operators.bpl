// RUN: check
procedure main(a: bool, b: bool, c: bool)
{
  assert a && b || c;
  assert a ==> b <== c;
  assert a || (b && c) && a;
  assert a && b || d || 3;
  assert c + 1 == a;
}
