// bug
#include <assert.h>
static void t(int x) { assert(x != 3); }
struct operations { void (*call)(int); } operations = {t};
struct operations *registered(void);
int main(void) { registered()->call(3); }
