#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
int main(void) {
  printf("%d %i %u %x %X %o\n", -1, INT_MIN, UINT_MAX, 0xbeef, 0xBEEF, 0755);
  printf("%ld %lu %lld %llu\n", LONG_MIN, ULONG_MAX, LLONG_MAX, ULLONG_MAX);
  printf("%hd %hu %hhd %hhu\n", (short)-5, (unsigned short)65535, (signed char)-128, (unsigned char)200);
  printf("%zu %td %jd\n", sizeof(int), (ptrdiff_t)-7, (intmax_t)1 << 40);
  printf("[%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%8.3d] [%-8.3d]\n", 42, 42, 42, 42, 42, 7, 7, 7);
  printf("[%#x] [%#o] [%#X] [%#x] [%.0d] [%+.0d]\n", 255, 8, 255, 0, 0, 0);
  printf("[%*d] [%-*d] [%.*d]\n", 6, 1, 6, 2, 4, 3);
  printf("%" PRIu64 " %" PRIx32 " %" PRId8 "\n", UINT64_MAX, (uint32_t)0xabcdef, (int8_t)-3);
  int count;
  int total = printf("abc%nxyz\n", &count);
  printf("%d %d\n", count, total);
  return 0;
}
