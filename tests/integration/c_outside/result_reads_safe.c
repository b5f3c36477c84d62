// safe
#include <assert.h>
int *ext(void);
int g = 1;
int main(void) { int *a = ext(); if (a == &g) assert(*a == 1); }
