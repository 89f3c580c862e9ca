// expect: true
// proved-by: auto
// Each thread jumps by itself.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
static int done[2];
static void leave(jmp_buf *buffer, int value) { longjmp(*buffer, value); }
static void *run(void *argument) {
  int me = *(int *)argument;
  jmp_buf buffer;
  int r = setjmp(buffer);
  if (r == 0) leave(&buffer, me + 5);
  assert(r == me + 5);
  done[me] = 1;
  return 0;
}
int main(void) {
  pthread_t t[2];
  int numbers[2] = {0, 1};
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, &numbers[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(done[0] && done[1]);
  return 0;
}
