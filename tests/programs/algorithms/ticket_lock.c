// expect: true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint next, serving;
static int shared;
static void *run(void *argument) {
  unsigned mine = atomic_fetch_add(&next, 1);
  while (serving != mine) {
  }
  int seen = shared;
  shared = seen + 1;
  atomic_fetch_add(&serving, 1);
  return argument;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(shared == 3);
  return 0;
}
