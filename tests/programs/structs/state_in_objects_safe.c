// expect: true
// proved-by: dash
// property: unreach-call
// A state machine whose state lies in two objects on the heap, one reached through the other.
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
        s->buffer->filled = 1;
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
