// Two clerks move money between two accounts. No one locks anything: can money get lost?
//
// expect: false(unreach-call) line 30
#include <assert.h>
#include <pthread.h>

int checking = 100;
int savings = 100;

void *deposit(void *amount) {
  int old = checking;
  checking = old + *(int *)amount;
  return 0;
}

void *transfer(void *amount) {
  int old = checking;
  checking = old - *(int *)amount;
  savings += *(int *)amount;
  return 0;
}

int main(void) {
  pthread_t clerk, robot;
  int wage = 50, rent = 30;
  pthread_create(&clerk, 0, deposit, &wage);
  pthread_create(&robot, 0, transfer, &rent);
  pthread_join(clerk, 0);
  pthread_join(robot, 0);
  assert(checking + savings == 250);
  return 0;
}
