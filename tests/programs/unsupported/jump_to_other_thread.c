// expect: unknown
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
static jmp_buf buffer;
static void *run(void *unused) {
  longjmp(buffer, 1);
  return unused;
}
int main(void) {
  pthread_t t;
  if (setjmp(buffer)) return 1;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  return 0;
}
