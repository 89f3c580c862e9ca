// A tiny language of threads: what it means is in reference.h, and it prints itself as C.
//
// A program has shared variables (plain and atomic integers, structs of three), mutexes, a semaphore, a condition
// variable, and bodies of threads: that of main and those of workers. A body has three integers and a struct of its
// own. There are no loops, so every run ends.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace whittle::interleavings {

constexpr int kShared = 2, kAtomics = 2, kStructs = 2, kMembers = 3, kMutexes = 2, kLocals = 3;

enum class Op : uint8_t {
  Set,           ///< local a := local b + c
  Load,          ///< local a := shared b
  Store,         ///< shared a := local b + c
  AtomicLoad,    ///< local a := atomic b
  AtomicStore,   ///< atomic a := local b + c
  AtomicAdd,     ///< local a := old value of atomic b, which grows by c
  Exchange,      ///< local a := does atomic b have the value c? then it gets c + 1
  LoadStruct,    ///< own struct := struct b, member by member
  StoreStruct,   ///< struct a := own struct, member by member
  CopyStruct,    ///< struct a := struct b, each member read and written
  PassStruct,    ///< local a := sum of the members of struct b, passed by value
  GetMember,     ///< local a := member b of the own struct
  SetMember,     ///< member a of the own struct := local b + c
  StoreMember,   ///< member b of struct a := c
  Lock,          ///< local a := error of locking mutex b
  TryLock,       ///< the same, never waiting
  Unlock,        ///< local a := error of unlocking mutex b
  Wait,          ///< the condition, with mutex b
  Signal,
  Broadcast,
  SemWait,
  SemTryWait,    ///< local a := 0, or -1 if it would have to wait
  SemPost,
  If,            ///< local a == c: `yes`, else `no`
  Assert,        ///< local a != c
  Create,        ///< worker a begins
  Join,          ///< waits for worker a
  Detach,        ///< worker a
  Return,        ///< the body ends; in main, the program
  Exit,          ///< the thread ends
};

struct Statement {
  Op op;
  int a = 0, b = 0, c = 0;
  std::vector<Statement> yes{}, no{};
};
using Body = std::vector<Statement>;

enum class MutexKind : uint8_t { Normal, Recursive, ErrorCheck };

struct Program {
  MutexKind mutex[kMutexes] = {};
  int semaphore = 0;         ///< value at the start
  std::vector<Body> bodies;  ///< main's first
};

/// A random program; equal seeds, equal programs.
Program generate(uint64_t seed);
/// What the text of a file with several programs begins with.
std::string prelude();
/// As C. All names end with `suffix`; the entry is main_SUFFIX.
std::string to_c(const Program& program, const std::string& suffix);

}  // namespace whittle::interleavings
