// RUN: check
procedure main()
{
  var small: int where 0 <= small && small < 10;
  havoc small;
  assert small < 10;
  assert small != 7;
}
