// expect: unknown
// An array that counts from one: the pointer that is handed over points before it.
#include <assert.h>
#include <pthread.h>
void *add(void *array) {
  int *p = array;
  int old = p[1];
  p[1] = old + 1;
  return 0;
}
int main(void) {
  int a[1] = {0};
  pthread_t t, u;
  pthread_create(&t, 0, add, a - 1);
  pthread_create(&u, 0, add, a - 1);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(a[0] == 2);
  return 0;
}
