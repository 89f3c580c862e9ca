// expect: true
// proved-by: merge
#include <assert.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

int main(void) {
  struct passwd *user = getpwnam("ann");
  if (user) assert(strcmp(user->pw_name, "ann") == 0);
  user = getpwuid(7);
  if (user) assert(user->pw_uid == 7 && strlen(user->pw_dir) <= 8);
  struct group *group = getgrgid(5);
  if (group) assert(group->gr_gid == 5 && (!group->gr_mem[0] || !group->gr_mem[1] || !group->gr_mem[2]));
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) assert(limit.rlim_cur <= limit.rlim_max);
  unsigned char bytes[4];
  ssize_t n = getrandom(bytes, 4, 0);
  assert(n == -1 || n == 4);
  assert(getentropy(bytes, 257) == -1);
  return 0;
}
