// bug: --checks all
#include <assert.h>
#include <string.h>
struct s { char name[4], ok; };
int main(void) {
  struct s s = {"", 1};
  strcpy(s.name, "abcd");
  assert(s.ok == 1);
}
