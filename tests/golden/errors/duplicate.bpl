// RUN: check
var x: int;
const x: bool;

procedure P(a: int, a: bool);

procedure main()
{
  var y, y: int;
  here: y := 1;
  here: y := 2;
}

procedure main();
