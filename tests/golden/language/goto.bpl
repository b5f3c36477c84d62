// RUN: transform --pass lower
procedure main(x: int) returns (r: int)
{
  start:
    r := 0;
    goto positive, negative;
  positive:
    assume x >= 0;
    r := x;
    goto end;
  negative:
    assume x < 0;
    r := -x;
    goto end;
  end:
    assert r >= 0;
    return;
}

procedure Labels(b: bool)
{
  var i: int;
  i := 0;
  again:
  i := i + 1;
  if (b) {
    inner: i := i + 2;
    goto again;
  }
  out:
}
