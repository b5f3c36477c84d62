// RUN: transform --pass lower
type T;
const a, b: int;
const unique x, y: T;
const {:weight 3, "kilo"} limit: int;
axiom limit == 10;
axiom {:about "a and b"} a < b;

procedure main()
{
  assert x != y;
}
