// expect: true
#include <assert.h>
#include <dirent.h>
#include <string.h>
int main(void) {
  DIR *folder = opendir(".");
  if (!folder) return 1;
  struct dirent *entry = readdir(folder);
  if (entry) assert(entry->d_name[0] && !strchr(entry->d_name, '/'));
  closedir(folder);
  return 0;
}
