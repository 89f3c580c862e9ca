#include <stdio.h>
char text[128];
int main(void) {
  int n = snprintf(text, sizeof text, "%d %5u|%-6x|%05ld|%c|%s", -1234, 567u, 0xbeefu, 98765L, 'q', "firmware");
  n += sprintf(text + 60, "%lu %o %#x %+d", 4000000000ul, 0777u, 255u, 42);
  return n;
}
