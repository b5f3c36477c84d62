// RUN: check --all-assertions --independent --recursion-bound 3
// RUN: check --all-assertions --independent --recursion-bound 3 --implications --tune order=forward
// Nothing relies on what is checked: Add may be called with any number, and the loop goes on when its invariant fails.
var g: int;

procedure Add(x: int)
  requires x > 0;
  requires {:id "small"} x < 10;
  modifies g;
  ensures g > old(g);
{
  if (x == 7) {
    return;
  }
  g := g + x;
}

procedure main(n: int)
  modifies g;
{
  var i: int;

  g := 0;
  assert g == 0;
  call Add(n);
  call Add(5);
  assert {:id "still small"} g < 12;
  assert g == n + 5;
  i := 0;
  while (i < n)
    invariant i <= n;
    invariant i < 2;
  {
    i := i + 1;
    assert i > 0;
  }
  assert g == n + 5;
}

procedure Unreached()
{
  assert false;
}
