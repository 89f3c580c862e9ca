// The folder's descriptor ends with it.
// expect: false(unreach-call) line 12
#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>
int main(void) {
  DIR *folder = opendir(".");
  if (!folder) return 1;
  int descriptor = dirfd(folder);
  closedir(folder);
  assert(openat(descriptor, "name", O_RDONLY) >= 0);
  return 0;
}
