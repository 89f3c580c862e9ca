// expect: false(unreach-call) line 7
#include <assert.h>
#include <termios.h>
int main(void) {
  struct termios terminal = {0};
  if (cfsetospeed(&terminal, B115200) != 0) return 1;
  assert(terminal.c_cflag == B9600);
  return 0;
}
