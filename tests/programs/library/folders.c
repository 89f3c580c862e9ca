// expect: true
// proved-by: merge
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  assert(openat(17, "name", O_RDONLY) == -1 && errno == EBADF);
  struct stat about;
  if (fstatat(AT_FDCWD, "name", &about, 0) == 0) assert(about.st_size >= 0);
  assert(mkdirat(17, "name", 0700) == -1 && errno == EBADF);
  char pattern[] = "tmpXXXXXX", plain[] = "tmp";
  assert(mkdtemp(plain) == 0 && errno == EINVAL);
  if (mkdtemp(pattern)) assert(strncmp(pattern, "tmp", 3) == 0 && strlen(pattern) == 9);
  DIR *folder = opendir(".");
  if (!folder) return 1;
  int descriptor = dirfd(folder);
  assert(descriptor >= 3 && dirfd(folder) == descriptor);
  closedir(folder);
  assert(close(descriptor) == -1 && errno == EBADF);
  assert(dup3(0, 0, 0) == -1 && errno == EINVAL);
  return 0;
}
