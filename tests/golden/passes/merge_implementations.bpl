// RUN: transform --pass merge-implementations
var g: int;

procedure Step(n: int) returns (r: int);
  modifies g;

implementation Step(n: int) returns (r: int)
{
  var local: int;
  local := n;
  r := local;
}

implementation Step(m: int) returns (s: int)
{
  var local: bool;
  if (local) {
    g := m;
  }
  s := 0;
}

procedure main()
  modifies g;
{
  var r: int;
  call r := Step(1);
}
