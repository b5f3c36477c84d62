// RUN: transform --pass drop-summaries
var g: int;

procedure malloc() returns (r: int);
  free ensures r > 0;

procedure P();
  modifies g;
  free ensures g >= old(g);
  ensures g != 0;

implementation P()
{
  call g := malloc();
}

procedure main()
  modifies g;
{
  call P();
}
