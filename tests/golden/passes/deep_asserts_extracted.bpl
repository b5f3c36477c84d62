// RUN: transform --pass check-specs,extract-loops,deep-asserts,prune
// A loop that has become a procedure runs complete iterations only; the last one is in the entry.

var total: int;

procedure main()
  modifies total;
{
  total := 0;
  call Sum(3);
}

procedure Sum(n: int)
  modifies total;
  requires n >= 0;
  ensures total >= old(total);
{
  var i: int;

  i := 0;
  while (i < n) {
    total := total + i;
    assert total >= 0;
    i := i + 1;
  }
}
