/* A bounded buffer with P producers and C consumers, endlessly: the twin of buffer.c. */
#ifndef P
#define P 4
#endif
#ifndef C
#define C 4
#endif
#ifndef SIZE
#define SIZE 5
#endif

byte slot[SIZE], head, count, lock;

active [P] proctype producer() {
  do
  :: atomic { lock == 0; lock = 1 };
     if
     :: count < SIZE -> slot[(head + count) % SIZE] = _pid + 1; count = count + 1
     :: else
     fi;
     lock = 0
  od
}

active [C] proctype consumer() {
  byte item;
  do
  :: atomic { lock == 0; lock = 1 };
     if
     :: count > 0 ->
        item = slot[head];
        assert(item >= 1 && item <= P);
        slot[head] = 0;
        head = (head + 1) % SIZE;
        count = count - 1;
        item = 0
     :: else
     fi;
     lock = 0
  od
}
