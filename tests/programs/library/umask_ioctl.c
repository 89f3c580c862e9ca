// expect: true
// proved-by: auto
#include <assert.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
int main(void) {
  mode_t first = umask(027);
  assert(first <= 0777);
  assert(umask(077) == 027 && umask(01077) == 077 && umask(first) == 077);
  struct winsize size = {24, 80, 0, 0};
  if (ioctl(1, TIOCGWINSZ, &size) != 0) assert(size.ws_row == 24 && size.ws_col == 80);
  assert(ioctl(77, TIOCGWINSZ, &size) == -1);
  assert(major(makedev(8, 1)) == 8 && minor(makedev(8, 1)) == 1);
  assert(makedev(8, 1) == 0x801 && major(makedev(0x12345, 0x6789a)) == 0x12345 && minor(makedev(0x12345, 0x6789a)) == 0x6789a);
  return 0;
}
