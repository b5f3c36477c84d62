/* Classes of characters in the locale of C. What is in a class gives the number that the GNU C library has for it. */

int isdigit(int c) { return (c >= '0' && c <= '9') ? 2048 : 0; }
int isupper(int c) { return (c >= 'A' && c <= 'Z') ? 256 : 0; }
int islower(int c) { return (c >= 'a' && c <= 'z') ? 512 : 0; }
int isalpha(int c) { return (isupper(c) || islower(c)) ? 1024 : 0; }
int isalnum(int c) { return (isalpha(c) || isdigit(c)) ? 8 : 0; }
int isblank(int c) { return (c == ' ' || c == '\t') ? 1 : 0; }
int isspace(int c) { return (c == ' ' || (c >= '\t' && c <= '\r')) ? 8192 : 0; }
int isxdigit(int c) { return (isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) ? 4096 : 0; }
int iscntrl(int c) { return ((c >= 0 && c < ' ') || c == 127) ? 2 : 0; }
int isgraph(int c) { return (c > ' ' && c <= '~') ? 32768 : 0; }
int isprint(int c) { return (c >= ' ' && c <= '~') ? 16384 : 0; }
int ispunct(int c) { return (isgraph(c) && !isalnum(c)) ? 4 : 0; }
int isascii(int c) { return c >= 0 && c <= 127; }
int toascii(int c) { return c & 127; }
int toupper(int c) { return islower(c) ? c - 'a' + 'A' : c; }
int tolower(int c) { return isupper(c) ? c - 'A' + 'a' : c; }

/* Builtins: isdigit isupper islower isalpha isalnum isblank isspace isxdigit iscntrl isgraph isprint ispunct isascii
   toascii toupper tolower */
