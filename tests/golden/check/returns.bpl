// RUN: check --goal return
procedure main(n: int)
{
  assume n > 3;
  assume n < 5;
}
