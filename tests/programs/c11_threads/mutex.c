// expect: true
#include <assert.h>
#include <threads.h>
static mtx_t mutex;
static int n;
static int run(void *argument) {
  mtx_lock(&mutex);
  int seen = n;
  n = seen + 1;
  mtx_unlock(&mutex);
  return *(int *)argument + 1;
}
int main(void) {
  thrd_t a, b;
  int x = 10, result;
  assert(mtx_init(&mutex, mtx_plain) == thrd_success);
  assert(thrd_create(&a, run, &x) == thrd_success);
  assert(thrd_create(&b, run, &x) == thrd_success);
  assert(thrd_join(a, &result) == thrd_success && result == 11);
  thrd_join(b, 0);
  assert(n == 2);
  assert(mtx_trylock(&mutex) == thrd_success && mtx_trylock(&mutex) == thrd_busy);
  mtx_unlock(&mutex);
  mtx_destroy(&mutex);
  return 0;
}
