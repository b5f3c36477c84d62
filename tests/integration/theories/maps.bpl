// Maps: total, extensional, with several indices, nested, and as values of other maps.
type Ref;
var heap: [Ref][int]int;
var grid: [int, int]int;
var flags: [bool]int;

procedure {:verdict "proved"} select_of_store(m: [int]int, i: int, j: int)
{
  assert m[i := 5][i] == 5;
  assume i != j;
  assert m[i := 5][j] == m[j];
}

procedure {:verdict "bug"} equal_indices(m: [int]int, i: int, j: int)
{
  assert m[i := 1][j := 2][i] == 1;
}

procedure {:verdict "proved"} order_of_stores(m: [int]int, i: int, j: int, x: int, y: int)
{
  assert i != j ==> m[i := x][j := y] == m[j := y][i := x];
  assert m[i := x][i := y] == m[i := y];
  assert m[i := m[i]] == m;
}

procedure {:verdict "proved"} extensionality(a: [int]int, b: [int]int)
{
  assume (forall i: int :: {a[i]} a[i] == b[i]);
  assert a == b;
}

procedure {:verdict "bug"} maps_differ(a: [int]int, b: [int]int)
{
  assume a[0] == b[0] && a[1] == b[1];
  assert a == b;
}

procedure {:verdict "bug"} maps_agree_elsewhere(a: [int]int, b: [int]int, k: int)
{
  assume a != b;
  assert a[k] != b[k];
}

procedure {:verdict "proved"} several_indices()
  modifies grid;
{
  var old_grid: [int, int]int;
  old_grid := grid;
  grid[1, 2] := 3;
  assert grid[1, 2] == 3 && grid[2, 1] == old_grid[2, 1];
  grid := grid[2, 1 := grid[1, 2]][1, 2 := 4];
  assert grid[2, 1] == 3 && grid[1, 2] == 4;
}

procedure {:verdict "bug"} several_indices_that_coincide(i: int, j: int)
  modifies grid;
{
  grid[i, j] := 1;
  grid[j, i] := 2;
  assert grid[i, j] == 1;
}

procedure {:verdict "proved"} nested(r: Ref, s: Ref)
  modifies heap;
{
  assume r != s;
  heap[r][0] := 1;
  heap[s][0] := 2;
  assert heap[r][0] == 1;
  heap[r] := heap[s];
  assert heap[r][0] == 2 && heap[r] == heap[s];
}

procedure {:verdict "bug"} aliases(r: Ref, s: Ref)
  modifies heap;
{
  heap[r][0] := 1;
  heap[s][0] := 2;
  assert heap[r][0] == 1;
}

procedure {:verdict "proved"} few_indices(a: [bool]int, b: [bool]int)
{
  assume a[true] == b[true] && a[false] == b[false];
  assert a == b;
}

procedure {:verdict "bug"} few_indices_that_differ(a: [bool]bool, b: [bool]bool, c: [bool]bool)
{
  assume a[true] != a[false];
  assume b[true] != b[false];
  assume a != b && c != a && c != b;
  assert c[true] != c[false];
}

procedure {:verdict "bug"} pigeonhole_of_maps(a: [bool]bool, b: [bool]bool, c: [bool]bool, d: [bool]bool)
{
  assert a == b || a == c || a == d || b == c || b == d || c == d;
}

procedure {:verdict "proved"} pigeonhole_of_five(a: [bool]bool, b: [bool]bool, c: [bool]bool, d: [bool]bool, e: [bool]bool)
{
  assume a[true] && a[false] && b[true] && !b[false] && !c[true] && c[false] && !d[true] && !d[false];
  assert e == a || e == b || e == c || e == d;
}

procedure {:verdict "bug"} {:not "cvc5"} maps_as_indices(m: [[int]int]int, a: [int]int, b: [int]int)
{
  assume a[0] == b[0];
  assert m[a] == m[b];
}

procedure {:verdict "proved"} equal_maps_as_indices(m: [[int]int]int, a: [int]int)
{
  assert m[a] == m[a[0 := a[0]]];
}

procedure {:verdict "bug"} map_of_booleans(seen: [int]bool, i: int)
{
  assume seen[i];
  assert seen[i := false][i + 1];
}
