// RUN: check
// RUN: check --deep-asserts
// RUN: check --engine alternating
// RUN: check --engine alternating --deep-asserts --refine alg2
// The last iteration and the innermost call fail. However the program is searched, the trace is one of what is written here.
var total, noted: int;

procedure main()
  modifies total, noted;
{
  var i, r: int;

  total, i := 0, 0;
  while (i < 3) {
    call r := Add(i, 1);
    i := i + 1;
  }
}

procedure Add(n: int, depth: int) returns (r: int)
  modifies total, noted;
  ensures total > old(total) || n == 0;
{
  var step: int;

  step := n * depth;
  if (depth < n) {
    call r := Add(n, depth + 1);
    r := r + 1;
  } else {
    r, total := 0, total + step;
    call Note(step);
  }
}

procedure Note(value: int)
  modifies noted;
{
  noted := value;
  assert value != 4;
}
