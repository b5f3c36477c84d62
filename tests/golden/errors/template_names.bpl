// RUN: summaries
var s: int;

procedure {:template} T(x: int) returns (r: int);
  requires r == x;
  ensures r == y;
  ensures x == t;

procedure main()
{
  assert s == 0;
}
