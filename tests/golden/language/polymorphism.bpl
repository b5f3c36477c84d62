// RUN: transform --pass lower
type Box a;
function wrap<a>(x: a): Box a;
function open<a>(b: Box a): a;
axiom (forall<a> x: a :: {wrap(x)} open(wrap(x)) == x);
function same<a>(x: a, y: a): bool { x == y }

procedure Choose<a>(x: a, y: a) returns (r: a)
  ensures r == x || r == y;
{
  if (*) {
    r := x;
  } else {
    r := y;
  }
}

procedure main()
{
  var i: int;
  var b: bool;
  call i := Choose(1, 2);
  call b := Choose(true, i > 0);
  assert open(wrap(i)) == i;
  assert same(b, open(wrap(b)));
}
