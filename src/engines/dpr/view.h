// Terms for what depends on choices, on top of a concrete machine.
//
// A base view follows the machine: it holds terms only for registers and memory whose value depends on a choice;
// everything else is read from the machine as a constant. A view on top of another one holds whatever was assigned
// through it, constants too, because the machine never gets there: that is how the side of a branch that was not taken
// is looked at (see sidestep.h).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

#include "exec/machine.h"
#include "program/program.h"
#include "term/term.h"

namespace whittle::engines::dpr {

/// A register of a frame, by the frame's depth in the only thread.
struct RegisterCell {
  uint32_t frame = 0;
  program::RegisterId reg = 0;
  bool operator==(const RegisterCell&) const = default;
  bool operator<(const RegisterCell& other) const {
    return frame != other.frame ? frame < other.frame : reg < other.reg;
  }
};

/// A range of memory, at most 16 bytes: what one store writes.
struct MemoryCell {
  uint64_t address = 0;
  uint32_t size = 0;
  bool operator<(const MemoryCell& other) const {
    return address != other.address ? address < other.address : size < other.size;
  }
  bool overlaps(const MemoryCell& other) const {
    return address < other.address + other.size && other.address < address + size;
  }
};

class View {
 public:
  View(const program::Program& program, exec::Machine& machine, const View* below = nullptr)
      : program_(program), machine_(machine), below_(below) {}

  term::Store& terms() const { return program_.terms(); }
  bool is_base() const { return below_ == nullptr; }

  /// The value of a register; no term if it was never assigned.
  term::Term reg(RegisterCell cell, program::FunctionId function) const;
  void set_reg(RegisterCell cell, term::Term value);

  /// A term over registers of a frame (and memory, which `read` tells), with these replaced by their values. No term: one
  /// of them has none, see reg().
  using Read = std::function<term::Term(term::Term read)>;
  term::Term evaluate(term::Term t, uint32_t frame, program::FunctionId function, const Read& read = {}) const;

  /// The value of `size` (1 to 16) bytes of memory; no term if they are not inside one live object or not initialised.
  term::Term load(MemoryCell cell) const;
  void store(MemoryCell cell, term::Term value);
  /// Does any of these bytes depend on a choice (or, in a view on top, was it written through it)?
  bool touches(uint64_t address, uint64_t size) const;
  /// Forgets what is known of a range: its object died, or the machine wrote constants over it.
  void forget(uint64_t address, uint64_t size);
  void forget_frame(uint32_t frame);

  const std::map<RegisterCell, term::Term>& registers() const { return registers_; }
  const std::map<uint64_t, term::Term>& memory() const { return memory_; }  ///< by address; sizes are the terms' widths

 private:
  term::Term byte(uint64_t address) const;
  const term::Term* chunk_at(uint64_t address, uint64_t* start) const;

  const program::Program& program_;
  exec::Machine& machine_;
  const View* below_;
  std::map<RegisterCell, term::Term> registers_;
  std::map<uint64_t, term::Term> memory_;  ///< disjoint chunks
};

}  // namespace whittle::engines::dpr
