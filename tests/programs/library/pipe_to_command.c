// expect: true
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
int main(void) {
  char line[4];
  FILE *f = popen("ls", "r");
  if (!f) return 1;
  if (fgets(line, sizeof line, f)) assert(strlen(line) < 4);
  int status = pclose(f);
  if (status != -1 && WIFEXITED(status)) assert(WEXITSTATUS(status) <= 255);
  assert(popen("ls", "rw") == 0);
  return 0;
}
