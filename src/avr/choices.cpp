// What may happen next: the instruction in each way of deciding what it needs, interrupts, the watchdog.
#include <algorithm>
#include <bit>

#include "avr/avr_machine.h"

namespace whittle::avr {

using machine::Ending;
using machine::StepKind;

namespace {
constexpr unsigned kMaxOutcomeBits = 12;  // 4096 successors of one step
}

/// While clocks stand still, few interrupts come.
bool AvrMachine::can_wake(const Interrupt& source) const {
  SleepMode mode = core_.sleep_mode();
  BitAt crystal = device_->asynchronous();
  switch (source.wakes) {
    case Wakes::Always: return true;
    case Wakes::Idle: return mode == SleepMode::Idle;
    case Wakes::Noise: return mode == SleepMode::Idle || mode == SleepMode::NoiseReduction;
    case Wakes::Asynchronous:
      return mode == SleepMode::Idle ||
             ((mode == SleepMode::NoiseReduction || mode == SleepMode::PowerSave || mode == SleepMode::ExtendedStandby) &&
              crystal.address != 0 && (core_.v[crystal.address] & crystal.mask) != 0);
  }
  return true;
}

AvrMachine::Pending AvrMachine::pending(const Interrupt& source) const {
  const Core& c = core_;
  if (c.deep && !can_wake(source)) return Pending::No;
  if (source.enable_register == 0) return Pending::Maybe;
  if ((c.v[source.enable_register] & source.enable_mask) == 0) return Pending::No;
  if (source.guard_register != 0 && (c.v[source.guard_register] & source.guard_mask) == 0)
    return source.leaves >= 0 && (c.left_set >> source.leaves & 1) != 0 ? Pending::Maybe : Pending::No;
  if (source.timer < 0) return Pending::Maybe;
  if (!options_.timers_exact && c.timer_runs(source.timer)) return Pending::Maybe;
  uint16_t flags = device_->timers()[size_t(source.timer)].flag_register;
  if ((c.x[flags] & source.flag_mask) != 0) return Pending::Maybe;
  return (c.v[flags] & source.flag_mask) != 0 ? Pending::Certain : Pending::No;
}

bool AvrMachine::halted() const {
  if (shown_count_ > 1 || core_.sreg[kI] != 0 || plan_.watchdog) return false;
  if (core_.sleeping) return true;
  if (core_.pc >= core_.code().size()) return false;
  const Insn& i = core_.next();
  if ((i.op != Op::Rjmp && i.op != Op::Jmp) || i.k != core_.pc) return false;
  return !options_.check_endless || exit_ == core_.pc;
}

void AvrMachine::make_plan() {
  Plan& plan = plan_;
  plan.valid = true;
  plan.fires.clear();
  plan.instruction = 0;
  plan.answer = {};
  plan.outcomes.clear();
  plan.need = {};
  plan.settles = at_first_state();
  if (plan.settles) {
    plan.watchdog = false;
    plan.need = undecided();
    plan.instruction = plan.need.count();
    plan.answer.count = plan.instruction * shown_count_;
    return;
  }
  BitAt watchdog = device_->watchdog().enable;
  plan.watchdog =
      environment_.watchdog_resets && watchdog.address != 0 && (core_.v[watchdog.address] & watchdog.mask) != 0;
  bool forced = false;
  if (core_.sreg[kI] != 0 && !core_.inhibit && core_.window[kVectorWindow] == 0) {
    for (size_t i = 0; i < sources_.size() && !forced; ++i) {
      if (budget_of_[i] >= 0 && budget_[size_t(budget_of_[i])] == 0) continue;
      Pending p = pending(sources_[i]);
      if (p == Pending::No) continue;
      plan.fires.push_back(uint16_t(i));
      forced = p == Pending::Certain;
    }
  }
  if (!forced && !halted()) {
    if (core_.sleeping) {
      bool falls_asleep = !core_.deep && core_.sleep_mode() != SleepMode::Idle;
      bool wakes = !plan.fires.empty() || plan.watchdog || shown_count_ > 1 || falls_asleep ||
                   (options_.timers_exact && core_.sreg[kI] != 0 && core_.cycles_to_event() != 0);
      plan.instruction = wakes ? 1 : 0;
    } else {
      plan.need = demand(core_, rules_);
      plan.instruction = plan.need.count();
    }
  }
  uint32_t base = plan.instruction + uint32_t(plan.fires.size()) + (plan.watchdog ? 1 : 0);
  plan.answer.count = base * shown_count_;
  if (base == 0) plan.answer.ending = Ending::Halted;
  if (may_forget()) split_outcomes();
}

/// May the next step leave something unknown that formulas look at?
bool AvrMachine::may_forget() const {
  if (observed_cells_.empty() || plan_.answer.count == 0) return false;
  if (plan_.watchdog && undecided_after_reset_) return true;
  if (!forgetful_ || core_.sleeping || core_.pc >= core_.code().size()) return false;
  switch (core_.next().op) {
    case Op::Out:
    case Op::Sts:
    case Op::Sbi:
    case Op::Cbi:
    case Op::St:
    case Op::StInc:
    case Op::StDec: return true;
    default: return false;
  }
}

/// Tries every choice, and offers it once for each value of what it leaves undecided.
void AvrMachine::split_outcomes() {
  uint32_t base = plan_.answer.count / shown_count_;
  bool any = false;
  std::vector<Plan::Outcome> outcomes;
  const Core before = core_;
  const std::vector<uint8_t> budget = budget_;
  for (uint32_t i = 0; i < base; ++i) {
    bool moved = act(i) == StepKind::Moved;
    uint32_t bits = moved ? undecided_bits() : 0;
    core_ = before;
    budget_ = budget;
    any |= bits != 0;
    uint32_t values = bits <= kMaxOutcomeBits ? 1u << bits : 1u;  // too many: finish() cuts and says so
    for (uint32_t value = 0; value < values; ++value) outcomes.push_back({i, value});
  }
  if (!any) return;
  plan_.answer.count = uint32_t(outcomes.size()) * shown_count_;
  plan_.outcomes = std::move(outcomes);
}

machine::Successors AvrMachine::successors() {
  if (!plan_.valid) make_plan();
  return plan_.answer;
}

/// Interrupts of lower vectors that did not come although they were enabled: their flags were not set.
void AvrMachine::silence(size_t sources) {
  if (!core_.has_x || core_.sreg[kI] == 0 || core_.inhibit) return;
  for (size_t n = 0; n < sources; ++n) {
    const Interrupt& source = sources_[plan_.fires[n]];
    if (source.timer < 0) continue;
    uint16_t flags = device_->timers()[size_t(source.timer)].flag_register;
    for (uint8_t bit = 0; bit < 8; ++bit)
      if ((source.flag_mask & core_.x[flags] & (1u << bit)) != 0 && !core_.timer_runs(source.timer))
        core_.resolve(flags, bit, false);
  }
}

bool AvrMachine::idle() {
  if (!core_.deep && core_.sleep_mode() != SleepMode::Idle) {  // what was pending has not woken it
    core_.deep = true;
    return true;
  }
  if (options_.timers_exact)
    if (unsigned cycles = core_.cycles_to_event(); cycles != 0) return core_.tick(cycles);
  return true;
}

StepKind AvrMachine::act(uint32_t base) {
  Core& c = core_;
  c.begun = {};
  c.abstracted = false;
  last_pc_ = c.pc;
  if (plan_.settles) {
    last_action_ = Action::Decided;
    plan_.need.apply(c, base);
    return StepKind::Moved;
  }
  if (base < plan_.instruction) {
    silence(plan_.fires.size());
    last_action_ = c.sleeping ? Action::Slept : Action::Decided;
    if (c.sleeping) return idle() ? StepKind::Moved : StepKind::Cut;
    Delivery delivery = plan_.need.apply(c, base);
    bool resolved = plan_.need.kind == Demand::Kind::Bits || plan_.need.kind == Demand::Kind::Zero ||
                    plan_.need.kind == Demand::Kind::Flag || plan_.need.kind == Demand::Kind::Range;
    if (resolved) {
      Demand more = demand(c, rules_);
      if (more.kind != Demand::Kind::None) return StepKind::Moved;
    }
    bool may_loop = options_.check_endless && c.sreg[kI] == 0;
    uint32_t before = c.pc;
    last_action_ = Action::Executed;
    if (footprints_ && before < c.code().size()) last_effect_ = effect_of(c, c.next());
    if (!c.execute(delivery)) return c.fault.kind == FaultKind::NotModelled ? StepKind::Cut : StepKind::Violation;
    if (may_loop && c.pc <= before && c.sreg[kI] == 0 && !plan_.watchdog && endless()) {
      c.fault = {FaultKind::EndlessLoop, before, 0};
      return StepKind::Violation;
    }
    return StepKind::Moved;
  }
  base -= plan_.instruction;
  if (base < plan_.fires.size()) {
    silence(base);
    last_action_ = Action::Interrupted;
    size_t index = plan_.fires[base];
    const Interrupt& source = sources_[index];
    if (budget_of_[index] >= 0) --budget_[size_t(budget_of_[index])];
    if (source.leaves >= 0) c.left_set &= uint16_t(~(1u << source.leaves));
    if (source.timer >= 0) {
      uint16_t flags = device_->timers()[size_t(source.timer)].flag_register;
      if (options_.timers_exact || !c.timer_runs(source.timer)) {
        for (uint8_t bit = 0; bit < 8; ++bit)
          if ((source.flag_mask & c.x[flags] & (1u << bit)) != 0) c.resolve(flags, bit, true);
        c.v[flags] &= uint8_t(~source.flag_mask);
      }
    }
    if (!handled_[index]) {
      c.fault = {FaultKind::NoHandler, c.pc, source.vector};
      return StepKind::Violation;
    }
    const Watchdog& dog = device_->watchdog();
    bool bites_next = source.enable_register == dog.interrupt.address && source.enable_mask == dog.interrupt.mask &&
                      (c.v[dog.enable.address] & dog.enable.mask) != 0;
    if (bites_next) c.v[dog.interrupt.address] &= uint8_t(~dog.interrupt.mask);  // WDIE: the next time-out resets
    if (c.interrupt(source.vector)) return StepKind::Moved;
    return c.fault.kind == FaultKind::NotModelled ? StepKind::Cut : StepKind::Violation;
  }
  last_action_ = Action::Reset;
  c.reset(false);
  return StepKind::Moved;
}

void AvrMachine::set_shown(uint32_t index) {
  for (auto [address, mask] : shown_) {
    core_.visible_value[address] = deposit(index, mask);
    index >>= std::popcount(mask);
  }
}

/// Bits that hardware clears some time after software set them, while formulas look at them: `visible_value` says
/// what they are next. False: this cannot be.
bool AvrMachine::follow_begun() {
  for (auto [address, mask] : shown_) {
    uint8_t busy = device_->at(address).busy & mask;
    uint8_t wanted = core_.visible_value[address] & busy, now = core_.v[address] & busy;
    uint8_t begun = core_.begun.address == address ? core_.begun.mask : 0;
    const Register& r = device_->at(address);
    if ((core_.v[address] & r.restart) != 0) now = busy;  // hardware sets them, too
    if (r.calm.address != 0 && core_.busy_bits(r, core_.v[address]) == 0) begun = now;
    if ((wanted & ~now) != 0 || (begun & ~wanted) != 0) return false;
    core_.v[address] = uint8_t((core_.v[address] & ~busy) | wanted);
  }
  return true;
}

StepKind AvrMachine::finish(StepKind kind, uint32_t shown) {
  if (kind == StepKind::Cut) {
    std::lock_guard lock(shared_->mutex);
    if (!booting_ && shared_->cut.empty()) shared_->cut = fault_text(core_.fault, *image_, *device_);
    return kind;
  }
  if (shown_count_ > 1) {
    set_shown(shown);
    for (auto [address, mask] : shown_) {
      const std::vector<uint8_t>& allowed = rules_.allowed[address];
      uint8_t value = core_.visible_value[address];
      bool fits = allowed.empty() ||
                  std::any_of(allowed.begin(), allowed.end(), [&, m = mask](uint8_t v) { return (v & m) == value; });
      if (!fits) return StepKind::Pruned;
    }
    if (kind == StepKind::Moved && !follow_begun()) return StepKind::Pruned;
  }
  if (precision_ != nullptr && kind == StepKind::Moved && !booting_) {
    if (last_action_ == Action::Executed && core_.pc <= last_pc_) note_head();
    if (abstract_ && last_action_ != Action::Decided) {
      core_.forget();
      if (!starting_) forget_watched();
    }
  }
  core_.canonicalise();
  if (plan_.settles && undecided_bits() == 0) starting_ = false;
  plan_.valid = false;
  if (!starting_ && core_.has_x && (undecided_bits() != 0 || (abstract_ && !atoms_known()))) {
    core_.fault = {FaultKind::NotModelled, core_.pc, 0, "a formula over so many bits that are unknown at once"};
    return finish(StepKind::Cut, shown);
  }
  if (!starting_ && !booting_ && !abstract_ && leads_astray()) return finish(StepKind::Cut, shown);
  if (starting_ && shown_count_ == 1 && at_first_state() && undecided_bits() == 0) starting_ = false;
  return kind;
}

StepKind AvrMachine::step(uint32_t choice) {
  if (!plan_.valid) make_plan();
  uint32_t base = choice / shown_count_, shown = choice % shown_count_;
  uint32_t values = 0;
  if (!plan_.outcomes.empty()) values = plan_.outcomes[base].values, base = plan_.outcomes[base].base;
  auto go = [&] {
    StepKind kind = act(base);
    if (kind == StepKind::Moved && !plan_.outcomes.empty()) decide(values);
    return finish(kind, shown);
  };
  if (!footprints_) return go();
  note_reads(base);
  std::span<const uint8_t> now = save();
  std::vector<uint8_t> before(now.begin(), now.end());
  StepKind kind = go();
  note_writes(before);
  return kind;
}

/// What formulas look at and the step left unknown gets the values of one outcome.
void AvrMachine::decide(uint32_t values) {
  for (uint16_t a : observed_cells_)
    for (uint8_t bit = 0; bit < 8; ++bit)
      if ((core_.x[a] & rules_.observed[a] & (1u << bit)) != 0) {
        core_.resolve(a, bit, (values & 1) != 0);
        values >>= 1;
      }
}

/// A loop with interrupts disabled that comes back to the same state without a choice can never be left. Brent's
/// algorithm, over a limited number of steps.
bool AvrMachine::endless() const {
  AvrMachine& self = const_cast<AvrMachine&>(*this);
  constexpr uint32_t kLimit = 1u << 14;
  self.core_.canonicalise();
  self.plan_.valid = false;
  std::span<const uint8_t> bytes = self.save();
  std::vector<uint8_t> here(bytes.begin(), bytes.end()), tortoise = here;
  bool options = self.options_.check_endless, found = false;
  self.options_.check_endless = false;
  uint32_t power = 1, length = 0;
  for (uint32_t n = 0; n < kLimit; ++n) {
    if (self.core_.sreg[kI] != 0) break;
    self.plan_.valid = false;
    self.make_plan();
    if (self.plan_.answer.count == 0) {
      found = !self.core_.sleeping;  // a jump to itself
      break;
    }
    if (self.plan_.answer.count != 1 || self.act(0) != StepKind::Moved) break;
    self.core_.canonicalise();
    bytes = self.save();
    if (std::equal(bytes.begin(), bytes.end(), tortoise.begin(), tortoise.end())) {
      found = true;
      break;
    }
    if (++length == power) power *= 2, length = 0, tortoise.assign(bytes.begin(), bytes.end());
  }
  self.options_.check_endless = options;
  self.load(here);
  return found;
}

}  // namespace whittle::avr
