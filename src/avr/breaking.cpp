// Breaking points by static analysis, as in path reduction for binary code: a location breaks a path when an interrupt
// may come there, when its instruction may read an input, when it may change what a formula looks at, or when it is the
// target of a jump backwards (so that every loop has one).
//
// Whether interrupts are enabled is found by following the I flag through the control flow, function by function. Code
// that plays tricks with a saved status register escapes it; AvrMachine::position() therefore also looks at the state.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "avr/avr_machine.h"

namespace whittle::avr {

namespace {

constexpr uint8_t kMayBeClear = 1, kMayBeSet = 2;

/// May the I flag be set at a location? A forward analysis over pairs of location and function entry.
class InterruptFlag {
 public:
  InterruptFlag(const std::vector<Insn>& code, const Device& device) : code_(code), result_(code.size(), 0) {
    reach(0, 0, kMayBeClear);
    for (uint32_t n = 1; n < device.table().vector_count; ++n) {
      uint32_t entry = n * device.table().vector_words;
      reach(entry, entry, kMayBeClear);
    }
    while (!work_.empty()) {
      auto [pc, entry] = *work_.begin();
      work_.erase(work_.begin());
      visit(pc, entry, seen_[{pc, entry}]);
    }
  }
  bool may_be_set(uint32_t pc) const { return (result_[pc] & kMayBeSet) != 0; }

 private:
  void reach(uint32_t pc, uint32_t entry, uint8_t mask) {
    if (pc >= code_.size() || mask == 0) return;
    uint8_t& known = seen_[{pc, entry}];
    if ((known | mask) == known) return;
    known |= mask;
    result_[pc] |= mask;
    work_.insert({pc, entry});
  }

  void call(uint32_t pc, uint32_t entry, uint32_t target, uint8_t mask) {
    uint32_t back = pc + code_[pc].words;
    callers_[target].insert({back, entry});
    reach(target, target, mask);
    reach(back, entry, exits_[target]);
  }

  void visit(uint32_t pc, uint32_t entry, uint8_t mask) {
    const Insn& i = code_[pc];
    uint32_t next = pc + i.words;
    switch (i.op) {
      case Op::Rjmp:
      case Op::Jmp: reach(i.k, entry, mask); return;
      case Op::Brbs:
      case Op::Brbc: reach(i.k, entry, mask), reach(next, entry, mask); return;
      case Op::Cpse:
      case Op::Sbrc:
      case Op::Sbrs:
      case Op::Sbic:
      case Op::Sbis:
        reach(next, entry, mask);
        if (next < code_.size()) reach(next + code_[next].words, entry, mask);
        return;
      case Op::Rcall:
      case Op::Call: call(pc, entry, i.k, mask); return;
      case Op::Icall:
      case Op::Eicall: reach(next, entry, kMayBeClear | kMayBeSet); return;
      case Op::Ret:
        exits_[entry] |= mask;
        for (const auto& [back, caller] : callers_[entry]) reach(back, caller, exits_[entry]);
        return;
      case Op::Reti:
      case Op::Ijmp:
      case Op::Eijmp:
      case Op::Undefined:
      case Op::Outside: return;
      case Op::Bset: reach(next, entry, i.r == kI ? kMayBeSet : mask); return;
      case Op::Bclr: reach(next, entry, i.r == kI ? kMayBeClear : mask); return;
      case Op::Out:
      case Op::Sts:
        if (i.k != 0x5f) return reach(next, entry, mask);
        // Start-up code clears it with the register that is always zero; everyone else restores what was saved.
        return reach(next, entry, i.d == 1 ? kMayBeClear : std::max(kMayBeClear, saved_[entry]));
      case Op::In:
      case Op::Lds:
        if (i.k == 0x5f) saved_[entry] |= mask;
        return reach(next, entry, mask);
      default: reach(next, entry, mask); return;
    }
  }

  const std::vector<Insn>& code_;
  std::vector<uint8_t> result_;
  std::map<std::pair<uint32_t, uint32_t>, uint8_t> seen_;
  std::set<std::pair<uint32_t, uint32_t>> work_;
  std::map<uint32_t, std::set<std::pair<uint32_t, uint32_t>>> callers_;
  std::map<uint32_t, uint8_t> exits_;
  std::map<uint32_t, uint8_t> saved_;  // the flag when the status register was read
};

}  // namespace

void AvrMachine::find_breaking() {
  const std::vector<Insn>& code = core_.code();
  breaking_.assign(code.size(), 0);
  InterruptFlag flag(code, *device_);
  bool registers_seen = false, flags_seen = false, ram_seen = false;
  for (const Expression& e : atoms_) {
    registers_seen |= e.reads().registers || e.reads().pc;
    flags_seen |= e.reads().flags;
    ram_seen |= !e.reads().ram.empty() || !e.reads().io.empty();
  }
  auto input = [&](uint32_t address) {
    if (address < 32 || address >= device_->ram_start()) return false;
    const Register& r = device_->at(uint16_t(address));
    return r.kind == RegisterKind::Pin || r.kind == RegisterKind::Counter || r.kind == RegisterKind::Flags ||
           r.fresh != 0 || r.busy != 0;
  };
  auto seen = [&](uint32_t address) {
    if (address >= rules_.observed.size()) return false;
    if (rules_.observed[address] != 0) return true;
    // A change of direction changes what the pins read.
    return address >= 33 && address < device_->ram_start() &&
           device_->at(uint16_t(address - 1)).kind == RegisterKind::Pin && rules_.observed[address + 1] != 0;
  };
  for (uint32_t pc = 0; pc < code.size(); ++pc) {
    const Insn& i = code[pc];
    bool stop = flag.may_be_set(pc) || registers_seen || flags_seen || shown_count_ > 1;
    switch (i.op) {
      case Op::In:
      case Op::Lds:
      case Op::Sbic:
      case Op::Sbis: stop |= input(i.k); break;
      case Op::Out:
      case Op::Sts:
      case Op::Sbi:
      case Op::Cbi: stop |= seen(i.k); break;
      case Op::St:
      case Op::StInc:
      case Op::StDec: stop |= ram_seen; break;
      case Op::Rjmp:
      case Op::Jmp:
      case Op::Brbs:
      case Op::Brbc:
      case Op::Rcall:
      case Op::Call:
        if (i.k <= pc) breaking_[i.k] = 1;
        break;
      case Op::Ijmp:
      case Op::Eijmp:
      case Op::Icall:
      case Op::Eicall:
      case Op::Sleep:
      case Op::Spm:
      case Op::Undefined:
      case Op::Outside: stop = true; break;
      default: break;
    }
    if (stop) breaking_[pc] = 1;
  }
}

bool AvrMachine::breaking(uint32_t pc) {
  if (breaking_.empty()) find_breaking();
  return pc >= breaking_.size() || breaking_[pc] != 0;
}

}  // namespace whittle::avr
