// RUN: transform --pass explicit-yields
// A yield before each access to what is shared, none in atomic sections, none before what is a thread's own; a thread
// that has changed something can be switched before an assumption, too.
var shared: int;
var private: int;
var {:thread_local} own: int;
procedure corral_atomic_begin();
procedure corral_atomic_end();

procedure Worker(n: int)
  modifies shared, own;
{
  own := n;
  shared := own;
  assume own > 0;
  own := own + 1;
  call corral_atomic_begin();
  shared := shared + 1;
  shared := shared - 1;
  call corral_atomic_end();
}

procedure {:entrypoint} main()
  modifies shared, private, own;
{
  shared := 0;
  async call Worker(shared);
  async call Worker(1);
  private := 1;
  if (shared > 0) {
    private := 2;
  }
}
