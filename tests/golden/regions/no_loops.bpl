// RUN: check --gamble --jobs 1
// RUN: check --gamble --jobs 1 --goal return
procedure main(n: int)
{
  assume n > 0;
  assert n != 0;
}
