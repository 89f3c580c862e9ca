// expect: false(unreach-call) line 16
// property: unreach-call
// hard-for: dpr dash
// An index from the uppermost bits of a wide number may be any.
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);
int table[256];
char set[256];
int main(void) {
  unsigned __int128 wide = __VERIFIER_nondet_ulong();
  wide = wide << 64 | __VERIFIER_nondet_ulong();
  wide += 3;
  unsigned char index = wide >> 104;
  table[200] = 1;
  set[index] = 1;
  if (table[index] && set[200]) reach_error();
  return 0;
}
