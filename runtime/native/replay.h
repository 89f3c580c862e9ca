// What a generated file replay_data.c says about the run that replay.c and schedule.c repeat.
#ifndef WHITTLE_REPLAY_H
#define WHITTLE_REPLAY_H

// Threads are numbered in the order of their start; main is 0. A thread goes on until, for the count-th time, it is about
// to do what `until` says:
//   "r FILE:NAME+OFFSET" "w ..."      reads or writes a static object       "r heap" "w heap"   some heap object
//   "r stack" "w stack"               another thread's stack                "c NAME"            calls NAME
//   "a NAME"                          is back from the count-th call of NAME
//   "block" "end"                     it waits or ends by itself            ""                  the last turn
//   "rest"                            it is about to do any of these, or does nothing: it spins, or an assumption fails
struct whittle_turn {
  int thread;
  const char* until;
  unsigned long count;
};
extern const struct whittle_turn whittle_turns[];
extern const int whittle_turn_count;

// Values of inputs, in the order in which their thread asks for them.
struct whittle_input {
  int thread;
  unsigned long long low, high;
  unsigned bytes;
};
extern const struct whittle_input whittle_inputs[];
extern const int whittle_input_count;

// Of main, without the program's name; -1: as they are. What is on standard input; -1: as it is.
extern char* const whittle_arguments[];
extern const int whittle_argument_count;
extern const char whittle_text[];
extern const long whittle_text_size;

// In schedule.c
int whittle_self(void);                                       // number of this thread
void whittle_moment(char how, const char* name);              // 'c' or 'a': a call is about to happen, or has
void whittle_access(void* address, int is_write, unsigned size);  // memory is about to be accessed
int whittle_rests(void);                                      // this thread's last turn is over: others go on
void whittle_violation(const char* what) __attribute__((noreturn));  // break here in a debugger
#endif
