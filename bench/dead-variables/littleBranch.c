// littleBranch: as easy3, but with nested conditionals, so that what is dead is known only two decisions later.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

int a, b, c, d;
int result;

static int input(int limit) {
  unsigned char value = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(value < limit);
  return value;
}

int main(void) {
  a = input(3);
  b = input(3);
  c = input(3);
  d = input(3);
  if (a == 0) {
    if (b == 0) {
      result = c;
      result = result + 1;
    } else {
      if (b == 1) {
        result = d;
        result = result + 2;
      } else {
        result = 3;
        result = result + 3;
      }
    }
  } else {
    if (d == 0) {
      result = b;
      result = result + 4;
    } else {
      if (a == 1) {
        result = c;
        result = result + 5;
      } else {
        result = a;
        result = result + 6;
      }
    }
  }
  a = 0;
  b = 0;
  c = 0;
  d = 0;
  if (result > 3) result = 3;
  if (result < 1) result = 1;
  return result > 3;
}
