// expect: true
// proved-by: merge explicit
#include <assert.h>
#include <libintl.h>
#include <string.h>

int main(void) {
  const char *text = "hello";
  assert(gettext(text) == text && strcmp(ngettext("one", "many", 2), "many") == 0);
  assert(strcmp(textdomain(0), "messages") == 0 && strcmp(textdomain("tool"), "tool") == 0 && strcmp(textdomain(0), "tool") == 0);
  assert(strcmp(bindtextdomain("tool", "/folder"), "/folder") == 0);
  return 0;
}
