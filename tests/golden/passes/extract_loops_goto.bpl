// RUN: transform --pass extract-loops
procedure main()
{
  var x: int;

  start:
    x := 0;
    goto first;
  first:
    x := x + 1;
    goto first, second, done;
  second:
    x := x + 2;
    goto second, third;
  third:
    x := x + 3;
    goto first, done;
  done:
    assert x > 0;
    return;
}
