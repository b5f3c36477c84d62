// bug: --function f
#include <assert.h>
static void t(int x) { assert(x != 3); }
struct operations { void (*call)(int); } operations = {t};
void f(struct operations *o) { o->call(3); }
