// What a search sees of a system that has states: a C program, a microcontroller, a graph in a test.
//
//   machine.reset();
//   while (machine.successors().count != 0) {
//     std::span<const uint8_t> bytes = machine.save();      // this state, canonical: equal states, equal bytes
//     StepKind kind = machine.step(0);                      // go on with the first choice
//   }
//
// A machine has one current state. Searches move it with step() and back with load(). A path through the state space is
// the list of choices made from reset(); replaying that list reproduces it exactly.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace whittle::machine {

/// Why a state has no successor.
enum class Ending : uint8_t {
  None,      ///< it has successors
  Halted,    ///< the system ended in good order
  Deadlock,  ///< nothing can move although something waits: a violation if the machine's property says so
  Cut,       ///< this path was ended by a limit or a construct that is not modelled: nothing is known beyond
};

struct Successors {
  uint32_t count = 0;            ///< choices 0 .. count-1 are open
  Ending ending = Ending::None;  ///< set when count == 0
};

enum class StepKind : uint8_t {
  Moved,      ///< the current state is now the successor
  Violation,  ///< the step violates the machine's property; the current state is the violating one
  Pruned,     ///< the choice turned out to be no behaviour of the system (an assume failed); current state undefined
  Cut,        ///< a limit or a construct that is not modelled was met; current state undefined
};

/// A range of bytes of the vector that save() returns.
struct ByteRange {
  uint32_t begin = 0;
  uint32_t length = 0;
  bool operator==(const ByteRange&) const = default;
};

/// What the last step read before it wrote it, and what it wrote. Reads are over-approximated if in doubt, writes are
/// exact: only bytes written on this very step, whatever they held before. Offsets of reads refer to the state before
/// the step, offsets of writes to the state after it.
/// - Reads include whatever successors() looked at to offer the choice, the operands of every check, and addresses.
/// - They are valid after every kind of step: a failed assume has read its condition, too.
/// - A byte that the step does not write keeps its value and its offset. A step that moves bytes (a frame is popped
///   below another one) reads them at the old offsets and writes them at the new ones; bytes that come into being are
///   written.
struct Footprint {
  std::vector<ByteRange> reads;
  std::vector<ByteRange> writes;
  uint32_t number = 0;  ///< of one machine, footprints with equal numbers other than 0 are equal
  void clear() { reads.clear(), writes.clear(), number = 0; }
};

/// Where the system stands, for reductions that look at program locations.
struct Position {
  uint64_t location = 0;  ///< the program counter; with several threads, a hash of all of them
  bool breaking = true;   ///< static analysis: a reduced path must stop here (nondeterminism, visible write, jump target)
};

class Machine {
 public:
  virtual ~Machine() = default;

  /// To the initial state. (Several initial states are choices of a first step.)
  virtual void reset() = 0;

  /// The current state. Valid until the next call of reset, load or step.
  virtual std::span<const uint8_t> save() = 0;

  /// Makes a state that save() returned the current one.
  virtual void load(std::span<const uint8_t> state) = 0;

  /// How many ways the current state can go on. Does not change the state.
  virtual Successors successors() = 0;

  /// Requires choice < successors().count.
  virtual StepKind step(uint32_t choice) = 0;

  /// Truth values of the atomic propositions in the current state: bit i for the i-th one. At most 64.
  virtual uint64_t observe() = 0;

  virtual Position position() = 0;

  /// Footprints cost time: they are kept only while switched on.
  virtual void trace_footprints(bool on) = 0;

  /// Of the last step. Requires trace_footprints(true) before that step.
  virtual const Footprint& footprint() = 0;

  /// Bytes of the current state whose value may be ignored when no future step reads them before writing them
  /// (registers, variables). All other bytes (program counters, object tables) are never dead, and fix the layout:
  /// two states that agree on them have their cells at the same offsets. Never dead, too, is what observe() looks at and
  /// what makes a state Halted; a search takes all of a Deadlock state for live. `dead` gets the subset that a static
  /// analysis already knows to be dead here. Both lists are sorted, disjoint, and replace what the vectors held.
  virtual void cells(std::vector<ByteRange>& mortal, std::vector<ByteRange>& dead) = 0;

  /// A number for the current state's never-dead bytes: of one machine, states with equal numbers other than 0 agree on
  /// them, and so on what cells() says. 0: it has none.
  virtual uint32_t cells_number() { return 0; }

  /// True: save() leaves out what a static analysis knows to be dead, so `dead` of cells() is always empty.
  virtual bool leaves_out_dead() const { return false; }

  /// Another machine for the same system, for another thread: equal states have equal bytes in both, also those that
  /// only one of them ever met, and equal choices in equal states do the same. Null: there cannot be one.
  virtual std::unique_ptr<Machine> twin() { return nullptr; }

  /// Memory of the machine that vectors of save() refer to, instead of holding everything themselves.
  virtual uint64_t shared_bytes() const { return 0; }
};

}  // namespace whittle::machine
