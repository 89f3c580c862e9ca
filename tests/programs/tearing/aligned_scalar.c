// expect: true
// proved-by: explicit guided
// An aligned scalar of up to 8 bytes is one access.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static long g;
static double f;

static void* writer(void* arg) {
  g = -1;
  f = 1.5;
  return arg;
}

int main(void) {
  pthread_t x;
  pthread_create(&x, 0, writer, 0);
  long l = g;
  double d = f;
  assert(l == 0 || l == -1);
  assert(d == 0 || d == 1.5);
  return 0;
}
