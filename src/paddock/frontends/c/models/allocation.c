/* Functions that allocate memory by means of others, for programs that use them without defining them. */

typedef __SIZE_TYPE__ size_t;
void *malloc(size_t size);
void *realloc(void *block, size_t size);
void *aligned_alloc(size_t alignment, size_t size);

int posix_memalign(void **to, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1))) return 22; /* EINVAL */
  void *made = aligned_alloc(alignment, size);
  if (!made) return 12; /* ENOMEM */
  *to = made;
  return 0;
}

void *reallocarray(void *block, size_t count, size_t size) {
  size_t whole;
  if (__builtin_mul_overflow(count, size, &whole)) return 0;
  return realloc(block, whole);
}
