// bug
#include <assert.h>
void *ext(void);
int main(void) { assert(ext()); }
