// expect: true
// proved-by: merge
#include <assert.h>
#include <termios.h>
#include <unistd.h>

int main(void) {
  struct termios terminal;
  if (tcgetattr(0, &terminal) != 0) return 1;
  assert(cfsetospeed(&terminal, B9600) == 0 && (terminal.c_cflag & CBAUD) == B9600);
  assert(cfsetospeed(&terminal, 12345) == -1);
  assert(tcflush(0, TCIFLUSH) <= 0);
  return 0;
}
