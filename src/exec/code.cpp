#include "exec/code.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "exec/instruction.h"

namespace whittle::exec {

CodeImpl::CodeImpl(const program::Program& p, const verdict::Specification& s, const Options& o)
    : program(p), specification(s), options(o), check_races(s.has(verdict::Property::NoDataRace)) {
  if (check_races) orders = weak_orders(p);
  pointer_mask = mask64(p.pointer_width());
  pointer_bytes = p.pointer_width() / 8;
  place_statics(*this);
  functions.resize(p.functions.size());
  for (program::FunctionId id = 0; id < p.functions.size(); ++id) {
    FunctionCode& code = functions[id];
    code.function = &p.functions[id];
    code.id = id;
    code.first_location = static_cast<uint32_t>(location_count);
    location_count += p.functions[id].locations.size();
    function_of_location.insert(function_of_location.end(), p.functions[id].locations.size(), id);
    compile(*this, code);
    lay_out(*this, code);
  }
  location_bytes = location_count < (1u << 8)    ? 1
                   : location_count < (1u << 16) ? 2
                   : location_count < (1u << 24) ? 3
                                                 : 4;
}

program::LocationId Stream::location_of_branch(uint32_t instruction) const {
  auto it = std::lower_bound(branches.begin(), branches.end(), std::pair{instruction, program::LocationId{0}});
  assert(it != branches.end() && it->first == instruction);
  return it->second;
}

Code::Code(const program::Program& program, verdict::Specification specification, Options options)
    : program_(program),
      specification_(std::move(specification)),
      options_(options),
      impl_(std::make_unique<CodeImpl>(program_, specification_, options_)) {}

Code::~Code() = default;

std::string Code::disassemble(program::FunctionId function) const {
  static constexpr std::string_view kNames[] = {
#define X(name) #name,
      WHITTLE_OPCODES(X)
#undef X
  };
  const FunctionCode& code = impl_->functions[function];
  std::string text =
      fmt::format("{}: {} register slots, {} in all\n", code.function->name, code.register_slots, code.total_slots);
  for (size_t i = 0; i < code.streams[0].code.size(); ++i) {
    const Instruction& in = code.streams[0].code[i];
    text += fmt::format("{:5} {:<12} d={} a={} b={} lo={} hi={}\n", i, kNames[static_cast<unsigned>(in.op)], in.d, in.a,
                        in.b, in.lo, in.hi);
  }
  return text;
}

}  // namespace whittle::exec
