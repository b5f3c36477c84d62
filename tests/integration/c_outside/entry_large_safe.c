// safe: --function f
#include <assert.h>
struct s{int x[20]; char n[8];} t[10];
void f(struct s *p){ t[7].x[13]=1; if(p==&t[7]) assert(p->x[13]==1); if(p==t+3) {p->x[13]=4; assert(t[7].x[13]==1 && t[3].x[13]==4);} }
