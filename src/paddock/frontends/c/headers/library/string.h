#ifndef __paddock_string
#define __paddock_string
#include <stddef.h>
#include <strings.h>

void *memcpy(void *to, const void *from, size_t size);
void *mempcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *block, int byte, size_t size);
int memcmp(const void *left, const void *right, size_t size);
void *memchr(const void *block, int byte, size_t size);
void *memrchr(const void *block, int byte, size_t size);
char *strcpy(char *to, const char *from);
char *stpcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t size);
char *strcat(char *to, const char *from);
char *strncat(char *to, const char *from, size_t size);
int strcmp(const char *left, const char *right);
int strncmp(const char *left, const char *right, size_t size);
int strcoll(const char *left, const char *right);
size_t strxfrm(char *to, const char *from, size_t size);
char *strchr(const char *text, int character);
char *strrchr(const char *text, int character);
size_t strspn(const char *text, const char *characters);
size_t strcspn(const char *text, const char *characters);
char *strpbrk(const char *text, const char *characters);
char *strstr(const char *text, const char *part);
char *strtok(char *text, const char *separators);
char *strtok_r(char *text, const char *separators, char **rest);
char *strsep(char **text, const char *separators);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t size);
char *strdup(const char *text);
char *strndup(const char *text, size_t size);
char *strerror(int number);

#endif
