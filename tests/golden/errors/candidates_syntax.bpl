// RUN: summaries --candidates broken.candidates
var s: int;

procedure main()
{
  assert s == 0;
}
