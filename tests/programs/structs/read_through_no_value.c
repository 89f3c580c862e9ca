// expect: false(unreach-call)
// hard-for: test explicit dpr guided merge crowd auto
// property: unreach-call
// As read_through_no_value_safe.c, with an assertion that fails: reached only over a pointer without a value.
#include <stdlib.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);
struct cipher { int flags, strength; };
struct session {
  int state, next, done;
  struct cipher *cipher;
};
int main(void) {
  struct session *s = malloc(sizeof *s);
  s->state = 10;
  s->next = 0;
  s->done = 0;
  for (;;) {
    int answer = __VERIFIER_nondet_int();
    switch (s->state) {
      case 10: s->state = 20; break;
      case 20:
        if (s->cipher->flags & 16) s->done = 1;
        s->next = 30;
        s->state = 50;
        break;
      case 30:
        if (answer > s->cipher->strength) s->next = 40;
        s->done = 2;
        s->state = 40;
        break;
      case 40:
        if (s->done == 2) reach_error();
        if (answer == 0) return 0;
        s->state = 10;
        break;
      case 50: s->state = s->next; break;
      default: return 0;
    }
  }
}
