// A tiny language of threads, for what data races are by definition. Nothing here knows whittle: no code of exec, of
// the front end or of the models.
//
//   Program p = random_program(seed);
//   Answer a = reference(p, 200'000);           // every interleaving, happens-before as C11 defines it
//   std::string c = to_c(p, "7");               // the same program in C, entry function main_7
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace whittle::test::races {

struct Operation {
  enum class Kind : uint8_t {
    Read,         ///< plain, of variable a
    Write,        ///< plain, b to variable a
    WriteByte,    ///< plain, one byte b of variable a
    Add,          ///< plain: a read and a write
    IfPlain,      ///< plain read of a; the block if it is b
    AtomicRead,   ///< of variable a
    AtomicWrite,  ///< b to a
    AtomicAdd,    ///< 1 to a
    Fence,
    Give,         ///< writes to a new object, then its address atomically to the pointer
    Take,         ///< atomic read of the pointer; if it is not null: its object is read (b: 0) or written
    IfAtomic,     ///< atomic read of a; the block if it is b
    IfExchanged,  ///< compare-exchange of a from b to 3; the block if it succeeds
    Locked,       ///< the block, with mutex a
    IfLocked,     ///< the block with mutex a, if it is free now
    Lock,         ///< mutex a, which is never unlocked
    Post,         ///< semaphore a
    Wait,         ///< for semaphore a
    Create,       ///< thread a
    Join,         ///< thread a: always after its Create, in the same thread
    Detach,       ///< likewise
  };
  /// As C11 numbers them: relaxed, consume, acquire, release, acq_rel, seq_cst.
  static constexpr int kRelaxed = 0, kConsume = 1, kAcquire = 2, kRelease = 3, kAcquireRelease = 4, kSequential = 5;

  Kind kind = Kind::Read;
  int a = 0, b = 0;
  std::vector<Operation> block{};
  int order = kSequential;
  int failure = kSequential;  ///< IfExchanged: if it does not succeed
};

struct Program {
  static constexpr int kVariables = 3, kMutexes = 2, kSemaphores = 1;
  std::vector<std::vector<Operation>> threads;  ///< the first is main
  bool main_returns = true;                     ///< and ends the others; else pthread_exit
  bool weak = false;                            ///< has orders other than seq_cst
};

/// Half of the programs use weaker orders than seq_cst.
Program random_program(uint64_t seed);
std::string to_c(const Program& program, const std::string& suffix);
/// What a file of such programs starts with.
std::string c_prelude();

enum class Answer : uint8_t { Race, NoRace, TooLarge };
/// Runs all interleavings until one has a race. `most`: steps in all.
Answer reference(const Program& program, uint64_t most);

}  // namespace whittle::test::races
