// Builtin functions besides those on bit-vectors and floats: arithmetic, Boolean, and on maps point by point.
type Ref;
function {:builtin "mod"} modulo(int, int): int;
function {:builtin "div"} quotient(int, int): int;
function {:builtin "rem"} remainder(int, int): int;
function {:builtin "abs"} absolute(int): int;
function {:builtin "to_real"} toReal(int): real;
function {:builtin "to_int"} toInt(real): int;
function {:builtin "is_int"} isInt(real): bool;
function {:builtin "xor"} xor(bool, bool): bool;
function {:builtin "ite"} choose(bool, int, int): int;
function {:builtin "MapConst"} all(int): [Ref]int;
function {:builtin "MapConst"} allSets(bool): [Ref]bool;
function {:builtin "MapAdd"} add(a: [Ref]int, b: [Ref]int): [Ref]int;
function {:builtin "MapSub"} sub(a: [Ref]int, b: [Ref]int): [Ref]int;
function {:builtin "MapLe"} lessOrEqual(a: [Ref]int, b: [Ref]int): [Ref]bool;
function {:builtin "MapAnd"} intersection(a: [Ref]bool, b: [Ref]bool): [Ref]bool;
function {:builtin "MapOr"} union(a: [Ref]bool, b: [Ref]bool): [Ref]bool;
function {:builtin "MapNot"} complement(a: [Ref]bool): [Ref]bool;
function {:builtin "MapImp"} implication(a: [Ref]bool, b: [Ref]bool): [Ref]bool;
function {:builtin "MapIte"} chosen(c: [Ref]bool, a: [Ref]int, b: [Ref]int): [Ref]int;
function {:builtin "MapEq"} equalAt(a: [Ref]int, b: [Ref]int): [Ref]bool;

procedure {:verdict "proved"} arithmetic()
{
  assert modulo(-7, 3) == 2 && quotient(-7, 3) == -3;
  assert remainder(7, -3) == -1 && absolute(-4) == 4;
  assert toInt(toReal(3)) == 3 && isInt(2.0) && !isInt(2.5);
  assert xor(true, false) && !xor(true, true) && choose(false, 1, 2) == 2;
}

procedure {:verdict "bug"} arithmetic_may_fail(x: int, y: int)
{
  assume y < 0 && absolute(x) < 20;
  assert remainder(x, y) != -3 || absolute(y) != 7;
}

procedure {:verdict "bug"} by_zero(x: int)
{
  assert modulo(x, 0) == quotient(x, 0);
}

procedure {:verdict "proved"} points(a: [Ref]int, b: [Ref]int, r: Ref)
{
  assert add(a, b)[r] == a[r] + b[r];
  assert sub(add(a, b), b)[r] == a[r];
  assert all(3)[r] == 3;
  assert chosen(lessOrEqual(a, b), a, b)[r] <= b[r];
  assert equalAt(a, a)[r];
}

procedure {:verdict "bug"} points_may_differ(a: [Ref]int, b: [Ref]int, r: Ref)
{
  assume lessOrEqual(a, b)[r];
  assert add(a, b)[r] != 5 || sub(b, a)[r] != 3;
}

procedure {:verdict "proved"} sets(a: [Ref]bool, b: [Ref]bool, r: Ref)
{
  assert intersection(a, complement(a))[r] == allSets(false)[r];
  assert union(a, b)[r] <==> complement(intersection(complement(a), complement(b)))[r];
  assert implication(intersection(a, b), a)[r];
}

procedure {:verdict "bug"} sets_may_differ(a: [Ref]bool, b: [Ref]bool, r: Ref)
{
  assert implication(a, b)[r] || intersection(a, b)[r];
}

procedure {:verdict "bug"} constant_map(m: [Ref]int)
{
  assume m == all(4);
  assert (forall r: Ref :: m[r] == 5);
}
