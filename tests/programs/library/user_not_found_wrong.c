// expect: false(valid-deref) line 3
#include <pwd.h>
int main(void) { return getpwuid(0)->pw_name[0]; }
