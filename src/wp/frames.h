// Variables for registers of frames. A statement mentions the registers of its function; when several activations are
// alive, a predicate must say which it means.
//
//   Frames frames(program);
//   Term x = frames.variable(frame, function, reg);
//   Term condition = frames.in_frame(frame, function, statement.operands[0]);
#pragma once

#include <map>
#include <unordered_map>

#include "program/program.h"
#include "semantics/meaning.h"
#include "wp/step.h"

namespace whittle::wp {

using term::Term;

class Frames {
 public:
  explicit Frames(const program::Program& program) : program_(program), meanings_(program) {}

  Term variable(FrameId frame, program::FunctionId function, program::RegisterId reg);
  /// The term over the registers of `function` as one over the registers of the frame.
  Term in_frame(FrameId frame, program::FunctionId function, Term t);

  struct Register {
    FrameId frame = 0;
    program::FunctionId function = program::kNone;
    program::RegisterId reg = program::kNone;
    bool known() const { return reg != program::kNone; }
  };
  /// What a variable of a predicate stands for.
  Register register_of(Term variable) const;
  const program::Program& program() const { return program_; }
  semantics::Meanings& meanings() { return meanings_; }
  /// Variables that stand for any value: no register's. The same ones for every path.
  Term any(size_t number, unsigned width);

 private:
  const program::Program& program_;
  semantics::Meanings meanings_;
  std::map<std::pair<FrameId, program::FunctionId>, std::vector<Term>> variables_;
  std::unordered_map<Term, Register> registers_;
  std::map<std::pair<size_t, unsigned>, Term> any_;
};

}  // namespace whittle::wp
