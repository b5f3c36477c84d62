// RUN: transform --pass check-specs
var g: int where g >= 0;

procedure Deposit(amount: int) returns (balance: int)
  requires amount > 0;
  free requires g < 1000;
  modifies g;
  ensures g == old(g) + amount;
  free ensures balance == g;
{
  var copy: int where copy >= 0;
  havoc copy;
  g := g + amount;
  balance := g;
}

procedure External(x: int) returns (y: int where y > 0);
  requires x > 0;
  modifies g;
  ensures y > x;

procedure main(n: int)
  requires n > 1;
  modifies g;
  ensures g > 0;
{
  var r: int;
  call r := Deposit(n);
  call r := External(r + 1);
  free call r := External(r);
}
