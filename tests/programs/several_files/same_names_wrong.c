// expect: false(unreach-call) line 20
// files: part_turn.c
// Two static objects of one name: which of them is about to be written?
#include <assert.h>
#include <pthread.h>
static int turn;
void count_elsewhere(void);
int counted_elsewhere(void);
static void *run(void *unused) {
  turn++;
  count_elsewhere();
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(counted_elsewhere() == 2);
  return turn;
}
