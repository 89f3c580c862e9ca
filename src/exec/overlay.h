// Terms for the cells of a running program that depend on inputs; every other cell is the machine's.
//
// Registers are named by thread, depth of the frame and number; memory by address, in disjoint chunks as stores wrote
// them. A constant is not kept: it is what the machine holds already; unless the overlay is about another state than
// the machine's. Copying an overlay is cheap (shared, copied when written).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "program/program.h"
#include "term/term.h"

namespace whittle::exec {

class Overlay {
 public:
  struct Register {
    uint32_t thread = 0;
    uint32_t frame = 0;
    program::RegisterId reg = 0;
    auto operator<=>(const Register&) const = default;
  };
  using Registers = std::map<Register, term::Term>;
  using Memory = std::map<uint64_t, term::Term>;  ///< by address; sizes are the terms' widths

  enum class Constants : bool { Dropped, Kept };
  explicit Overlay(term::Store& terms, Constants constants = Constants::Dropped);

  bool empty() const { return cells_->registers.empty() && cells_->memory.empty(); }
  void clear();
  const Registers& registers() const { return cells_->registers; }
  const Memory& memory() const { return cells_->memory; }

  /// No term: the register does not depend on inputs.
  term::Term reg(Register cell) const;
  void set_reg(Register cell, term::Term value);  ///< a constant: forget it, unless they are kept
  void forget_frames(uint32_t thread, uint32_t from_frame);
  /// Registers for which `drop` says so.
  void forget_registers(const std::function<bool(const Register&)>& drop);

  /// Does any of these bytes depend on inputs?
  bool touches(uint64_t address, uint64_t size) const;
  /// The value of 1 to 16 bytes; bytes that are not here are told by `below`. No term: one of them has none.
  term::Term load(uint64_t address, unsigned size, const std::function<term::Term(uint64_t address)>& below) const;
  void store(uint64_t address, term::Term value);  ///< a constant: forget the bytes, unless they are kept
  void forget(uint64_t address, uint64_t size);
  void copy(uint64_t to, uint64_t from, uint64_t size);  ///< as memmove

 private:
  struct Cells {
    Registers registers;
    Memory memory;
  };
  Cells& own();  ///< not shared with another overlay
  bool keeps(term::Term value) const { return constants_ == Constants::Kept || !value.is_constant(); }
  const std::pair<const uint64_t, term::Term>* chunk_at(uint64_t address) const;

  term::Store* terms_;
  Constants constants_;
  std::shared_ptr<Cells> cells_;
};

}  // namespace whittle::exec
