// RUN: summaries
// The lock of Corral §4.2.
var s: int;

procedure Acquire()
  modifies s;
{
  assert s == 0;
  s := 1;
}

procedure Release()
  modifies s;
{
  assert s == 1;
  s := 0;
}

procedure Work(n: int) returns (done: int)
  modifies s;
{
  done := 0;
  while (done < n) {
    call Acquire();
    call Release();
    done := done + 1;
  }
}

procedure {:entrypoint} driver(n: int)
  modifies s;
{
  var done: int;
  s := 0;
  call done := Work(n);
}
