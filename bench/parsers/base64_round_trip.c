// base64: N bytes come back as they were.
// source: B-Con/crypto-algorithms
// unwind: 13
// sizes: 3 6
#include <assert.h>
#include "base64.c"
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  BYTE in[N], text[2 * N + 4], out[2 * N];
  for (int i = 0; i < N; i++) in[i] = __VERIFIER_nondet_uchar();
  size_t length = base64_encode(in, text, N, 0);
  size_t back = base64_decode(text, out, length);
  assert(back == N);
  for (int i = 0; i < N; i++) assert(out[i] == in[i]);
  return 0;
}
