#include <assert.h>
struct s { unsigned a : 3; int b : 4; unsigned long long c : 40; } v = { 9, -1, 1ull << 39 };
enum e { A = -1, B };
int f(unsigned char x) { return x; }
int main(void) {
  assert(v.a == 1); assert(v.b == -1); v.a += 7; assert(v.a == 0);
  v.b = 7; v.b++; assert(v.b == -8);
  assert(v.c >> 39 == 1);
  assert(f(300) == 44);
  unsigned u = 1; assert(-1 > u); assert((enum e)-1 < 0);
  char c = 200; assert(c == -56); assert((unsigned char)c == 200);
  short h = 40000; assert(h == -25536);
  assert((1u << 31) > 0); assert(-7 / 2 == -3 && -7 % 2 == -1);
  _Bool b = 256; assert(b == 1); b = 0.5; assert(b);
  assert(sizeof(char) == 1 && sizeof 'a' == sizeof(int));
  int x = 5;
  int y = (x = 3, x + 1); assert(y == 4);
  assert((x ?: 9) == 3);
  assert(({ int t = x; t * 2; }) == 6);
  unsigned long long big = 0xffffffffu; big++; assert(big == 4294967296ull);
  assert((int)3.99 == 3 && (int)-3.99 == -3);
  assert(0.1f != 0.1); assert(1 / 3.0f != 1 / 3.0);
  return 0;
}
