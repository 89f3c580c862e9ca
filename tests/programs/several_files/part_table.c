// part of sum.c and safe_sum.c
static int squares[] = {0, 1, 4, 9, 16, 25};
const int table_size = 6;
int lookup(int i) { return squares[i]; }
