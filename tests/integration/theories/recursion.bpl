// Recursion: direct, through two procedures, through a loop, with results, and calls in both branches.
var g: int;
var depth: int;

procedure Even(n: int) returns (r: bool)
{
  if (n == 0) { r := true; } else { call r := Odd(n - 1); }
}

procedure Odd(n: int) returns (r: bool)
{
  if (n == 0) { r := false; } else { call r := Even(n - 1); }
}

procedure {:verdict "proved"} two_procedures()
{
  var r: bool;
  call r := Even(4);
  assert r;
  call r := Odd(4);
  assert !r;
}

procedure {:verdict "bug"} two_procedures_may_fail(n: int)
{
  var r: bool;
  assume 2 < n && n < 6;
  call r := Even(n);
  assert r;
}

procedure Fib(n: int) returns (r: int)
{
  var a, b: int;
  if (n < 2) { r := n; return; }
  call a := Fib(n - 1);
  call b := Fib(n - 2);
  r := a + b;
}

procedure {:verdict "proved"} results()
{
  var r: int;
  call r := Fib(5);
  assert r == 5;
}

procedure {:verdict "bug"} results_may_fail(n: int)
{
  var r: int;
  assume n >= 0;
  call r := Fib(n);
  assert r != 3;
}

procedure Walk(n: int)
  modifies g;
{
  var i: int;
  i := 0;
  while (i < n) {
    g := g + 1;
    call Walk(n - 1 - i);
    i := i + 1;
  }
}

procedure {:verdict "proved"} {:bound 3} through_a_loop()
  modifies g;
{
  g := 0;
  call Walk(2);
  assert g == 3;
}

procedure {:verdict "bug"} {:bound 3} through_a_loop_may_fail(n: int)
  modifies g;
{
  g := 0;
  call Walk(n);
  assert g != 3;
}

procedure Step()
  modifies g;
{
  if (*) { g := g + 1; call Step(); } else { g := g + 2; call Done(); }
}

procedure Done()
  modifies g;
{
  g := g * 10;
}

procedure {:verdict "bug"} called_in_both_branches()
  modifies g;
{
  g := 0;
  if (*) { call Step(); } else { g := 5; call Step(); }
  assert g != 80;
}

procedure Ackermann(m: int, n: int) returns (r: int)
{
  if (m == 0) {
    r := n + 1;
  } else if (n == 0) {
    call r := Ackermann(m - 1, 1);
  } else {
    call r := Ackermann(m, n - 1);
    call r := Ackermann(m - 1, r);
  }
}

procedure {:verdict "proved"} {:bound 4} nested_results()
{
  var r: int;
  call r := Ackermann(1, 1);
  assert r == 3;
}

procedure Down(n: int)
{
  assert n != 0;
  call Down(n - 1);
}

procedure {:verdict "bug"} no_end(n: int)
{
  assume n > 3;
  call Down(n);
}
