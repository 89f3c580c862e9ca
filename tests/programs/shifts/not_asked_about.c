// expect: unknown
// property: unreach-call
// hard-for: dash dpr guided merge
// A shift by 40 or more is not asked about; what comes after it is not known, for each assertion alone as for all.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int s = __VERIFIER_nondet_int();
  if ((1 << s) == 3) reach_error();
  if (s == 40) reach_error();
  return 0;
}
