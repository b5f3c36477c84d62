// RUN: transform --pass extract-loops,offer-candidates
const {:existential true} b: bool;
var s: int;

procedure {:template} Template(x: int);
  requires x > 0;
  ensures s != x;

procedure Acquire()
  modifies s;
{
  assert s == 0;
  s := 1;
}

procedure main(n: int)
  modifies s;
{
  var i: int;
  i := 0;
  while (i < n)
    invariant b ==> i >= 0;
  {
    call Acquire();
    i := i + 1;
  }
}
