// RUN: summaries --goal return
// Procedures that call one another are looked at together.
procedure Even(n: int) returns (r: int)
{
  if (n == 0) {
    r := 0;
  } else {
    call r := Odd(n - 1);
  }
}

procedure Odd(n: int) returns (r: int)
{
  if (n == 0) {
    r := 1;
  } else {
    call r := Even(n - 1);
  }
}

procedure {:template} Positive() returns (r: int);
  ensures r >= 0;
  ensures r > 0;
  ensures r <= 1;

procedure main(n: int)
{
  var r: int;
  call r := Even(n);
}
