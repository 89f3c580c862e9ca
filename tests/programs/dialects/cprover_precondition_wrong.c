// expect: false(unreach-call)
int f(int x) {
  __CPROVER_precondition(x>0, "p");
  return x;
}
int main() {
  return f(0);
}
