// A state of the program that differs from the running one in some cells: what it would be on another path.
//
//   Side other(run);                     // as the run is now
//   other.cells.set_reg(cell, value);    // registers of thread 0 by frame, memory by address
//   Side inner(run, &other);             // and a state that differs from that one
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "exec/symbolic.h"

namespace whittle::engines::dpr {

/// Up to 16 bytes of memory.
struct Bytes {
  uint64_t address = 0;
  unsigned size = 0;
};

class Side {
 public:
  using Register = exec::Overlay::Register;

  explicit Side(const exec::SymbolicMachine& run, const Side* below = nullptr)
      : cells(run.program().terms(), exec::Overlay::Constants::Kept), run_(run), below_(below) {}

  exec::Overlay cells;  ///< those that differ, constants too

  /// No term: the register was never assigned.
  term::Term reg(const Register& cell) const;
  /// No term: not inside one live object, or not all of it is initialised.
  term::Term load(Bytes bytes) const;

  /// A term over registers of a frame (and memory, which `read` tells), with these replaced by their values. No term: one
  /// of them has none.
  using Read = std::function<term::Term(term::Term read)>;
  term::Term evaluate(term::Term t, uint32_t frame, const Read& read = {}) const;

 private:
  const exec::SymbolicMachine& run_;
  const Side* below_;
};

/// One of several ways to a place.
struct Way {
  term::Term condition;  ///< under which it is taken; of all ways exactly one holds
  const Side* state;     ///< at the place
};

struct Merged {
  std::vector<std::pair<Side::Register, term::Term>> registers;
  std::vector<std::pair<Bytes, term::Term>> memory;
};

/// What holds where ways meet, of all registers of `frame` and all bytes that one of `written` holds. Nothing if bytes
/// have a value on some ways only.
std::optional<Merged> merge(term::Store& terms, const std::vector<Way>& ways, const std::vector<const Side*>& written,
                            uint32_t frame);

}  // namespace whittle::engines::dpr
