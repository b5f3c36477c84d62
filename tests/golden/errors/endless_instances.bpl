// RUN: check
type Box a;

procedure Grow<a>(x: Box a)
{
  var y: Box (Box a);
  call Grow(y);
}

procedure main()
{
  var x: Box int;
  call Grow(x);
}
