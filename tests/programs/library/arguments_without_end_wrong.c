// expect: false(valid-deref)
// property: valid-deref
#include <unistd.h>
int main(void) {
  char *arguments[] = {"ls", "-l"};
  execv("/bin/ls", arguments);
  return 1;
}
