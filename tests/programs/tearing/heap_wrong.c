// expect: false(unreach-call) line 25
// The heap is shared as soon as others have the address.
#include <assert.h>
#include <pthread.h>
#include <string.h>

#include <stdlib.h>
struct S {
  long a;
  char b;
  double c;
} * p;

static void* writer(void* arg) {
  struct S n = {1, 1, 1};
  *p = n;
  return arg;
}

int main(void) {
  pthread_t x;
  p = calloc(1, sizeof *p);
  pthread_create(&x, 0, writer, 0);
  struct S l = *p;
  assert(l.b == (char)l.c);
  return 0;
}
