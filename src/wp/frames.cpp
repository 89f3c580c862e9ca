#include "wp/frames.h"

#include <fmt/format.h>

namespace whittle::wp {

Term Frames::variable(FrameId frame, program::FunctionId function, program::RegisterId reg) {
  std::vector<Term>& known = variables_[{frame, function}];
  const auto& registers = program_.functions[function].registers;
  if (known.size() < registers.size()) known.resize(registers.size());
  Term& v = known[reg];
  if (!v) {
    std::string name = registers[reg].name.empty() ? fmt::format("r{}", reg) : registers[reg].name;
    if (frame != 0) name += fmt::format("@{}", frame);
    v = program_.terms().variable(registers[reg].width(), name);
    registers_[v] = {frame, function, reg};
  }
  return v;
}

Term Frames::in_frame(FrameId frame, program::FunctionId function, Term t) {
  return program_.terms().substitute(t, [&](Term v) {
    program::Program::RegisterRef ref = program_.register_of(v);
    return ref.function == function ? variable(frame, function, ref.reg) : Term{};
  });
}

Term Frames::any(size_t number, unsigned width) {
  Term& v = any_[{number, width}];
  if (!v) v = program_.terms().variable(width, fmt::format("any{}", number));
  return v;
}

Frames::Register Frames::register_of(Term variable) const {
  auto it = registers_.find(variable);
  return it == registers_.end() ? Register{} : it->second;
}

}  // namespace whittle::wp
