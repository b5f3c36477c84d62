// Type parameters of functions, procedures, datatypes and maps.
type Ref;
type Field a;
type Box a;
type Heap = <a>[Ref, Field a]a;
const unique count: Field int;
const unique full: Field bool;
const unique total: Field int;
var heap: Heap;
function wrap<a>(x: a): Box a;
function open<a>(b: Box a): a;
axiom (forall<a> x: a :: {wrap(x)} open(wrap(x)) == x);
function same<a>(x: a, y: a): bool { x == y }
function {:inline} choice<a>(b: bool, x: a, y: a): a { if b then x else y }

procedure Pick<a>(x: a, y: a) returns (r: a)
  ensures r == x || r == y;
{
  if (*) { r := x; } else { r := y; }
}

procedure {:verdict "proved"} functions(x: int, b: bool)
{
  assert open(wrap(x)) == x && open(wrap(b)) == b;
  assert same(choice(b, x, 0), choice(!b, 0, x));
}

procedure {:verdict "proved"} procedures()
{
  var i: int;
  var b: bool;
  call i := Pick(1, 2);
  assert 0 < i && i < 3;
  call b := Pick(true, true);
  assert b;
}

procedure {:verdict "bug"} procedures_may_fail()
{
  var i: int;
  call i := Pick(1, 2);
  assert i == 1;
}

procedure {:verdict "proved"} fields(r: Ref, s: Ref)
  modifies heap;
{
  heap[r, count] := 3;
  heap[r, full] := true;
  heap[r, total] := 4;
  assert heap[r, count] == 3 && heap[r, full];
  heap[s, full] := heap[r, count] == 4;
  assert r == s || heap[r, full];
}

procedure {:verdict "bug"} fields_of_aliases(r: Ref, s: Ref)
  modifies heap;
{
  heap[r, full] := true;
  heap[s, full] := false;
  assert heap[r, full];
}

procedure {:verdict "bug"} unknown_fields(r: Ref, f: Field int)
  modifies heap;
{
  heap[r, count] := 3;
  heap[r, f] := 4;
  assert heap[r, count] == 3;
}
