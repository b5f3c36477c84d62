// RUN: transform --pass extract-loops
procedure main(b: bool)
{
  var x: int;

  start:
    goto left, right;
  left:
    x := x + 1;
    goto right, done;
  right:
    x := x + 2;
    goto left, done;
  done:
    assert b;
    return;
}
