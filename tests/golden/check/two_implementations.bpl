// RUN: check
procedure Choose() returns (r: int);

implementation Choose() returns (r: int)
{
  r := 1;
}

implementation Choose() returns (s: int)
{
  s := 2;
}

procedure main()
{
  var r: int;
  call r := Choose();
  assert r == 1;
}
