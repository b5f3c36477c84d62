// RUN: transform --pass abstract-globals:track=locked,prune
var locked: bool;
var requests: int;
var log: [int]int;

procedure Acquire()
  requires requests > 0;
  modifies locked, log;
  ensures locked;
{
  assert !locked;
  locked := true;
  log[requests] := log[requests - 1] + 1;
}

procedure main()
  modifies locked, requests, log;
{
  locked, requests := false, 0;
  while (requests < 3)
  {
    requests := requests + 1;
    if (log[requests] > 0) {
      call Acquire();
      locked := requests > 2;
    }
  }
}
