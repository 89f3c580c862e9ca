// expect: false(unreach-call) line 35
// property: unreach-call
// The twin of state_in_objects_safe.c: the buffer may be left empty.
#include <stdlib.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);
struct buffer { int filled, next; };
struct session {
  int unused, state;
  struct buffer *buffer;
  int failures;
};
int main(void) {
  struct session *s = malloc(sizeof *s);
  s->buffer = malloc(sizeof *s->buffer);
  s->state = 10;
  s->failures = 0;
  s->buffer->filled = 0;
  s->buffer->next = 0;
  for (;;) {
    switch (s->state) {
      case 10:
        s->buffer->filled = 0;
        s->buffer->next = 20;
        s->state = __VERIFIER_nondet_int() ? 20 : 11;
        break;
      case 11: s->state = s->buffer->next; break;
      case 20:
        s->buffer->filled = s->failures < 2;
        s->buffer->next = 30;
        if (__VERIFIER_nondet_int()) s->failures = s->failures + 1;
        s->state = 11;
        break;
      case 30:
        if (!s->buffer->filled) reach_error();
        if (!__VERIFIER_nondet_int()) return 0;
        s->state = 10;
        break;
      default: return 0;
    }
  }
}
