// RUN: check --recursion-bound 1 --unwind 4
procedure main()
{
  var i: int;
  i := 0;
  while (i < 4) {
    i := i + 1;
  }
  assert false;
}
