// jsmn: parsing N bytes keeps to the buffer and the tokens; every token lies inside the text, after the one before it, and
// tokens are beside or inside each other; no token has more children than there are tokens after it.
// source: zserge/jsmn
// unwind: N+4
// sizes: 5 8
#include <assert.h>
#include <string.h>
#include "jsmn.h"
extern char __VERIFIER_nondet_char(void);
int main(void) {
  char text[N];
  jsmntok_t tokens[8];
  for (int i = 0; i < N; i++) text[i] = __VERIFIER_nondet_char();
  jsmn_parser parser;
  jsmn_init(&parser);
  int count = jsmn_parse(&parser, text, N, tokens, 8);
  assert(count >= JSMN_ERROR_PART && count <= 8);
  for (int i = 0; i < count; i++) {
    assert(tokens[i].start >= 0 && tokens[i].start <= tokens[i].end && tokens[i].end <= N);
    assert(tokens[i].size >= 0 && tokens[i].size < count - i);
    for (int k = i + 1; k < count; k++) {
      assert(tokens[k].start > tokens[i].start);
      assert(tokens[k].start >= tokens[i].end || tokens[k].end <= tokens[i].end);
    }
  }
  return 0;
}
