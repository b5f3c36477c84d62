/* What is called when a program ends. Functions that atexit has registered are called in the opposite order, also those
   that are registered meanwhile.

   Defines: atexit __paddock_at_exit */

extern void __paddock_unsupported(const char *);

#define MOST 64

void __paddock_at_exit(int registers, void (*handler)(void)) {
  static void (*handlers[MOST])(void);
  static int count;
  if (registers) {
    if (count == MOST)
      __paddock_unsupported("more than 64 functions are registered by atexit");
    handlers[count++] = handler;
    return;
  }
  while (count > 0)
    handlers[--count]();
}

int atexit(void (*handler)(void)) {
  __paddock_at_exit(1, handler);
  return 0;
}
