int shared = 7;
int table[4];
void set(void) { table[3] = 9; }
