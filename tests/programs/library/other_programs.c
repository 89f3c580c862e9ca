// expect: true
// time: 2
// property: memory-safety,unreach-call
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <grp.h>
#include <unistd.h>
int main(void) {
  char *arguments[] = {"ls", "-l", 0};
  gid_t groups[4];
  int count = getgroups(4, groups);
  assert(count <= 4 && (count >= 0 || errno == EINVAL));
  assert(getgroups(-1, groups) == -1);
  errno = 0;
  int result = count > 2 ? execvp("ls", arguments) : execl("/bin/ls", "ls", "-l", (char *)0);
  assert(result == -1 && errno != 0);
}
