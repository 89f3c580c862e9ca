// expect: false(unreach-call) line 8
// The terminal may have any size.
#include <assert.h>
#include <sys/ioctl.h>
#include <unistd.h>
int main(void) {
  struct winsize size = {24, 80, 0, 0};
  if (ioctl(1, TIOCGWINSZ, &size) == 0) assert(size.ws_col > 0);
  return 0;
}
