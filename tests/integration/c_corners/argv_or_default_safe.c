// safe
#include <assert.h>

static char *defaults[] = {"a", "b", 0};

int main(int argc, char **argv) {
    char **words = argc > 1 ? argv : defaults, *name = argc > 1 ? argv[1] : "default";
    assert(words == argv || words[1][0] == 'b');
    assert(words[0]);
    assert(argc > 1 || name[1] == 'e');
    return 0;
}
