// expect: false(valid-deref) line 8
#include <stdlib.h>
struct message { unsigned length; int item[]; };
int main(void) {
  unsigned n = 6;
  struct message *m = malloc(sizeof *m + n * sizeof(int));
  m->length = n;
  for (unsigned i = 0; i <= n; i++) m->item[i] = (int)i;
  free(m);
  return 0;
}
