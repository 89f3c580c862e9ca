// expect: false(valid-deref)
int *kept;
static void keep(int *q) { kept = q; }
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char c = __VERIFIER_nondet_uchar();
  switch (c & 1) {
    case 0: {
      int x = 2;
      keep(&x);
      if (c == 42) goto out;
      break;
    }
    default: {
      static int y;
      keep(&y);
    }
  }
  return 0;
out:
  return *kept;
}
