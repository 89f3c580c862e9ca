// A program compiled once to flat register code; machines run it. See docs/machine.md for the instruction format.
//
//   auto code = std::make_shared<exec::Code>(program, verdict::default_specification());
//   exec::Machine machine(code);
//
// The specification is part of the code: statements that check something that was not asked for cost nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "program/program.h"
#include "verdict/property.h"

namespace whittle::exec {

struct Options {
  /// Registers that no path reads again are left out of states. (When valid-memtrack is checked, the registers that
  /// hold named variables stay: a variable in scope keeps its memory tracked even if it is never read again.)
  bool drop_dead_registers = true;
  /// A misaligned access violates valid-deref (when that is checked); otherwise it is done, as x86 does it.
  bool check_alignment = true;
  uint32_t max_threads = 64;                ///< at once; more: Cut
  uint32_t max_frames = 20'000;             ///< per thread; more: Cut ("stack overflow")
  uint64_t max_object = uint64_t{1} << 28;  ///< bytes of one object; more: Cut
  uint64_t max_memory = uint64_t{1} << 30;  ///< bytes of all dynamic objects together; more: Cut
};

class CodeImpl;

/// Immutable and shareable. Refers to the program, which must outlive it.
class Code {
 public:
  Code(const program::Program& program, verdict::Specification specification, Options options = {});
  ~Code();

  const program::Program& program() const { return program_; }
  const verdict::Specification& specification() const { return specification_; }
  const Options& options() const { return options_; }

  /// One line per instruction, for tests and curious people.
  std::string disassemble(program::FunctionId function) const;

  const CodeImpl& impl() const { return *impl_; }

 private:
  const program::Program& program_;
  verdict::Specification specification_;
  Options options_;
  std::unique_ptr<CodeImpl> impl_;
};

}  // namespace whittle::exec
