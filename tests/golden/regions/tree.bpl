// RUN: regions
// RUN: regions --format dot
// RUN: extract --region B:9
// RUN: extract --region B:8
// RUN: regions --entry C
procedure main() { var i: int; call A(); while (i < 9) { call A(); call B(); i := i + 1; } }
procedure A() { call C(); }
procedure B()
{ while (*) { call C(); }
}
procedure C() { assert true; if (*) { call C(); } }
procedure unused() { call C(); }
