// bug
#include <assert.h>

static char *defaults[] = {"a", "b", 0};

int main(int argc, char **argv) {
    char **words = argc > 1 ? argv : defaults;
    assert(words[1][0] != 'x');
    return 0;
}
