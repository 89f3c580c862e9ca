// What the generated programs begin with. Every macro runs one call and prints the line it stands in, its result and
// errno, so that two runs can be compared line by line.
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <wchar.h>
#include <wctype.h>
#undef basename

static void show(int line, long long value) { printf("%d: %lld errno %d\n", line, value, errno); }
static void show_bytes(int line, const void *bytes, unsigned long size) {
  printf("%d:", line);
  for (unsigned long i = 0; i < size; i++) printf(" %02x", ((const unsigned char *)bytes)[i]);
  printf("\n");
}
static void show_double(int line, double value) {
  unsigned long long bits;
  memcpy(&bits, &value, 8);
  if (value != value)
    printf("%d: nan errno %d\n", line, errno);
  else
    printf("%d: %llx errno %d\n", line, bits, errno);
}
static int sign(long long n) { return (n > 0) - (n < 0); }
static int by_value(const void *a, const void *b) { return (*(int *)a > *(int *)b) - (*(int *)a < *(int *)b); }

#define INT(call) (errno = 0, show(__LINE__, (long long)(call)))
// Whether errno is set is not said.
#define COUNT(call)             \
  do {                          \
    int count = (call);         \
    errno = 0;                  \
    show(__LINE__, count);      \
  } while (0)
#define SIGN(call) (errno = 0, show(__LINE__, sign(call)))
#define BOOL(call) (errno = 0, show(__LINE__, (call) != 0))
#define PLACE(call, base)                                        \
  do {                                                           \
    errno = 0;                                                   \
    const char *place = (const char *)(call);                    \
    show(__LINE__, place ? place - (const char *)(base) : -999); \
  } while (0)
#define TEXT(call)                                                   \
  do {                                                               \
    errno = 0;                                                       \
    const char *text = (call);                                       \
    printf("%d: \"%s\" errno %d\n", __LINE__, text ? text : "NULL", errno); \
  } while (0)
#define BYTES(object) show_bytes(__LINE__, object, sizeof object)
#define DOUBLE(call) (errno = 0, show_double(__LINE__, call))
#define DATE(d)                                                                                                 \
  printf("%d: %d %d %d %d %d %d %d %d %d\n", __LINE__, (d).tm_sec, (d).tm_min, (d).tm_hour, (d).tm_mday, (d).tm_mon, \
         (d).tm_year, (d).tm_wday, (d).tm_yday, (d).tm_isdst)
