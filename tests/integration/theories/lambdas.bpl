// Lambdas and lets.
var g: int;

procedure {:verdict "proved"} application(k: int)
{
  var m: [int]int;
  m := (lambda i: int :: i * 2 + k);
  assert m[3] == 6 + k;
  m[3] := 0;
  assert m[3] == 0 && m[4] == 8 + k;
}

procedure {:verdict "bug"} application_may_fail(i: int)
{
  var m: [int]bool;
  m := (lambda j: int :: j > 10);
  assert !m[i];
}

procedure {:verdict "proved"} captured_variables_keep_their_value(k: int)
  modifies g;
{
  var m: [int]int;
  g := k;
  m := (lambda i: int :: i + g);
  g := g + 1;
  assert m[0] == k;
}

procedure {:verdict "bug"} captured_parameter(k: int)
{
  var m: [int]int;
  m := (lambda i: int :: i + k);
  assert m[1] != 8;
}

procedure {:verdict "proved"} several_variables()
{
  var less: [int, int]bool;
  less := (lambda i, j: int :: i < j);
  assert less[1, 2] && !less[2, 1];
}

procedure {:verdict "bug"} several_variables_may_fail(i: int, j: int)
{
  var less: [int, int]bool;
  less := (lambda i, j: int :: i < j);
  assert less[i, j] || less[j, i];
}

procedure {:verdict "proved"} nested_lambdas()
{
  var m: [int][int]int;
  m := (lambda i: int :: (lambda j: int :: 10 * i + j));
  assert m[4][2] == 42;
}

procedure {:verdict "bug"} nested_lambdas_may_fail(a: int, b: int)
{
  var m: [int][int]int;
  m := (lambda i: int :: (lambda j: int :: 10 * i + j));
  assume 0 <= b && b < 10;
  assert m[a][b] != 42;
}

procedure {:verdict "bug"} over_booleans(b: bool)
{
  var m: [bool]int;
  m := (lambda c: bool :: if c then 1 else 2);
  assert m[b] == 1;
}

procedure {:verdict "proved"} equal_over_booleans()
{
  var m: [bool]int;
  m := (lambda c: bool :: if c then 1 else 2);
  assert m == m[true := 1] && m[true := 2] != m;
}

procedure {:verdict "proved"} lets(x: int)
{
  assert (var y := x + 1; y > x);
  assert (var y, z := x, x + 1; (var y := z; y > x));
  assert (var x, y := x + 1, x; x == y + 1);
}

procedure {:verdict "bug"} let_may_fail(x: int)
{
  assert (var y := x * x; (var x := 3; y != x * x));
}

procedure {:verdict "proved"} let_in_lambda(k: int)
{
  var m: [int]int;
  m := (lambda i: int :: (var d := i - k; d * d));
  assert m[k] == 0 && m[k + 2] == 4;
}

function {:inline} shifted(m: [int]int, by: int): [int]int { (lambda i: int :: m[i + by]) }

procedure {:verdict "proved"} lambda_in_function(m: [int]int)
{
  assert shifted(m, 1)[2] == m[3];
  assert shifted(shifted(m, 1), 1)[2] == m[4];
}

procedure {:verdict "bug"} lambda_in_function_may_fail(m: [int]int, by: int)
{
  assert shifted(m, by)[0] == m[0];
}
