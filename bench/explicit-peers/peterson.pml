/* Peterson's filter lock for N processes, endlessly: the twin of peterson.c. */
#ifndef N
#define N 4
#endif

byte flag[N], turn[N], critical;

active [N] proctype user() {
  byte level, other;
  do
  :: level = 1;
     do
     :: level < N ->
        flag[_pid] = level;
        turn[level] = _pid;
        other = 0;
        do
        :: other < N && other != _pid -> (flag[other] < level || turn[level] != _pid); other++
        :: other < N && other == _pid -> other++
        :: other >= N -> break
        od;
        level++
     :: level >= N -> break
     od;
     atomic { critical++; assert(critical == 1) };
     critical--;
     flag[_pid] = 0
  od
}
