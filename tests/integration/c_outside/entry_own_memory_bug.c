// bug: --function f
// Memory of its own has any content.
#include <assert.h>
int g;
void f(int *p) { if (p && p != &g) assert(*p != 5); }
