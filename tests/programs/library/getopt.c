// expect: true
// property: valid-deref,unreach-call
// proved-by: explicit
#include <assert.h>
#include <string.h>
#include <unistd.h>
int main(void) {
  char *words[] = {"program", "file", "-a", "-ovalue", "-n", "7", "--", "-z", 0};
  int a = 0, n = 0, c;
  char *o = 0;
  while ((c = getopt(8, words, "ao:n:")) != -1) {
    if (c == 'a') a = 1;
    if (c == 'o') o = optarg;
    if (c == 'n') n = optarg[0] - '0';
  }
  assert(a == 1 && n == 7 && strcmp(o, "value") == 0);
  assert(optind == 6 && strcmp(words[6], "file") == 0 && strcmp(words[7], "-z") == 0);
  return 0;
}
