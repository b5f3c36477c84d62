// RUN: transform --pass lower
var x: int;
const c: int;

procedure Set(x: int) returns (y: int)
{
  y := x + 1;
}

procedure main()
  modifies x;
{
  var c: bool;
  var y: int;
  c := (exists x: int :: x > y);
  call x := Set(x);
  assert c ==> (forall y: int :: (var x := y; x == y));
}
