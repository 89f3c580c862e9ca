// A system that is searched through its machine and is no program: firmware on a chip. The machine has the states; this
// has words for them, and atoms over them.
//
//   uint32_t atom = system.bind_atom("mode <= 6");                      // before the first search
//   explore::CtlResult result = explore::check(system.machine(), ...);  // a path: choices of step() from reset()
//   Story story = system.describe(path);
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/context.h"
#include "machine/machine.h"
#include "verdict/verdict.h"

namespace whittle::machine {

/// A path, for people.
struct Story {
  verdict::Trace trace;                          ///< one step for each choice
  std::optional<verdict::Violation> violation;   ///< of the machine's own checks, by the last step
};

/// What becomes of a path of an abstract machine that ends badly.
struct Judgement {
  enum class Kind : uint8_t {
    Real,     ///< the system has such a path: `choices`
    Refined,  ///< none was found, and the abstract machine has changed
    Stuck,    ///< none was found, and there is nothing to refine
  };
  Kind kind = Kind::Stuck;
  std::vector<uint32_t> choices;  ///< of exact()
};

/// A machine with every path of a system, and more, but fewer states. What holds on all its paths holds on all of the
/// system's.
class Abstraction {
 public:
  virtual ~Abstraction() = default;
  /// The system itself; searching it teaches the abstract machine what to forget.
  virtual Machine& exact() = 0;
  virtual Machine& machine() = 0;
  /// A search met too many states: machine() forgets more. False: there is nothing more to forget.
  virtual bool coarsen() = 0;
  /// The path leads machine() to a violation of its property or to a state with certain atoms. A real path ends in a
  /// violation, or with the same atoms.
  virtual Judgement judge(const std::vector<uint32_t>& choices, Context& context) = 0;
};

class System {
 public:
  virtual ~System() = default;

  virtual Machine& machine() = 0;

  /// Number of the atomic proposition with this text. Throws Error (bad input).
  virtual uint32_t bind_atom(const std::string& text) = 0;

  /// The atom that is true in states before the first one (explore::after_start), if the machine begins with such.
  virtual std::optional<uint32_t> start_atom() const = 0;

  /// A fresh system of the same kind, without atoms. `early`: inputs are decided when they are read, as formulas of
  /// branching time demand.
  virtual std::unique_ptr<System> fresh(bool early) const = 0;
  virtual bool decides_early() const = 0;

  /// With the atoms bound so far. Null: there is none.
  virtual std::unique_ptr<Abstraction> abstraction() const { return nullptr; }

  /// Why the first path was cut that was; "" when none was.
  virtual std::string cut_reason() const = 0;

  /// Replays choices from reset() on; ends early at a violation. Throws Error (bad input) if they do not fit.
  virtual Story describe(const std::vector<uint32_t>& choices) = 0;

  /// Where the system begins, for violations without a step.
  virtual verdict::Violation beginning() const = 0;

  virtual std::vector<std::string> assumptions() const = 0;
  virtual std::vector<std::string> warnings() const = 0;
};

}  // namespace whittle::machine
