// Which bytes of the state a step reads and writes, and which of them can be dead at all: registers, the status flags
// except I, and RAM that no formula looks at. I/O registers and the bookkeeping of unknown bits never die.
#include <algorithm>

#include "avr/avr_machine.h"

namespace whittle::avr {

using machine::ByteRange;

namespace {

constexpr uint32_t one(unsigned r) { return 1u << r; }

void sort_and_join(std::vector<ByteRange>& ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
  size_t kept = 0;
  for (const ByteRange& r : ranges) {
    if (kept > 0 && r.begin <= ranges[kept - 1].begin + ranges[kept - 1].length)
      ranges[kept - 1].length = std::max(ranges[kept - 1].length, r.begin + r.length - ranges[kept - 1].begin);
    else
      ranges[kept++] = r;
  }
  ranges.resize(kept);
}

}  // namespace

uint32_t AvrMachine::stack_offset() const {
  return flags_offset() + 40 +
         uint32_t(core_.layout->io.size()) + core_.layout->low_top - device_->ram_start();
}

uint32_t AvrMachine::offset_of(uint16_t cell) const {
  uint32_t flags = flags_offset();
  if (cell < 32) return flags + 8 + cell;
  if (cell < core_.layout->low_top) return flags + 40 + uint32_t(core_.layout->io.size()) + cell - device_->ram_start();
  return stack_offset() + device_->ram_end() - cell;
}

void AvrMachine::cells(std::vector<ByteRange>& mortal, std::vector<ByteRange>& dead) {
  mortal.clear();
  dead.clear();
  bool registers_seen = false, flags_seen = false;
  for (const Expression& e : atoms_) registers_seen |= e.reads().registers, flags_seen |= e.reads().flags;
  uint32_t flags = offset_of(0) - 8;
  if (!flags_seen) mortal.push_back({flags, 7});
  if (!registers_seen)
    for (uint32_t r = 0; r < 32; ++r) mortal.push_back({flags + 8 + r, 1});
  for (uint16_t a = device_->ram_start(); a < core_.layout->low_top; ++a)
    if (rules_.observed[a] == 0) mortal.push_back({offset_of(a), 1});
  for (uint32_t a = device_->ram_end(); a >= core_.live_low; --a) mortal.push_back({offset_of(uint16_t(a)), 1});
  sort_and_join(mortal);
}

void AvrMachine::note_reads(uint32_t base) {
  footprint_.clear();
  if (base >= plan_.instruction || core_.sleeping || core_.pc >= core_.code().size()) return;
  Effect e = effect_of(core_, core_.next());
  auto& reads = footprint_.reads;
  for (uint16_t r = 0; r < 32; ++r)
    if ((e.reads & one(r)) != 0) reads.push_back({offset_of(r), 1});
  for (uint32_t f = 0; f < 8; ++f)
    if ((e.reads_flags & (1u << f)) != 0) reads.push_back({offset_of(0) - 8 + f, 1});
  for (int n = 0; e.load >= 0 && n < e.load_count; ++n) {
    uint32_t a = uint32_t(e.load + n);
    bool kept = a < 32 || (a >= device_->ram_start() && a <= device_->ram_end() && core_.live_ram(uint16_t(a)));
    if (kept) reads.push_back({offset_of(uint16_t(a)), 1});
  }
  sort_and_join(reads);
}

/// `before` is the state before the step. Called with the core after it; what the step did is told by its effects,
/// never by comparing bytes: learning an unknown bit changes copies of it without writing them.
void AvrMachine::note_writes(const std::vector<uint8_t>& before) {
  auto& writes = footprint_.writes;
  auto old16 = [&](size_t at) { return uint32_t(before[at] | (before[at + 1] << 8)); };
  uint32_t old_pc = old16(0) | uint32_t(before[2]) << 16, old_low = old16(7);
  std::vector<ByteRange> mortal, dead;
  bool was_passing = (before[9] & 128) != 0;
  if (old16(3) != core_.layout->id || was_passing != passing()) {  // bytes have moved
    uint32_t end = uint32_t(before.size());
    footprint_.reads.assign({{0, end}});
    cells(mortal, dead);
    writes = mortal;
    return;
  }
  for (uint32_t a = core_.live_low; a < old_low; ++a) writes.push_back({offset_of(uint16_t(a)), 1});
  if (last_action_ == Action::Executed && old_pc < core_.code().size()) {
    const Effect& e = last_effect_;
    for (uint16_t r = 0; r < 32; ++r)
      if ((e.writes & one(r)) != 0) writes.push_back({offset_of(r), 1});
    for (uint32_t f = 0; f < 8; ++f)
      if ((e.writes_flags & (1u << f)) != 0) writes.push_back({offset_of(0) - 8 + f, 1});
    for (int n = 0; e.store >= 0 && n < e.store_count; ++n) {
      auto a = uint32_t(e.store + n);
      bool kept = a < 32 || (a >= device_->ram_start() && a <= device_->ram_end() && core_.live_ram(uint16_t(a)));
      if (kept) writes.push_back({offset_of(uint16_t(a)), 1});
    }
  } else if (last_action_ == Action::Reset) {
    writes.push_back({offset_of(0) - 8, 8});
  }
  sort_and_join(writes);
}

}  // namespace whittle::avr
