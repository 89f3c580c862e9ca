/* Dining philosophers, one of them left-handed, endlessly: the twin of philosophers.c. */
#ifndef N
#define N 10
#endif

byte fork_taken[N], eating[N];

active [N] proctype philosopher() {
  byte first, second;
  d_step {
    if :: _pid == 0 -> first = 1 % N; second = 0
       :: else -> first = _pid; second = (_pid + 1) % N
    fi
  };
  do
  :: atomic { fork_taken[first] == 0; fork_taken[first] = 1 };
     atomic { fork_taken[second] == 0; fork_taken[second] = 1 };
     d_step { eating[_pid] = 1; assert(!eating[(_pid + 1) % N] && !eating[(_pid + N - 1) % N]) };
     eating[_pid] = 0;
     fork_taken[second] = 0;
     fork_taken[first] = 0
  od
}
