// expect: true
#include <assert.h>
#include <stdlib.h>
struct message { unsigned length; int item[]; };
int main(void) {
  unsigned n = 6;
  struct message *m = malloc(sizeof *m + n * sizeof(int));
  m->length = n;
  for (unsigned i = 0; i < n; i++) m->item[i] = (int)i;
  assert(m->item[5] == 5);
  free(m);
  return 0;
}
