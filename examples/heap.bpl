// A heap as maps from references to the fields of a cell: builds the list 1, 2, 3 and reverses it in place.
// Expected: proved. The loop of `Reverse` ends after three cells, so the default bound cuts nothing off.

type Ref;
const null: Ref;

var allocated: [Ref]bool;
var data: [Ref]int;
var next: [Ref]Ref;

procedure New() returns (cell: Ref)
  modifies allocated;
{
  havoc cell;
  assume cell != null && !allocated[cell];
  allocated[cell] := true;
}

procedure Push(value: int, list: Ref) returns (cell: Ref)
  modifies allocated, data, next;
{
  call cell := New();
  data[cell] := value;
  next[cell] := list;
}

procedure Reverse(list: Ref) returns (reversed: Ref)
  modifies next;
{
  var rest, after: Ref;

  reversed := null;
  rest := list;
  while (rest != null) {
    after := next[rest];
    next[rest] := reversed;
    reversed := rest;
    rest := after;
  }
}

procedure main()
  modifies allocated, data, next;
{
  var list: Ref;

  call list := Push(3, null);
  call list := Push(2, list);
  call list := Push(1, list);
  call list := Reverse(list);

  assert data[list] == 3;
  assert data[next[list]] == 2;
  assert data[next[next[list]]] == 1;
  assert next[next[next[list]]] == null;
}
