// tiny-AES: a block of N bytes is encrypted in bounds, whatever block and key are.
// source: kokke/tiny-AES-c
// sizes: 16
#include "aes.c"
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  uint8_t block[16] = {0};
  static const uint8_t key[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
  for (int i = 0; i < N; i++) block[i] = __VERIFIER_nondet_uchar();
  struct AES_ctx ctx;
  AES_init_ctx(&ctx, key);
  AES_ECB_encrypt(&ctx, block);
  return 0;
}
