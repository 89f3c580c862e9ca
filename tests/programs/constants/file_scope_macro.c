// expect: false(no-overflow) line 5
// property: no-overflow
#define DAY (24 * 60 * 60)
#define MICROSECONDS (1000 * 1000)
static long day = DAY * MICROSECONDS;
int main(void) {
  return day != 0;
}
