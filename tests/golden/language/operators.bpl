// RUN: transform --pass lower
procedure main(a: bool, b: bool, c: bool, x: int, y: int, z: int)
{
  assert a <==> b <==> c;
  assert (a <==> b) <==> c;
  assert a <==> (b <==> c);
  assert a ==> b ==> c;
  assert (a ==> b) ==> c;
  assert a <== b <== c;
  assert a ==> (b <== c);
  assert a && b && c;
  assert a && (b && c);
  assert a || b || c;
  assert a || (b || c);
  assert (a && b) || c;
  assert a && (b || c);
  assert a && b ==> b || c;
  assert !a && !(b && c) && !!c;
  assert x < y <= z;
  assert (x < y) == (y > x);
  assert x - y - z == x - (y + z);
  assert x - (y - z) == (x - y) + z;
  assert x + y * z div 2 mod 3 == x + (((y * z) div 2) mod 3);
  assert x * (y div z) != (x * y) div z;
  assert -x - -y == -(x - y);
  assert - - x == x;
  assert (if a then x else y) + 1 > (if a && b then x + 1 else if c then y else z);
  assert if a then b else c;
  assert x >= y && x != y ==> x > y;
}
