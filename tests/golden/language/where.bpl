// RUN: transform --pass lower
var small: int where 0 <= small && small < 10;
var {:note "parity"} even: int where even mod 2 == 0, odd: int where odd mod 2 == 1;

procedure main()
  modifies small;
{
  var near: int where near == small + 1;
  havoc small, near;
  assert near <= 10;
}
