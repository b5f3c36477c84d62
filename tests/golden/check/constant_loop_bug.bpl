// RUN: check --recursion-bound 2
procedure main()
{
  var i: int;
  i := 0;
  while (i < 27) {
    i := i + 1;
  }
  assert i < 27;
}
