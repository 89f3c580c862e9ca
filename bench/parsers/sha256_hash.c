// sha256: hashing N bytes stays in bounds.
// source: B-Con/crypto-algorithms
// sizes: 8
#include "sha256.c"
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  BYTE in[N], hash[SHA256_BLOCK_SIZE];
  for (int i = 0; i < N; i++) in[i] = __VERIFIER_nondet_uchar();
  SHA256_CTX ctx;
  sha256_init(&ctx);
  sha256_update(&ctx, in, N);
  sha256_final(&ctx, hash);
  return 0;
}
