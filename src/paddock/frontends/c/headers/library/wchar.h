#ifndef __paddock_wchar
#define __paddock_wchar
#define __need_wint_t
#include <stddef.h>

#define WEOF ((wint_t)-1)

size_t wcslen(const wchar_t *text);
wchar_t *wcscpy(wchar_t *to, const wchar_t *from);
wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t size);
wchar_t *wcscat(wchar_t *to, const wchar_t *from);
int wcscmp(const wchar_t *left, const wchar_t *right);
int wcsncmp(const wchar_t *left, const wchar_t *right, size_t size);
wchar_t *wcschr(const wchar_t *text, wchar_t character);
wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t size);
wchar_t *wmemset(wchar_t *block, wchar_t character, size_t size);

#endif
