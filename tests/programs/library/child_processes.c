// expect: true
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  pid_t own = getpid(), child = fork();
  if (child < 0) return 1;
  if (child == 0) {
    execlp("ls", "ls", (char *)0);
    _exit(127);
  }
  assert(child > 0 && getpid() == own);
  int status = 0;
  if (waitpid(child, &status, 0) == child) assert(WIFEXITED(status) || WIFSIGNALED(status));
  kill(child, SIGTERM);
  return 0;
}
