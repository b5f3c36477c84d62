// RUN: check --recursion-bound 4 --tune constant-loops=no
procedure main()
{
  var i: int;
  i := 0;
  while (i < 4) {
    i := i + 1;
  }
  assert false;
}
