// RUN: check
datatype Shape { Circle(radius: int), Box(width: int, height: int) }
datatype Shape { Again() }

procedure main(s: Shape)
{
  var t: Shape;
  assert s->diameter == 1;
  assert s is Crcle;
  t := Box(1);
  t := Circle(true);
  t->radius := false;
}
