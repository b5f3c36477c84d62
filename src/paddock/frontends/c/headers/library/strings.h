#ifndef __paddock_strings
#define __paddock_strings
#include <stddef.h>

int bcmp(const void *left, const void *right, size_t size);
void bcopy(const void *from, void *to, size_t size);
void bzero(void *block, size_t size);
int ffs(int number);
char *index(const char *text, int character);
char *rindex(const char *text, int character);
int strcasecmp(const char *left, const char *right);
int strncasecmp(const char *left, const char *right, size_t size);

#endif
