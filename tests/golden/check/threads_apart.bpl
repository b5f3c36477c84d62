// RUN: check
// Threads that share nothing are proved, whatever their contexts: the entry has written limit before they start.
var limit: int;
var {:thread_local} own: int;

procedure Count()
  modifies own;
{
  own := 0;
  while (own < limit)
    invariant own <= limit || own == 0;
  {
    own := own + 1;
  }
}

procedure main()
  modifies limit, own;
{
  limit := 3;
  async call Count();
  async call Count();
  own := 7;
  assert own == 7 && limit == 3;
}
