#include "engines/guided/step_accesses.h"

#include <algorithm>

namespace whittle::engines::guided {

using dpor::Access;
using program::Kind;
using program::Statement;

namespace {

/// An await that was passed in mid-step, where there would have been a scheduling point with others around.
bool known_await(const program::Program& program, const exec::Pending::Range& range, dpor::Await& await) {
  const Statement& s = program.functions[range.function].edges[range.edge].statement;
  if (s.kind != Kind::Await || range.region || s.width > 64 || range.size * 8 != s.width) return false;
  for (size_t i = 1; i < 4; ++i)
    if (!s.operands[i].is_constant()) return false;
  auto number = [&](size_t i) {
    return static_cast<int64_t>(sign_extend128(s.operands[i].value(), s.operands[i].width()));
  };
  await = {range.address, range.size, static_cast<uint64_t>(s.operands[1].value()), number(2), number(3), false};
  return true;
}

}  // namespace

void StepAccesses::collect(const program::analysis::Slice* slice, bool alone, bool awaits) {
  accesses.clear();
  touched.clear();
  after_awaits.clear();
  passed_.clear();
  parts.clear();
  auto note = [](std::vector<Access>& list, const exec::Pending::Range& range) {
    for (Access& a : list)
      if (a.address == range.address && a.size == range.size) {
        a.write |= range.write;
        return;
      }
    list.push_back({range.address, range.size, range.write});
  };
  auto written = [&](const exec::Pending::Range& range) {
    return std::any_of(touched.begin(), touched.end(), [&](const Access& a) {
      return a.write && a.address < range.address + range.size && range.address < a.address + a.size;
    });
  };
  for (const exec::Pending::Range& range : log) {
    if (range.size == 0) continue;
    note(touched, range);
    if (slice && !slice->interleaves(range.function, range.edge)) continue;
    dpor::Await await;
    if (alone && !(awaits && accesses.empty()) && known_await(machine_.program(), range, await) && !written(range)) {
      passed_.push_back(await);
      after_awaits.emplace_back();
    }
    note(after_awaits.empty() ? accesses : after_awaits.back(), range);
  }
  auto look_up = [&](std::vector<Access>& list) {
    for (Access& a : list) {
      if (!a.write || a.size > 8 || machine_.symbolic(a.address, a.size)) continue;
      uint8_t bytes[8] = {};
      if (!machine_.machine().read_memory(a.address, {bytes, a.size})) continue;
      a.known = true;
      for (unsigned i = static_cast<unsigned>(a.size); i-- > 0;) a.value = a.value << 8 | bytes[i];
    }
  };
  look_up(accesses);
  for (size_t i = 0; i < after_awaits.size(); ++i) {
    look_up(after_awaits[i]);
    parts.push_back({&passed_[i], after_awaits[i]});
  }
}

}  // namespace whittle::engines::guided
