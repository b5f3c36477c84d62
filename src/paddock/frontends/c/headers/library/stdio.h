#ifndef __paddock_stdio
#define __paddock_stdio
#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct __paddock_file FILE;
typedef struct {
  long long position;
} fpos_t;

extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;

#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define L_tmpnam 20
#define TMP_MAX 238328
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2

int printf(const char *format, ...);
int fprintf(FILE *file, const char *format, ...);
int dprintf(int file, const char *format, ...);
int sprintf(char *to, const char *format, ...);
int snprintf(char *to, size_t size, const char *format, ...);
int asprintf(char **to, const char *format, ...);
int vprintf(const char *format, va_list arguments);
int vfprintf(FILE *file, const char *format, va_list arguments);
int vsprintf(char *to, const char *format, va_list arguments);
int vsnprintf(char *to, size_t size, const char *format, va_list arguments);
int scanf(const char *format, ...);
int fscanf(FILE *file, const char *format, ...);
int sscanf(const char *text, const char *format, ...);
int vscanf(const char *format, va_list arguments);
int vfscanf(FILE *file, const char *format, va_list arguments);
int vsscanf(const char *text, const char *format, va_list arguments);

int getchar(void);
int getc(FILE *file);
int fgetc(FILE *file);
char *fgets(char *to, int size, FILE *file);
int putchar(int character);
int putc(int character, FILE *file);
int fputc(int character, FILE *file);
int fputs(const char *text, FILE *file);
int puts(const char *text);
int ungetc(int character, FILE *file);
ssize_t getline(char **line, size_t *size, FILE *file);
ssize_t getdelim(char **line, size_t *size, int delimiter, FILE *file);

FILE *fopen(const char *name, const char *mode);
FILE *fdopen(int file, const char *mode);
FILE *freopen(const char *name, const char *mode, FILE *file);
int fclose(FILE *file);
int fflush(FILE *file);
size_t fread(void *to, size_t size, size_t count, FILE *file);
size_t fwrite(const void *from, size_t size, size_t count, FILE *file);
int fseek(FILE *file, long offset, int origin);
long ftell(FILE *file);
void rewind(FILE *file);
int fgetpos(FILE *file, fpos_t *position);
int fsetpos(FILE *file, const fpos_t *position);
int feof(FILE *file);
int ferror(FILE *file);
void clearerr(FILE *file);
int fileno(FILE *file);
int setvbuf(FILE *file, char *buffer, int mode, size_t size);
void setbuf(FILE *file, char *buffer);
void perror(const char *text);
int remove(const char *name);
int rename(const char *from, const char *to);
FILE *tmpfile(void);
char *tmpnam(char *name);
FILE *popen(const char *command, const char *mode);
int pclose(FILE *file);

#endif
