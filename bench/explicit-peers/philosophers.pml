/* Dining philosophers, one of them left-handed, endlessly: the twin of philosophers.c. */
#ifndef N
#define N 10
#endif

#define FIRST (_pid == 0 -> 1 : _pid)
#define SECOND (_pid == 0 -> 0 : (_pid + 1) % N)

byte fork_taken[N], eating[N];

active [N] proctype philosopher() {
  do
  :: atomic { fork_taken[FIRST] == 0; fork_taken[FIRST] = 1 };
     atomic { fork_taken[SECOND] == 0; fork_taken[SECOND] = 1 };
     d_step { eating[_pid] = 1; assert(!eating[(_pid + 1) % N] && !eating[(_pid + N - 1) % N]) };
     eating[_pid] = 0;
     fork_taken[SECOND] = 0;
     fork_taken[FIRST] = 0
  od
}
