/* Files, pipes and the like: what is read is arbitrary, and what is written goes nowhere. */

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ssize_t;
int *__errno_location(void);
int fgetc(void *file);
size_t strlen(const char *s);
void *malloc(size_t size);
void *realloc(void *block, size_t size);
_Bool __paddock_nondet_bool(void);
int __paddock_nondet_int(void);
size_t __paddock_nondet_size_t(void);
void __paddock_any_bytes(void *start, size_t size);
void __paddock_assume(_Bool condition);

static int failed(void) {
  int number = __paddock_nondet_int();
  __paddock_assume(number > 0);
  *__errno_location() = number;
  return -1;
}

/* 0, or -1 and an error. */
static int done_or_failed(void) { return __paddock_nondet_bool() ? 0 : failed(); }

static size_t at_most(size_t most) {
  size_t count = __paddock_nondet_size_t();
  __paddock_assume(count <= most);
  return count;
}

size_t fread(void *to, size_t size, size_t count, void *file) {
  size_t whole, bytes;
  if (__builtin_mul_overflow(size, count, &whole)) return 0;
  bytes = at_most(whole);
  __paddock_any_bytes(to, bytes); /* also of an element that is not there as a whole */
  if (bytes < whole && __paddock_nondet_bool()) failed();
  return size == 0 ? 0 : bytes / size;
}

size_t fwrite(const void *from, size_t size, size_t count, void *file) {
  if (size == 0 || count == 0) return 0;
  size_t written = at_most(count);
  if (written < count) failed();
  return written;
}

char *fgets(char *to, int room, void *file) {
  int n = 0;
  while (n < room - 1) {
    int c = fgetc(file);
    if (c == -1) {
      if (n == 0 || __paddock_nondet_bool()) return 0; /* the end, or an error */
      break;
    }
    to[n++] = (char)c;
    if (c == '\n') break;
  }
  if (room > 0) to[n] = 0;
  return to;
}

/* Nothing says how long a line is. */
char *gets(char *to) {
  size_t length = at_most(__PTRDIFF_MAX__);
  if (__paddock_nondet_bool()) return 0;
  __paddock_any_bytes(to, length);
  to[length] = 0;
  return to;
}

ssize_t getdelim(char **to, size_t *room, int end, void *file) {
  size_t n = 0;
  for (;;) {
    if (!*to || n + 1 >= *room) {
      size_t more = n + 2 + at_most(120);
      char *new = realloc(*to, more);
      if (!new) return failed();
      *to = new;
      *room = more;
    }
    int c = fgetc(file);
    if (c == -1) break;
    (*to)[n++] = (char)c;
    if (c == end) break;
  }
  (*to)[n] = 0;
  return n == 0 ? -1 : (ssize_t)n;
}

ssize_t getline(char **to, size_t *room, void *file) { return getdelim(to, room, '\n', file); }

int ungetc(int c, void *file) { return c == -1 || __paddock_nondet_bool() ? -1 : (unsigned char)c; }
int fseek(void *file, long offset, int from) { return done_or_failed(); }
int fseeko(void *file, long offset, int from) { return done_or_failed(); }
int remove(const char *name) { return done_or_failed(); }
int rename(const char *from, const char *to) { return done_or_failed(); }
int unlink(const char *name) { return done_or_failed(); }
int rmdir(const char *name) { return done_or_failed(); }
int chdir(const char *name) { return done_or_failed(); }
int access(const char *name, int mode) { return done_or_failed(); }
int fsync(int file) { return done_or_failed(); }
int ftruncate(int file, long length) { return done_or_failed(); }
int setvbuf(void *file, char *to, int mode, size_t size) { return done_or_failed(); }
void setbuf(void *file, char *to) {}
void rewind(void *file) {}
void clearerr(void *file) {}

long ftell(void *file) {
  long place = (long)at_most(__LONG_MAX__);
  return __paddock_nondet_bool() ? place : failed();
}

ssize_t read(int file, void *to, size_t size) {
  if (__paddock_nondet_bool()) return failed();
  size_t count = at_most(size);
  __paddock_assume(count <= __PTRDIFF_MAX__);
  __paddock_any_bytes(to, count);
  return count;
}

ssize_t pread(int file, void *to, size_t size, long offset) { return read(file, to, size); }
ssize_t recv(int file, void *to, size_t size, int flags) { return read(file, to, size); }

ssize_t write(int file, const void *from, size_t size) {
  if (__paddock_nondet_bool()) return failed();
  size_t count = at_most(size);
  __paddock_assume(count <= __PTRDIFF_MAX__);
  return count;
}

ssize_t pwrite(int file, const void *from, size_t size, long offset) { return write(file, from, size); }
ssize_t send(int file, const void *from, size_t size, int flags) { return write(file, from, size); }

long lseek(int file, long offset, int from) {
  long place = (long)at_most(__LONG_MAX__);
  return __paddock_nondet_bool() ? place : failed();
}

static int some_file(void) {
  int file = __paddock_nondet_int();
  __paddock_assume(file >= 0);
  return __paddock_nondet_bool() ? file : failed();
}

int open(const char *name, int flags, ...) { return some_file(); }
int creat(const char *name, unsigned mode) { return some_file(); }
int dup(int file) { return some_file(); }
int fileno(void *file) { return some_file(); }

int dup2(int file, int as) { return __paddock_nondet_bool() ? as : failed(); }

int pipe(int ends[2]) {
  int in = some_file(), out = some_file();
  if (in < 0 || out < 0) return -1;
  ends[0] = in;
  ends[1] = out;
  return 0;
}

char *getcwd(char *to, size_t room) {
  if (!to) {
    room = room ? room : 4096;
    to = malloc(room);
    if (!to) return 0;
  }
  size_t length = at_most(room);
  if (length == room || __paddock_nondet_bool()) {
    failed();
    return 0;
  }
  __paddock_any_bytes(to, length);
  to[length] = 0;
  return to;
}

char *getenv(const char *name) {
  static char values[4][4096]; /* of the last calls */
  static unsigned next;
  if (__paddock_nondet_bool()) return 0;
  char *value = values[next++ % 4];
  __paddock_any_bytes(value, sizeof values[0]);
  value[sizeof values[0] - 1] = 0;
  return value;
}

int setenv(const char *name, const char *value, int over) { return done_or_failed(); }
int unsetenv(const char *name) { return done_or_failed(); }
int system(const char *command) { return __paddock_nondet_int(); }
