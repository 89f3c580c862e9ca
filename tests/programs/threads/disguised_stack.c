// expect: unknown
// The object is shared, but no pointer to it is ever seen between the threads: nobody may call this `true`.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
void *add(void *hidden) {
  int *p = (int *)~(uintptr_t)hidden;
  int old = *p;
  *p = old + 1;
  return 0;
}
int main(void) {
  int a = 0;
  pthread_t t, u;
  pthread_create(&t, 0, add, (void *)~(uintptr_t)&a);
  pthread_create(&u, 0, add, (void *)~(uintptr_t)&a);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(a == 2);
  return 0;
}
