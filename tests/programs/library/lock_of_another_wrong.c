// expect: false(unreach-call) line 10
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>
int main(void) {
  int descriptor = open("x", O_RDWR);
  if (descriptor < 0) return 0;
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  // Another process may have one.
  if (fcntl(descriptor, F_GETLK, &lock) == 0) assert(lock.l_type == F_UNLCK);
  close(descriptor);
  return 0;
}
