// Datatypes: constructors that share a field, updates, recursion, parameters, data in maps.
type Ref;
datatype Shape { Circle(center: int, radius: int), Box(center: int, width: int, height: int), Nothing() }
datatype Option<T> { None(), Some(value: T) }
datatype List { Nil(), Cons(head: int, tail: List) }
datatype Tree { Leaf(), Node(children: Forest) }
datatype Forest { Empty(), More(first: Tree, rest: Forest) }
datatype Unit { Unit() }
datatype Cell { Cell(next: [int]List, owner: Ref) }

procedure {:verdict "proved"} constructors(x: int, y: int)
{
  assert Circle(x, y)->radius == y && Circle(x, y) is Circle && !(Circle(x, y) is Box);
  assert Circle(x, y) == Circle(y, x) ==> x == y;
  assert Circle(x, y) != Nothing();
}

procedure {:verdict "bug"} any_constructor(s: Shape)
{
  assert s is Circle || s is Box;
}

procedure {:verdict "proved"} one_of_the_constructors(s: Shape)
{
  assert s is Circle || s is Box || s is Nothing;
  assert s is Nothing <==> s == Nothing();
}

procedure {:verdict "proved"} shared_field(x: int)
{
  assert Circle(x, 1)->center == x && Box(x, 2, 3)->center == x;
  assert Box(x, 2, 3)->(center := 5) == Box(5, 2, 3);
  assert Circle(x, 2)->(center := 5) == Circle(5, 2);
}

procedure {:verdict "bug"} shared_field_may_fail(s: Shape)
{
  assume !(s is Nothing);
  assert s->center != 3;
}

procedure {:verdict "proved"} updates(s: Shape)
{
  var t: Shape;
  assume s is Box;
  t := s;
  t->width := 7;
  assert t->width == 7 && t->height == s->height && t->center == s->center;
  t := t->(width := s->width);
  assert t == s;
}

procedure {:verdict "bug"} update_may_fail(s: Shape)
{
  var t: Shape;
  assume s is Box && s->width < s->height;
  t := s->(width := 7);
  assert t->width < t->height;
}

procedure {:verdict "bug"} field_of_another_constructor()
{
  var s: Shape;
  s := Nothing();
  assert s->radius == 0;
}

procedure {:verdict "bug"} shared_field_of_another_constructor(s: Shape)
{
  assume s is Nothing;
  assert s->center == 5;
}

procedure {:verdict "bug"} field_of_another_list(l: List)
{
  assume l is Nil;
  assert l->tail is Nil;
}

procedure {:verdict "proved"} matching(s: Shape)
{
  var c, w, h: int;
  assume s is Box;
  Box(c, w, h) := s;
  assert s == Box(c, w, h);
}

procedure {:verdict "bug"} lists(l: List)
{
  assume l is Cons && l->tail is Cons && l->head < l->tail->head;
  assert l->tail->tail is Cons;
}

procedure {:verdict "proved"} lists_are_finite(l: List, x: int)
{
  assert l != Cons(x, l);
}

procedure {:verdict "bug"} long_list(l: List)
{
  var k: List;
  var n: int;
  k := l;
  n := 0;
  while (k is Cons) {
    n := n + k->head;
    k := k->tail;
  }
  assert n != 6 || l->head == 6;
}

procedure {:verdict "bug"} mutual_recursion(t: Tree)
{
  assume t is Node && t->children is More && t->children->rest is More;
  assert t->children->first == t->children->rest->first;
}

procedure {:verdict "proved"} parameters(x: int)
{
  var o: Option int;
  var b: Option bool;
  o, b := Some(x), Some(x > 0);
  assert o->value > 0 <==> b->value;
  b := None();
  assert !(b is Some);
}

procedure {:verdict "bug"} parameters_may_fail(o: Option int, b: Option bool)
{
  assume o is Some && b is Some;
  assert o->value > 3 ==> b->value;
}

procedure {:verdict "proved"} one_value(u: Unit, v: Unit)
{
  assert u == v;
}

procedure {:verdict "bug"} data_in_maps(m: [int]Option int)
{
  assume m[0] is Some && m[1] is None;
  assert m[m[0]->value] is None;
}

procedure {:verdict "bug"} maps_in_data(c: Cell)
{
  assume c->next[0] is Cons && c->next[1] == Nil();
  assert c->next[0]->head == 0;
}

procedure {:verdict "bug"} data_as_indices(m: [List]int, l: List)
{
  assume m[l] == 1 && m[Cons(1, l)] == 2;
  assert m[Nil()] != 3;
}

procedure {:verdict "proved"} update_without_the_field()
{
  var s: Shape;
  s := Nothing()->(center := 5);
  assert s->center == 5 && !(s is Nothing);
}

procedure {:verdict "bug"} update_without_the_field_leaves_others_open()
{
  var s: Shape;
  s := Nothing()->(center := 5);
  assert s == Box(5, Nothing()->width, 3);
}
