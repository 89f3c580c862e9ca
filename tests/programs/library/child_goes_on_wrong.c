// expect: false(unreach-call) line 10
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>
static int forks;
int main(void) {
  for (int i = 0; i < 2; i++) {
    if (fork() == 0) forks++;
  }
  assert(forks < 2);
  return 0;
}
