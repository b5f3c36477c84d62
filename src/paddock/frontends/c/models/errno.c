/* Where the number of the last error is, for programs that have `errno` from a header. */

int *__errno_location(void) {
  static _Thread_local int errno;
  return &errno;
}
