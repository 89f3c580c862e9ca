// expect: false(unreach-call) line 16
// Without `choosing`, two threads may draw the same number unseen.
#include <assert.h>
#include <pthread.h>
static volatile int number[2], inside;
static void enter(int me) {
  int other = 1 - me;
  number[me] = number[other] + 1;
  while (number[other] && (number[other] < number[me] || (number[other] == number[me] && other < me))) {
  }
}
static void *run(void *argument) {
  int me = *(int *)argument;
  enter(me);
  inside++;
  assert(inside == 1);
  inside--;
  number[me] = 0;
  return 0;
}
int main(void) {
  pthread_t a, b;
  int zero = 0, one = 1;
  pthread_create(&a, 0, run, &zero);
  pthread_create(&b, 0, run, &one);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
