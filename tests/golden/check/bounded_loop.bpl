// RUN: check --recursion-bound 3
procedure main(n: int)
{
  var i: int;
  i := 0;
  while (i < n) {
    i := i + 1;
  }
  assert i != 50;
}
