// expect: false(unreach-call) line 6
#include <assert.h>
#include <libintl.h>
#include <string.h>
int main(void) {
  assert(strcmp(ngettext("one", "many", 1), "many") == 0);
  return 0;
}
