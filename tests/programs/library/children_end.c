// expect: true
// proved-by: auto
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  int ended = 0;
  assert(wait(0) == -1);
  for (int i = 0; i < 2; i++)
    if (fork() == 0) _exit(0);
  while (wait(0) > 0) ended++;
  assert(ended <= 2);
  return 0;
}
