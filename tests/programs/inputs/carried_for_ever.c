// expect: true
// A value from outside is handed on for ever: no finite number of values proves it, a symbol does.
#include <assert.h>
int __VERIFIER_nondet_int(void);
unsigned token, copy;
int main(void) {
  while (1) {
    token = __VERIFIER_nondet_int();
    copy = token;
    for (int i = 0; i < 3; i++)
      if (__VERIFIER_nondet_int()) token++, copy++;
    assert(token == copy);
  }
}
