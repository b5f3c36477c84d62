// RUN: check --contexts 3
// No update is lost if reading and writing are one step.
var x: int;

procedure corral_atomic_begin();
procedure corral_atomic_end();
procedure corral_thread_join(t: int);
procedure corral_getChildThreadID() returns (t: int);

procedure Add(n: int)
  modifies x;
{
  var t: int;
  call corral_atomic_begin();
  t := x;
  x := t + n;
  call corral_atomic_end();
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
