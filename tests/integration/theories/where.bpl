// `where` clauses are assumed wherever a variable becomes arbitrary, and only there.
var g: int where g >= 0;
var h: int where h > g;

procedure Anything() returns (r: int where r > 0);
  modifies g;

procedure Body() returns (r: int where r > 5)
{
}

procedure Param(x: int where x < 100) returns (r: int)
{
  r := x;
}

procedure {:verdict "proved"} globals_at_the_start()
{
  assert g >= 0 && h > 0;
}

procedure {:verdict "bug"} globals_are_positive()
{
  assert g > 0;
}

procedure {:verdict "proved"} parameters(x: int where x > 3, y: int where y > x)
{
  assert y > 4;
}

procedure {:verdict "proved"} locals()
{
  var x: int where x > g;
  assert x > 0;
}

procedure {:verdict "bug"} assignments_are_free(y: int)
{
  var x: int where x > 0;
  x := y;
  assert x > 0;
}

procedure {:verdict "proved"} havoc_of_one()
{
  var x: int where x > 0;
  x := -1;
  havoc x;
  assert x > 0;
}

procedure {:verdict "proved"} havoc_of_two()
{
  var x: int where 0 <= x && x < y;
  var y: int where y < 2;
  x, y := 7, 7;
  havoc x, y;
  assert x == 0 && y == 1;
}

procedure {:verdict "bug"} havoc_of_another()
{
  var x: int where x > y;
  var y: int;
  havoc y;
  assert x > y;
}

procedure {:verdict "proved"} procedure_without_body()
  modifies g;
{
  var r: int;
  g := -3;
  call r := Anything();
  assert r > 0 && g >= 0;
}

procedure {:verdict "proved"} result_of_a_body()
{
  var r: int;
  call r := Body();
  assert r > 5;
}

procedure {:verdict "proved"} parameter_of_a_call(x: int)
{
  var r: int;
  call r := Param(x);
  assert x < 100;
}

procedure {:verdict "proved"} in_a_loop()
{
  var x: int where x > 0;
  var i: int;
  i := 0;
  while (i < 3) {
    x := -1;
    havoc x;
    assert x > 0;
    i := i + 1;
  }
}

procedure {:verdict "bug"} in_a_loop_may_fail()
{
  var x: int where x > 0;
  var i: int;
  i := 0;
  while (i < 3) {
    havoc x;
    assert x != 3 || i != 2;
    i := i + 1;
  }
}
