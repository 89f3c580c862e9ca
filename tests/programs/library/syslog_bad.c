// expect: false(valid-deref)
#include <syslog.h>
int main(void) {
  const char *text = 0;
  syslog(LOG_ERR, "name %s", text + 1);
}
