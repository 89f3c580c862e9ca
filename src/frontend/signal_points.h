// Places where a signal from outside, or of a timer, may arrive.
//
// A handler runs in the thread that it interrupts, so it is called there: before every access to memory that a handler could see, and
// before every call of a function that the program does not define. The model (runtime/src/arrivals.c) decides whether one arrives.
#pragma once

#include <llvm/IR/Module.h>

namespace whittle::frontend {

/// Can signals arrive: are there handlers, and a timer or more than no signals from outside?
bool has_arrivals(const llvm::Module& module, unsigned signals);

/// To be called before the models are linked.
void add_signal_points(llvm::Module& module);

}  // namespace whittle::frontend
