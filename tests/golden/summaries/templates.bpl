// RUN: summaries --candidates templates.candidates
// Templates in the program and in a file of their own.
var s, t: int;

procedure {:template} Any(x: int) returns (r: int);
  ensures r == x + 1;
  ensures old(s) == 0 ==> t == 2;

procedure {:template "Both"} OnlyBoth();
  ensures s + t == 3;

procedure Next(a: int, b: int) returns (c: int)
{
  c := b + 1;
}

procedure Both()
  modifies s, t;
{
  var x: int;
  s := 1;
  call x := Next(7, s);
  t := x;
}

procedure main()
  modifies s, t;
{
  call Both();
}
