// expect: false(unreach-call)
// property: unreach-call
// A handshake: as handshake_safe.c, but if a value was skipped the stage is not counted.
void reach_error(void);
int __VERIFIER_nondet_int(void);
int main(void) {
  int state = 100, next = 0, stage = 0, resumed = __VERIFIER_nondet_int(), skip = 0, rounds = 0;
  for (;;) {
    int answer = __VERIFIER_nondet_int();
    if (answer < 0) return -1;
    rounds = rounds + 1 & 0xffff;
    if (state == 100 || state == 101) {
      if (stage == 0) stage = 1;
      state = 110;
    } else if (state == 110 || state == 111) {
      if (stage == 1) stage = 2;
      state = resumed ? 160 : 120;
    } else if (state == 120 || state == 121) {
      if (answer & 4) skip = 1;
      state = 130;
    } else if (state == 130) {
      if (stage == 2 && !skip) stage = 3;
      next = 140;
      state = 190;
    } else if (state == 140) {
      state = 150;
    } else if (state == 150) {
      if (stage == 3) stage = 4;
      state = 160;
    } else if (state == 160) {
      if (stage == 2) stage = 5;
      if (stage == 3) reach_error();
      next = resumed ? 170 : 180;
      state = 190;
    } else if (state == 170) {
      if (stage != 5) reach_error();
      state = 180;
    } else if (state == 180) {
      if (!resumed && stage != 4) reach_error();
      return 0;
    } else if (state == 190) {
      if (skip && (answer & 8)) skip = 0;
      state = next;
    } else {
      return -1;
    }
  }
}
