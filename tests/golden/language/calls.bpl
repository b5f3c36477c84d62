// RUN: transform --pass lower
var g: int;

procedure None();
procedure One(x: int) returns (r: int);
procedure Two(x: int, b: bool) returns (r: int, s: bool);
  modifies g;
procedure Thread(x: int);

procedure main()
  modifies g;
{
  var x: int;
  var b: bool;
  call None();
  call x := One(x + 1);
  call {:site 4} x, b := Two(3, x > 0);
  free call None();
  async call Thread(x);
  par x := One(1) | b := Flag() | None();
  yield;
}

procedure Flag() returns (b: bool);
