// bug
// -1 as a pointer.
#include <assert.h>
void *ext(void);
int main(void) { if (ext() == (void *)-1) assert(0); }
