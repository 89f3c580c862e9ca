// expect: true
#include <assert.h>
#include <pthread.h>
static volatile int choosing[2], number[2], inside;
static void enter(int me) {
  int other = 1 - me;
  choosing[me] = 1;
  number[me] = number[other] + 1;
  choosing[me] = 0;
  while (choosing[other]) {
  }
  while (number[other] && (number[other] < number[me] || (number[other] == number[me] && other < me))) {
  }
}
static void *run(void *argument) {
  int me = *(int *)argument;
  for (int i = 0; i < 2; i++) {
    enter(me);
    inside++;
    assert(inside == 1);
    inside--;
    number[me] = 0;
  }
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
