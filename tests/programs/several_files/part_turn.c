// Part of same_names_wrong.c.
static int turn;
void count_elsewhere(void) { turn++; }
int counted_elsewhere(void) { return turn; }
