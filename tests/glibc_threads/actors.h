// Random sequences of calls whose results are printed, for programs that run natively and on the machine.
//
// Actors are threads that do one command at a time for main: so several threads take part, and still only one thing
// happens at any moment. A command that blocks is start()ed, and finish()ed once another one has let it go on. An actor
// may end and be replaced by a new thread, which must have nothing to do with what the old one left locked.
//
// Programs keep track of who holds what, to leave out calls that would block forever or are undefined.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

#ifndef SEED
#define SEED 1
#endif
#ifndef ROUNDS
#define ROUNDS 20
#endif
#ifndef CALLS
#define CALLS 30
#endif

enum { kActors = 4, kNone = -1, kDead = -2 };  // actor 0 is main itself

typedef int command(int actor, int argument);

static struct actor {
  pthread_t thread;
  sem_t go, done;
  command* run;
  int argument, result, busy;
} actors[kActors];

static unsigned long long random_state = SEED * 0x9e3779b97f4a7c15ull + 1;
static unsigned any(unsigned below) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (unsigned)(random_state >> 33) % below;
}

static const struct timespec long_ago = {1, 0};

static void* act(void* self) {
  struct actor* me = self;
  for (;;) {
    sem_wait(&me->go);
    if (!me->run) return 0;
    me->result = me->run((int)(me - actors), me->argument);
    sem_post(&me->done);
  }
}

static void start(int actor, command* run, int argument) {
  struct actor* a = &actors[actor];
  a->run = run;
  a->argument = argument;
  a->busy = 1;
  sem_post(&a->go);
}
static int finish(int actor) {
  sem_wait(&actors[actor].done);
  actors[actor].busy = 0;
  return actors[actor].result;
}
static int call(int actor, command* run, int argument) {
  if (actor == 0) return run(0, argument);
  start(actor, run, argument);
  return finish(actor);
}
static void begin_actor(int actor) { pthread_create(&actors[actor].thread, 0, act, &actors[actor]); }
static void end_actor(int actor) {
  start(actor, 0, 0);
  pthread_join(actors[actor].thread, 0);
  actors[actor].busy = 0;
}

static void note(const char* what, int actor, int result) { printf(" %s%d=%d", what, actor, result); }

static void round_of_calls(void);  // what each program defines

int main(void) {
  for (int i = 1; i < kActors; i++) {
    sem_init(&actors[i].go, 0, 0);
    sem_init(&actors[i].done, 0, 0);
    begin_actor(i);
  }
  for (int r = 0; r < ROUNDS; r++) {
    printf("%d:", r);
    round_of_calls();
    printf("\n");
  }
  for (int i = 1; i < kActors; i++) end_actor(i);
  return 0;
}
