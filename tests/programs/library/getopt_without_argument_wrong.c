// expect: false(valid-deref) line 10
// property: valid-deref
// Option x takes no argument, so there is none.
#include <unistd.h>
int main(void) {
  char *words[] = {"program", "-x", 0};
  int total = 0;
  while (getopt(2, words, "x") != -1)
    if (optind > 0)
      total += optarg[0];
  return total;
}
