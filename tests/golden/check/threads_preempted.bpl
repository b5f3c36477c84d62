// RUN: check --contexts 2
// Both threads may read x before either of them writes it: one update is lost.
var x: int;

procedure corral_thread_join(t: int);
procedure corral_getChildThreadID() returns (t: int);

procedure Add(n: int)
  modifies x;
{
  var t: int;
  t := x;
  x := t + n;
}

procedure main()
  modifies x;
{
  var one, two: int;
  x := 0;
  async call Add(1);
  call one := corral_getChildThreadID();
  async call Add(2);
  call two := corral_getChildThreadID();
  call corral_thread_join(one);
  call corral_thread_join(two);
  assert x == 3;
}
