#include <ctype.h>
#include <stdlib.h>
#include <string.h>
char line[] = "  speed=120 ; gear = 3;mode=eco ; limit=-42 ";
char key[12];
int main(void) {
  int sum = 0;
  for (char *p = strtok(line, ";"); p; p = strtok(0, ";")) {
    while (isspace((unsigned char)*p)) p++;
    char *eq = strchr(p, '=');
    if (!eq) continue;
    strncpy(key, p, (size_t)(eq - p) < 11 ? (size_t)(eq - p) : 11);
    sum += atoi(eq + 1) + (int)strlen(key);
  }
  return sum + (int)strtol("0x7f", 0, 0);
}
