// robot: follows a line with three sensors. What the three brightness values say decides the speed of both motors.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

enum { LEVELS = 12, DARK = 5, SLOW = 2, FAST = 6 };

int left_sensor, middle_sensor, right_sensor;
int left_motor, right_motor;
int last_turn;

static int read_sensor(void) {
  unsigned char value = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(value < LEVELS);
  return value;
}

int main(void) {
  left_sensor = read_sensor();
  middle_sensor = read_sensor();
  right_sensor = read_sensor();
  int left = left_sensor < DARK;
  int middle = middle_sensor < DARK;
  int right = right_sensor < DARK;
  if (middle && !left && !right) {
    left_motor = FAST;
    right_motor = FAST;
  } else if (left && !right) {
    left_motor = middle ? SLOW : 0;
    right_motor = FAST;
    last_turn = 1;
  } else if (right && !left) {
    left_motor = FAST;
    right_motor = middle ? SLOW : 0;
    last_turn = 2;
  } else if (!left && !middle && !right) {
    left_motor = last_turn == 1 ? 0 : SLOW;
    right_motor = last_turn == 1 ? SLOW : 0;
  } else {
    left_motor = SLOW;
    right_motor = SLOW;
  }
  int difference = left_motor - right_motor;
  if (difference < 0) difference = -difference;
  return difference > FAST;
}
