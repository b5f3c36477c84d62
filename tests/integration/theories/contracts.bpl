// Checked and free contracts, of procedures with and without bodies, and of the entry.
var g: int;

procedure Positive(x: int) returns (y: int)
  requires x > 0;
  ensures y > x;
{
  y := x + 1;
}

procedure Free(x: int) returns (y: int)
  free requires x > 0;
  free ensures y > 10;
{
  y := x;
}

procedure NoBody(x: int) returns (y: int);
  requires x > 0;
  free requires x > 1;
  modifies g;
  ensures y > x;
  free ensures g == old(g) + 1;

procedure Silent() returns (y: int);

procedure BadBody(x: int) returns (y: int)
  ensures y > x;
{
  if (x == 17) { return; }
  y := x + 1;
}

procedure {:verdict "proved"} precondition_holds(x: int)
{
  var y: int;
  if (x > 0) {
    call y := Positive(x);
    assert y > 1;
  }
}

procedure {:verdict "bug"} precondition_fails(x: int)
{
  var y: int;
  if (x >= 0) {
    call y := Positive(x);
  }
}

procedure {:verdict "proved"} free_contracts_are_assumed(x: int)
{
  var y: int;
  call y := Free(x);
  assert y > 10 && x > 10;
}

procedure {:verdict "proved"} free_calls_assume(x: int)
{
  var y: int;
  free call y := Positive(x);
  assert x > 0 && y > 1;
}

procedure {:verdict "proved"} body_is_not_there(x: int)
  modifies g;
{
  var y: int;
  assume x > 0;
  call y := NoBody(x);
  assert y > x && g == old(g) + 1;
}

// A free precondition is for who proves the body: where there is none, nobody assumes it.
procedure {:verdict "bug"} free_precondition_of_no_body(x: int)
  modifies g;
{
  var y: int;
  assume x > 0;
  call y := NoBody(x);
  assert x > 1;
}

procedure {:verdict "bug"} body_is_not_there_precondition(x: int)
  modifies g;
{
  var y: int;
  call y := NoBody(x);
}

procedure {:verdict "bug"} result_is_anything()
{
  var x, y: int;
  call x := Silent();
  call y := Silent();
  assert x == y;
}

procedure {:verdict "bug"} postcondition_fails(x: int)
{
  var y: int;
  call y := BadBody(x);
}

procedure {:verdict "proved"} entry_requires(x: int)
  requires x > 0;
  free requires x < 10;
{
  assert 0 < x && x < 10;
}

procedure {:verdict "bug"} entry_ensures(x: int) returns (y: int)
  requires x > 0;
  ensures y > 1;
{
  y := x;
}

procedure {:verdict "bug"} entry_called_recursively(x: int)
  requires x > 0;
{
  call entry_called_recursively(x - 1);
}

procedure {:verdict "proved"} entry_called_correctly(x: int)
  requires x > 0;
{
  if (x < 3) {
    call entry_called_correctly(x + 1);
  }
  assert x > 0;
}

procedure {:verdict "proved"} contradictory_requires(x: int)
  requires x > 0;
  requires x < 0;
{
  assert false;
}

procedure Contradiction();
  free ensures false;

procedure {:verdict "proved"} never_returns()
{
  call Contradiction();
  assert false;
}
