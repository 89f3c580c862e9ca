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
  assert(cfgetospeed(&terminal) == B9600);
  assert(cfsetispeed(&terminal, 0) == 0 && cfgetispeed(&terminal) == 0 && cfgetospeed(&terminal) == B9600);
  assert(cfsetispeed(&terminal, B19200) == 0 && cfgetispeed(&terminal) == B19200);
  cfmakeraw(&terminal);
  assert((terminal.c_lflag & (ICANON | ECHO)) == 0 && (terminal.c_cflag & CSIZE) == CS8);
  assert(tcflush(0, TCIFLUSH) <= 0);
  return 0;
}
