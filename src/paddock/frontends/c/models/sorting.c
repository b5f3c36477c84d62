/* Sorting and searching with a function that compares. */

typedef __SIZE_TYPE__ size_t;
typedef int Compare(const void *, const void *);
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);

/* Elements that compare as equal keep their order, which C leaves open. */
void qsort(void *base, size_t count, size_t size, Compare *compare) {
  void *moved = __builtin_alloca(size);
  for (size_t n = 1; n < count; n++) {
    size_t place = n;
    while (place > 0 && compare((char *)base + (place - 1) * size, (char *)base + n * size) > 0) place--;
    if (place == n) continue;
    memcpy(moved, (char *)base + n * size, size);
    memmove((char *)base + (place + 1) * size, (char *)base + place * size, (n - place) * size);
    memcpy((char *)base + place * size, moved, size);
  }
}

void *bsearch(const void *key, const void *base, size_t count, size_t size, Compare *compare) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const char *element = (const char *)base + middle * size;
    int order = compare(key, element);
    if (order == 0) return (void *)element;
    if (order < 0) high = middle; else low = middle + 1;
  }
  return 0;
}

void *lfind(const void *key, const void *base, size_t *count, size_t size, Compare *compare) {
  for (size_t n = 0; n < *count; n++)
    if (compare(key, (const char *)base + n * size) == 0) return (void *)((const char *)base + n * size);
  return 0;
}
