// bug
#include <assert.h>

int main(int argc, char **argv) {
    char *name = argc > 1 ? argv[1] : "default";
    assert(name[0] != 'x');
    return 0;
}
