// Assignments in parallel, shadowing, havoc, locals that nothing has set.
var g: int;
var x: int;

procedure Set(x: int) returns (y: int)
  modifies g;
{
  g := x;
  y := x + 1;
}

procedure Pair() returns (a: int, b: int)
{
  a, b := 1, 2;
}

procedure {:verdict "proved"} swap(a: int, b: int)
{
  var c, d: int;
  c, d := a, b;
  c, d := d, c;
  assert c == b && d == a;
}

procedure {:verdict "proved"} swap_of_elements(m: [int]int, i: int, j: int)
{
  var n: [int]int;
  assume i != j;
  n := m[i := m[j]][j := m[i]];
  assert n[i] == m[j] && n[j] == m[i];
}

procedure {:verdict "bug"} shadowing(x: int)
  modifies g;
{
  g := x;
  assert g != 7;
}

procedure {:verdict "proved"} shadowed_global(g: int)
{
  var x: int;
  x := g;
  assert x == g;
}

procedure {:verdict "bug"} shadowed_global_is_another(g: int)
  modifies x;
{
  x := g;
  call Check();
}

procedure Check()
{
  assert x == g;
}

procedure {:verdict "bug"} uninitialised()
{
  var a, b: int;
  assert a == b;
}

procedure {:verdict "bug"} uninitialised_result() returns (r: int)
{
  assert r != 3;
}

procedure {:verdict "proved"} uninitialised_but_constant()
{
  var a, b: int;
  b := a;
  assert a == b;
}

procedure {:verdict "bug"} uninitialised_in_a_callee()
{
  var a, b: int;
  call a := Fresh();
  call b := Fresh();
  assert a == b;
}

procedure Fresh() returns (r: int)
{
}

procedure {:verdict "bug"} havoc_of_several()
{
  var a, b: int;
  a, b := 1, 1;
  havoc a, b;
  assert a == b;
}

procedure {:verdict "proved"} results_of_a_call()
  modifies g;
{
  var a, b: int;
  call a, b := Pair();
  assert a == 1 && b == 2;
  call b, a := Pair();
  assert a == 2 && b == 1;
  call g := Set(5);
  assert g == 6;
}

procedure {:verdict "bug"} result_overwrites(a: int)
  modifies g;
{
  call g := Set(a);
  assert g == a;
}

procedure {:verdict "proved"} argument_is_read_before(a: int)
  modifies g;
{
  var b: int;
  b := a;
  call b := Set(b);
  assert b == a + 1 && g == a;
}

procedure Arbitrary() returns (r: int);
  modifies g;
  ensures g == r + 1;

procedure {:verdict "bug"} result_overwrites_what_is_arbitrary()
  modifies g;
{
  var b: int;
  call g := Arbitrary();
  b := g;
  call Arbitrary_again();
  assert g != 4 || b != 3;
}

procedure Arbitrary_again()
  modifies g;
{
  var r: int;
  call r := Arbitrary();
}

procedure {:verdict "proved"} result_is_what_remains()
  modifies g;
{
  call g := Arbitrary();
  assume old(g) == g;
  assert g == old(g);
}
