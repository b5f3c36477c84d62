// RUN: check
procedure main()
{
  var i: int;
  i := 0;
  while (i < 3)
    invariant i <= 2;
  {
    i := i + 1;
  }
}
