// safe: --tune integers=bits
// Objects get their first values in every iteration, whatever they are used as.
#include <assert.h>
struct S { long a, b; };
union U { struct { int x, y; } s; long l; char c[12]; };
int main(void) {
  for (int i = 0; i < 2; i++) {
    struct S s = {}, part = {.a = 1};
    long *first = (long *)&s;
    assert(*first == 0 && ((long *)&part)[1] == 0);
    *first = ((long *)&part)[1] = 3;
    char buffer[16] = {0}, text[16] = "ab";
    struct S *in_buffer = (struct S *)buffer;
    assert(in_buffer->b == 0 && *(short *)text == 0x6261 && ((struct S *)text)->b == 0);
    in_buffer->b = ((struct S *)text)->b = 3;
    union U u = {};
    assert(u.s.y == 0);
    u.s.y = 4;
    int pair[2] = {5, 6};
    assert(((struct { int x, y; } *)pair)->y == 6);
  }
}
