// RUN: transform --pass infer-modifies
// What bodies change, themselves or by calls, belongs to the modifies clauses; what these say stays.
var a, b, c: int;

procedure Leaf()
{
  a := a + 1;
}

procedure Even(n: int)
  modifies c;
{
  if (n > 0) { call Odd(n - 1); }
}

procedure Odd(n: int)
{
  if (n > 0) { call Even(n - 1); } else { call Leaf(); }
}

procedure Extern();
  modifies b;

procedure main()
{
  call Extern();
  call Even(3);
}
