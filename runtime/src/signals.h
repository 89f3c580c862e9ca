// What the models of signals share.
#ifndef WHITTLE_SIGNALS_H
#define WHITTLE_SIGNALS_H

#include <signal.h>

#include "threads.h"

extern _Thread_local uint64_t __whittle_pending_signals;  // raised and blocked, of this thread

uint64_t __whittle_signal_bits(const sigset_t* set);
void __whittle_need_signal_mask(void);       // before a mask is looked at
uint64_t __whittle_open_signals(void);       // that have a handler and that this thread does not block
void __whittle_deliver_signal(int number);   // now, in this thread
void __whittle_deliver_pending_signals(void);

#endif
