// RUN: transform --pass lower
datatype Shape {
  Circle(radius: int),
  Box(width: int, height: int),
  Nothing()
}

datatype Option<T> { None(), Some(value: T) }

datatype Tree { Leaf(), Node(left: Tree, key: int, right: Tree) }

procedure main(shape: Shape, tree: Tree)
{
  var s: Shape;
  var o: Option int;
  var p: Option bool;
  var w, h: int;

  s := Box(1, 2);
  assert s is Box && s->width == 1;
  s := s->(width := 5);
  s->height := 6;
  assert s == Box(5, 6);
  Box(w, h) := s;
  assert w + h == 11;

  o := Some(7);
  p := None();
  if (o is Some) {
    assert o->value == 7;
  }
  assert !(p is Some);
  assert tree is Node ==> tree->left is Leaf || tree->left is Node;
  assert Node(Leaf(), 1, tree)->right == tree;
}
