// expect: true
// time: 3
// property: valid-deref,unreach-call
#include <assert.h>
#include <unistd.h>
int main(void) {
  char path[4];
  if (getcwd(path, sizeof path)) assert(path[0] == '/');
  return 0;
}
