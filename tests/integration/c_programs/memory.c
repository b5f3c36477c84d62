#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct node { int v; struct node *next; };
struct P { short a; char b[3]; struct { int x, y; } in; };
void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
int sum(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
struct P make(int x) { struct P p = { 1, "xy", { x, 2 } }; return p; }
int rd(struct P p) { p.in.x++; return p.in.x; }
int rec(int n) { int loc = n; int *p = &loc; if (n > 0) rec(n - 1); return *p; }
int garr[3] = { 1, 2, 3 }; int *gp = &garr[1]; char *gs = "hello"; int m2[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
int main(void) {
  int a = 1, b = 2; swap(&a, &b); assert(a == 2 && b == 1);
  int arr[4] = { 1, 2, 3, 4 }; assert(sum(arr, 4) == 10); assert(*(arr + 2) == 3); assert(2[arr] == 3); assert(&arr[3] - arr == 3);
  assert(*gp == 2); *gp = 9; assert(garr[1] == 9); assert(gs[1] == 'e'); assert(m2[1][2] == 6); assert(*(*(m2 + 1) + 1) == 5);
  struct node *n = malloc(sizeof *n); n->v = 3; n->next = malloc(sizeof *n); n->next->v = 4; n->next->next = 0;
  int t = 0; for (struct node *p = n; p; p = p->next) t += p->v; assert(t == 7);
  struct P p = make(5); assert(p.in.x == 5 && p.b[1] == 'y' && p.b[2] == 0); assert(rd(p) == 6); assert(p.in.x == 5);
  struct P *q = &p; q->in.y = 77; struct P r = *q; assert(r.in.y == 77 && r.b[0] == 'x'); r.b[0] = 'q'; *q = r; assert(p.b[0] == 'q');
  assert(rec(3) == 3); struct P pa[2] = { { 1, "ab", { 2, 3 } }, { .in = { .y = 8 } } }; assert(pa[1].in.y == 8 && pa[0].b[1] == 'b' && pa[1].a == 0);
  pa[0] = pa[1]; assert(pa[0].in.y == 8 && pa[0].b[0] == 0); int idx = 1; pa[idx].b[2] = 5; assert(pa[1].b[2] == 5);
  int *z = calloc(4, sizeof(int)); assert(z[3] == 0); z[2] = 5; memset(z, 0xff, 8); assert(z[1] == -1 && z[2] == 5);
  memcpy(z + 2, z, 8); assert(z[3] == -1); char buf[8]; memset(buf, 'a', 7); buf[7] = 0; assert(buf[6] == 'a');
  int x = 0x01020304; unsigned char *c = (unsigned char *)&x; assert(c[0] == 4 && c[3] == 1); c[1] = 0; assert(x == 0x01020004);
  int **pp = &gp; **pp = 11; assert(garr[1] == 11); gp++; assert(*gp == 3); assert(*--gp == 11); int *e = arr; assert(*e++ == 1 && *e == 2); (*e)++; assert(arr[1] == 3);
  struct P *hp = malloc(2 * sizeof(struct P)); memset(hp, 0, sizeof *hp); hp[1] = p; assert(hp[1].b[0] == 'q' && hp->in.x == 0); hp->in = p.in; assert(hp->in.y == 77);
  char s2[] = "abc"; char *s3 = s2; s3[1] = 'X'; assert(s2[1] == 'X' && sizeof s2 == 4); assert(((int[]){ 4, 5, 6 }[1] == 5));
  struct P *cl = &(struct P){ .a = 3 }; assert(cl->a == 3 && cl->in.x == 0); int n1 = 3; int vla[n1]; for (int i = 0; i < n1; i++) vla[i] = i; assert(sum(vla, n1) == 3); assert(sizeof vla == 12);
  int v2[n1][2]; v2[2][1] = 6; v2[1][1] = 4; assert(v2[2][1] == 6 && v2[1][1] == 4);
  return 0;
}
