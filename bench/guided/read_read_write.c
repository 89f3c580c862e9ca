// Two readers, one writer. What the readers see differs from run to run, what is asserted does not.
#include <assert.h>
#include <pthread.h>

int x;

static void *reader(void *unused) {
  int a = x;
  int b = x;
  assert(a <= b);
  return unused;
}

static void *writer(void *unused) {
  x = 1;
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, reader, 0);
  pthread_create(&threads[1], 0, reader, 0);
  pthread_create(&threads[2], 0, writer, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  return 0;
}
