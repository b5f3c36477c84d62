// RUN: check --unwind 3
procedure main()
{
  var i: int;
  i := 0;
  while (i < 27) {
    i := i + 1;
  }
  assert i < 27;
}
