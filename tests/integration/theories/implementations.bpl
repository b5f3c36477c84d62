// Several implementations of one procedure: each call runs any of them.
procedure Coin() returns (x: int);
  ensures x < 3;
implementation Coin() returns (x: int) { x := 0; }
implementation Coin() returns (y: int) { var z: int; z := 1; y := z; }

procedure Wrong() returns (x: int);
  ensures x > 0;
implementation Wrong() returns (x: int) { x := 1; }
implementation Wrong() returns (x: int) { x := 0; }

procedure {:verdict "proved"} each_is_possible()
{
  var x, y: int;
  call x := Coin();
  call y := Coin();
  assert 0 <= x + y && x + y <= 2;
}

procedure {:verdict "bug"} they_differ()
{
  var x, y: int;
  call x := Coin();
  call y := Coin();
  assert x + y != 1;
}

procedure {:verdict "bug"} one_of_them_is_wrong()
{
  var x: int;
  call x := Wrong();
}

procedure {:verdict "bug"} entry(x: int);
implementation entry(x: int) { assume x > 0; assert x != 0; }
implementation entry(x: int) { assume x > 0; assert x != 1; }
