// expect: true
// property: memory-safety,unreach-call
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <syslog.h>
#include <termios.h>
#include <unistd.h>
int main(void) {
  struct utsname system;
  assert(uname(&system) == 0 && strlen(system.machine) < sizeof system.machine);
  char name[16];
  int error = ttyname_r(0, name, sizeof name);
  assert(error == ENOTTY || (error == 0 && strlen(name) < sizeof name));
  struct timeval times[2] = {{1, 2}, {3, 4}};
  int result = utimes("f", times);
  assert(result == 0 || (result == -1 && errno != 0));
  struct termios terminal;
  assert(tcgetattr(77, &terminal) == -1 && errno == EBADF);
  syslog(LOG_ERR, "%s %d", name[0] ? "a" : "b", result);
  sync();
}
