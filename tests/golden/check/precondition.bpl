// RUN: check
procedure Half(x: int) returns (r: int);
  requires x >= 0;
  ensures r == x div 2;

procedure main()
{
  var r: int;
  call r := Half(4);
  call r := Half(r - 3);
}
