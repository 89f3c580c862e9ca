// expect: true
// proved-by: explicit guided
// The same copies under a lock are never seen half done; nor is the copy of what no other thread has.
#include <assert.h>
#include <pthread.h>

struct S {
  int a, b, c, d;
} g;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* writer(void* arg) {
  struct S n = {1, 1, 1, 1};
  pthread_mutex_lock(&m);
  g = n;
  pthread_mutex_unlock(&m);
  return arg;
}

static void* reader(void* arg) {
  pthread_mutex_lock(&m);
  struct S l = g;
  pthread_mutex_unlock(&m);
  struct S again = l, *p = &again;
  l = *p;
  assert(l.a == l.d);
  return arg;
}

int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, writer, 0);
  pthread_create(&y, 0, reader, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
  assert(g.a == 1 && g.d == 1);
  return 0;
}
