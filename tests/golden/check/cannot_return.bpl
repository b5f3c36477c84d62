// RUN: check
procedure main(n: int)
{
  assume n > 3;
  assume {:OldAssert} n < 3;
}
