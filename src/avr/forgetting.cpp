// What an abstract chip forgets after a step, and what is noted on the way for the next precision.
#include "avr/avr_machine.h"

namespace whittle::avr {

void AvrMachine::set_precision(std::shared_ptr<Precision> precision, bool abstract) {
  precision_ = std::move(precision);
  abstract_ = abstract && precision_ != nullptr;
  rules_.atoms = abstract_ && !atoms_.empty() ? &atoms_ : nullptr;
  boot();
  reset();
}

/// RAM that no formula looks at, and latches whose value nothing else rests on.
bool AvrMachine::forgettable(uint16_t address) const {
  if (address < 32 || address > device_->ram_end()) return false;
  if (address >= device_->ram_start()) return true;
  if (watches(address)) return false;
  const Register& r = device_->at(address);
  return r.kind == RegisterKind::Latch && r.half.timer < 0 && !(r.compares && options_.timers_exact);
}

bool AvrMachine::atoms_known() const {
  for (const Expression& atom : atoms_)
    if (!atom.truth(core_)) return false;
  return true;
}

void AvrMachine::forget_watched() {
  for (Precision::Forgotten cell : precision_->watched) {
    uint16_t a = cell.address;
    if (core_.x[a] == 0xff || (core_.x[a] & cell.mask) == cell.mask) continue;
    const uint8_t v = core_.v[a], x = core_.x[a], t = core_.t[a];
    core_.x[a] |= cell.mask, core_.v[a] &= uint8_t(~core_.x[a]), core_.t[a] = 0;
    if (!atoms_known()) {
      core_.v[a] = v, core_.x[a] = x, core_.t[a] = t;
      continue;
    }
    core_.has_x = true;
    core_.x_changed = 1;
  }
}

/// A jump backwards was taken: where it leads, a loop begins anew.
void AvrMachine::note_head() {
  if (last_pc_ >= core_.code().size()) return;
  Op op = core_.code()[last_pc_].op;
  if (op != Op::Rjmp && op != Op::Jmp && op != Op::Brbs && op != Op::Brbc) return;
  Precision& p = *precision_;
  int32_t& index = p.head_at[core_.pc];
  if (index < 0) {
    index = int32_t(p.heads.size());
    p.heads.emplace_back();
  }
  for (uint32_t live = p.live.registers[core_.pc]; live != 0; live &= live - 1) {
    auto r = size_t(__builtin_ctz(live));
    p.heads[size_t(index)].met[r].add(core_.v[r], core_.x[r]);
  }
}

}  // namespace whittle::avr
