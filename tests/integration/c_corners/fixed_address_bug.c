// bug
#include <assert.h>
int __VERIFIER_nondet_int(void);
int global;

int main(void) {
    int *p = __VERIFIER_nondet_int() ? (int *)0x40001000 : &global;
    assert(*p != 5); /* a register of a device may hold any number */
    return 0;
}
