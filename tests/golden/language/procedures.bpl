// RUN: transform --pass lower
var g, h: int;

procedure {:inline 3} Contract(x: int where x > 0, {:note "second"} y: int) returns (r: int where r >= 0, s: bool)
  requires x > y;
  free requires y >= 0;
  requires {:msg "g"} g == 0;
  modifies g, h;
  ensures r == x - y;
  free ensures s;
  ensures old(g) == 0 && g > old(g);
{
  var z: int where z > 10;
  havoc z;
  g := z;
  h := h + 1;
  r, s := x - y, true;
}

procedure External(x: int) returns (r: int);
  modifies g;
  ensures r > x;

procedure Several(n: int) returns (r: int);
  ensures r > n;

implementation {:first} Several(n: int) returns (r: int)
{
  r := n + 1;
}

implementation {:second} Several(count: int) returns (answer: int)
{
  var n: int;
  n := count;
  answer := n + 2;
}

procedure {:entrypoint} start()
  modifies g, h;
{
  var r: int;
  var s: bool;
  g := 0;
  call r, s := Contract(3, 1);
  call r := Several(r);
  call r := External(r);
}
