// easy3: three global integers get any small value first; after that, each branch needs only one of them, so the other
// two are dead there. Which one it is depends on the values: a static analysis sees it only inside the branch.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

int a, b, c;
int result;

static int input(int limit) {
  unsigned char value = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(value < limit);
  return value;
}

int main(void) {
  a = input(14);
  b = input(14);
  c = input(14);
  if (a > 9) {
    result = a - 9;
    result = result * 2;
    if (result > 6) result = 6;
  } else if (b > 7) {
    result = b - 7;
    result = result * 3;
    if (result > 9) result = 9;
  } else {
    result = c + 1;
    result = result * 4;
    if (result > 12) result = 12;
  }
  a = 0;
  b = 0;
  c = 0;
  return result > 12;
}
