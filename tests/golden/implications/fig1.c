// RUN: check --all-assertions --implications --tune order=forward --tune integers=math --unwind 2
// RUN: check --all-assertions --implications --tune order=backward --tune integers=math --unwind 2
// RUN: ussa --tune integers=math --unwind 2
// RUN: implications --tune extended=no --tune integers=math --unwind 2
// RUN: implications --tune integers=math --unwind 2
// RUN: implications --strongest --tune extended=no --tune integers=math --unwind 2
// RUN: implications --format dot --tune integers=math --unwind 2
// RUN: implications --of main.assert.6a7537 --tune integers=math --unwind 2
// RUN: implications --of main.assert.6a7538 --tune integers=math --unwind 2
// RUN: implications --tune threshold=0 --tune integers=math --unwind 2
#include <assert.h>
int some_value();
int f(int a, int b) {
  int i = 0;
  while (i < a + b) {
    if (i < a) {
      i = i + a;
    } else {
      i = i + b;
    }
  }
  assert(i >= a + b);
  return i;
}
void main() {
  int x, y, z;
  x = some_value();
  y = some_value();
  if (x >= y) {
    if (y >= 0) {
      assert(x >= 0);
      z = x + y;
      assert(z >= 0);
    }
  }
  x = some_value();
  y = some_value();
  z = f(x, y);
  assert(z >= 0);
  assert(z >= x + y);
  assert(x <= z - y);
}
