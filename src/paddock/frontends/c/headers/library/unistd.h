#ifndef __paddock_unistd
#define __paddock_unistd
#include <stddef.h>
#include <sys/types.h>

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif

int access(const char *name, int mode);
unsigned int alarm(unsigned int seconds);
int chdir(const char *folder);
int close(int file);
int dup(int file);
int dup2(int file, int other);
int execv(const char *name, char *const arguments[]);
int execvp(const char *name, char *const arguments[]);
void _exit(int status) __attribute__((__noreturn__));
pid_t fork(void);
int fsync(int file);
int ftruncate(int file, off_t size);
char *getcwd(char *to, size_t size);
gid_t getgid(void);
int getopt(int count, char *const arguments[], const char *options);
extern char *optarg;
extern int optind, opterr, optopt;
pid_t getpid(void);
pid_t getppid(void);
uid_t getuid(void);
int isatty(int file);
off_t lseek(int file, off_t offset, int origin);
int pause(void);
int pipe(int files[2]);
ssize_t read(int file, void *to, size_t size);
int rmdir(const char *folder);
unsigned int sleep(unsigned int seconds);
int unlink(const char *name);
int usleep(useconds_t microseconds);
ssize_t write(int file, const void *from, size_t size);

#endif
