// RUN: transform --pass lower
type Ref;
type Field a;
type Heap = <a>[Ref, Field a]a;
const unique size: Field int;
const unique full: Field bool;
var heap: Heap;

procedure main(r: Ref)
  modifies heap;
{
  heap[r, size] := 3;
  heap[r, full] := heap[r, size] > 2;
  assert heap[r, full];
}
