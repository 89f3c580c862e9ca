// expect: true
extern const int elsewhere;
int main(void) { return elsewhere == 3; }
