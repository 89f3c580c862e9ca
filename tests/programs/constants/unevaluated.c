// expect: true
int main(void) {
  return (int)(sizeof(1 / 0) + sizeof(1 << 33)) + _Alignof(int) + _Generic(1 / 0, int: 1, default: 2);
}
