// expect: false(unreach-call) line 8
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  if (fork() == 0) _exit(3);
  int status;
  if (wait(&status) > 0) assert(WIFEXITED(status));
  return 0;
}
