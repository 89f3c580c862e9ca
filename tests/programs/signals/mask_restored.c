// expect: true
// proved-by: auto
// siglongjmp restores the mask that sigsetjmp saved; longjmp out of a handler leaves the signal blocked.
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
static sigjmp_buf saved;
static jmp_buf plain;
static volatile int caught;
static void jump(int number) {
  caught++;
  if (number == SIGUSR1) siglongjmp(saved, 1);
  longjmp(plain, 1);
}
int main(void) {
  signal(SIGUSR1, jump);
  signal(SIGUSR2, jump);
  if (sigsetjmp(saved, 1) == 0) raise(SIGUSR1);
  if (sigsetjmp(saved, 1) == 0) raise(SIGUSR1);
  assert(caught == 2);
  if (setjmp(plain) == 0) raise(SIGUSR2);
  assert(caught == 3);
  raise(SIGUSR2);
  assert(caught == 3);
  sigset_t set;
  sigpending(&set);
  assert(sigismember(&set, SIGUSR2) && !sigismember(&set, SIGUSR1));
  return 0;
}
