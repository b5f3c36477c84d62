// Uninterpreted sorts and functions, constants, unique constants.
type Ref;
type Color;
type Pair a b;
const null: Ref;
const unique red: Color;
const unique green: Color;
const unique blue: Color;
const unique one: int;
const unique two: int;
const limit: int;
axiom limit == 10;
function owner(Ref): Ref;
function size(Ref): int;
function pair(int, Ref): Pair int Ref;
function first(Pair int Ref): int;
function nothing(): int;
function holds(bool, int): bool;

procedure {:verdict "proved"} congruence(r: Ref, s: Ref)
{
  assume r == s;
  assert owner(r) == owner(s) && size(owner(r)) == size(owner(s));
}

procedure {:verdict "proved"} cycle(r: Ref)
{
  assume owner(owner(owner(r))) == r;
  assume owner(owner(owner(owner(owner(r))))) == r;
  assert owner(r) == r;
}

procedure {:verdict "bug"} owners_may_agree(r: Ref, s: Ref)
{
  assume r != s && r != null && s != null;
  assert owner(r) != owner(s);
}

procedure {:verdict "bug"} values_of_a_function(r: Ref)
{
  assume size(r) == 3 && size(owner(r)) == 4 && size(owner(owner(r))) == 5;
  assert owner(owner(owner(r))) != r;
}

procedure {:verdict "proved"} unique_constants_differ()
{
  assert red != green && green != blue && red != blue;
  assert one != two;
}

procedure {:verdict "bug"} other_constants_may_coincide(c: Color)
{
  assume c != red && c != green;
  assert c == blue;
}

procedure {:verdict "bug"} plain_constants_may_be_unique_ones()
{
  assert limit != one;
}

procedure {:verdict "proved"} constants_obey_axioms(x: int)
{
  assume x > limit;
  assert x > 10;
}

procedure {:verdict "bug"} constructed_types(r: Ref, s: Ref)
{
  assume first(pair(1, r)) == 1 && first(pair(2, r)) == 7;
  assert pair(1, r) == pair(1, s);
}

procedure {:verdict "bug"} function_without_arguments()
{
  assert nothing() != 42;
}

procedure {:verdict "proved"} function_without_arguments_is_constant()
{
  var x: int;
  x := nothing();
  assert x == nothing();
}

procedure {:verdict "bug"} predicate(b: bool, x: int)
{
  assume holds(b, x) && !holds(!b, x) && !holds(b, x + 1);
  assert b;
}

procedure {:verdict "bug"} maps_of_sorts(m: [Ref]Color, r: Ref)
{
  assume m[r] == red && m[owner(r)] == green;
  assert m[null] != blue;
}

function turn(bool): bool;

procedure {:verdict "bug"} function_of_booleans()
{
  assume turn(true) != turn(false);
  assert turn(true);
}
