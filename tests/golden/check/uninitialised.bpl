// RUN: check
procedure main()
{
  var b: bool;
  assert b;
}
