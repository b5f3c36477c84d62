// RUN: transform --pass lower
type Ref;
type {:keep "me"} Field a;
type finite Color;
type Address = int;
type Heap = [Ref, Address]int;
type Pair a b = [a]b;
type Tower = [int][bool, int][Ref]real;

var heap: Heap;
var names: Pair int (Field bool);
var tower: Tower;
var color: Color;
var bytes: [bv32]bv8;

procedure main()
  modifies heap;
{
  var r: Ref;
  heap[r, 3] := 4;
  assert heap[r, 3] == 4;
}
