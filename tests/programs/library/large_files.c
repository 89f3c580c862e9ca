// expect: true
// proved-by: auto
#define _FILE_OFFSET_BITS 64
#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
  FILE *file = tmpfile();
  if (file) {
    if (fseeko(file, 10, SEEK_SET) == 0) assert(ftello(file) >= -1);
    fclose(file);
  }
  DIR *folder = opendir(".");
  if (folder) {
    struct dirent *entry = readdir(folder);
    if (entry) assert(entry->d_name[0] != '/');
    closedir(folder);
  }
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) assert(limit.rlim_cur <= limit.rlim_max);
  int descriptor = creat("x", 0600);
  if (descriptor >= 0) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(descriptor, F_SETLK, &lock) == 0) assert(ftruncate(descriptor, 4) <= 0);
    struct stat about;
    if (fstatat(AT_FDCWD, "x", &about, 0) == 0) assert(about.st_size >= 0);
    close(descriptor);
  }
  return 0;
}
