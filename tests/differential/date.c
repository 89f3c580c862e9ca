#include <stdio.h>
static int leap(int y) { return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0; }
static int day_of_week(int y, int m, int d) {
  static const int t[] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
  y -= m < 3;
  return (y + y / 4 - y / 100 + y / 400 + t[m - 1] + d) % 7;
}
int main(void) {
  static const char *const names[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  for (int y = 1896; y <= 2024; y += 16) printf("%d %d %s\n", y, leap(y), names[day_of_week(y, 2, 28)]);
  return day_of_week(2024, 2, 29);
}
