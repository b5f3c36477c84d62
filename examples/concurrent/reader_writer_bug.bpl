// A lock for readers or a writer: readers may be inside together, a writer is alone. Here a reader looks
// for a writer and counts itself in two steps.
// Expected: bug.
var readers: int;
var writing: bool;

procedure corral_atomic_begin();
procedure corral_atomic_end();

procedure Read()
  modifies readers;
{
  assume !writing;
  readers := readers + 1;
  assert !writing; // reads
  readers := readers - 1;
}

procedure Write()
  modifies writing;
{
  call corral_atomic_begin();
  assume readers == 0 && !writing;
  writing := true;
  call corral_atomic_end();
  assert readers == 0; // writes
  writing := false;
}

procedure {:entrypoint} main()
  modifies readers, writing;
{
  readers, writing := 0, false;
  async call Read();
  async call Write();
}
