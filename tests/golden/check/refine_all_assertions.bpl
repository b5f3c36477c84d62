// RUN: check --refine core --all-assertions --tune track=count --recursion-bound 4
var state: int;
var count: int;
var log: [int]int;

procedure Step()
  modifies state, count, log;
{
  log[count] := state;
  count := count + 1;
  if (state == 2) {
    assert count < 4;
  }
  state := if state == 2 then 0 else state + 1;
}

procedure main()
  modifies state, count, log;
{
  state, count := 1, 0;
  assert state + count == 1;
  while (*)
  {
    call Step();
  }
}
