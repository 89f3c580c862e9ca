// expect: false(unreach-call) line 9
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  int status = 0, ended = 0;
  if (fork() == 0) _exit(0);
  while (waitpid(-1, &status, WUNTRACED) > 0) ended++;
  assert(ended <= 1);
  return 0;
}
