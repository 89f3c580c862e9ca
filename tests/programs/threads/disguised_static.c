// expect: false(unreach-call) line 26
// hard-for: crowd
// A static object that is written through the exclusive or of its address and a key.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
int a = 1, b = 2;
uintptr_t key;
void *write(void *unused) {
  *(int *)(key ^ 0x5555) = 5;
  return 0;
}
void *copy(void *unused) {
  int old = a;
  a = old;
  return 0;
}
int main(void) {
  key = (uintptr_t)&a ^ 0x5555;
  pthread_t t, u;
  pthread_create(&t, 0, write, 0);
  pthread_create(&u, 0, copy, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  b = 3;
  assert(a == 5);
  return 0;
}
