// RUN: check --recursion-bound 2
procedure main()
{
  var i, sum: int;
  i := 0;
  sum := 0;
  while (i < 27) {
    sum := sum + i;
    i := i + 1;
  }
  assert sum == 351;
}
