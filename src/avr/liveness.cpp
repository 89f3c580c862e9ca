// Liveness of registers and flags in machine code, over calls and returns: one set for each location, whoever called.
#include <bit>
#include <map>
#include <set>

#include "avr/effect.h"
#include "avr/precision.h"

namespace whittle::avr {

namespace {

constexpr uint32_t kAllRegisters = 0xffffffff;
constexpr uint8_t kAllFlags = 0xff;

bool skips(Op op) {
  return op == Op::Cpse || op == Op::Sbrc || op == Op::Sbrs || op == Op::Sbic || op == Op::Sbis;
}

bool computes(Op op) {
  return (op >= Op::Mul && op <= Op::Sbiw && op != Op::Cp && op != Op::Cpc && op != Op::Cpse && op != Op::Cpi) ||
         (op >= Op::Lsl && op <= Op::Asr);
}

/// Sums of which one summand is known are ranges (Core::offset_sum).
bool is_sum(Op op) { return op == Op::Add || op == Op::Subi || op == Op::Adiw || op == Op::Sbiw; }

bool passes_on(Op op) {
  return op == Op::Mov || op == Op::Movw || op == Op::Swap || op == Op::Bld || (op >= Op::And && op <= Op::Com);
}

class Analysis {
 public:
  explicit Analysis(const Core& core) : code_(core.code()), core_(core) {
    size_t size = code_.size();
    out_.registers.assign(size, 0);
    out_.flags.assign(size, 0);
    out_.makes_addresses.assign(size, 0);
    addresses_.assign(size, 0);
    summands_.assign(size, 0);
    find_functions();
  }

  Liveness run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t pc = uint32_t(code_.size()); pc-- > 0;) changed |= visit(pc);
    }
    return std::move(out_);
  }

 private:
  struct Sets {
    uint32_t registers = 0, addresses = 0, summands = 0;
    uint8_t flags = 0;
  };

  /// Where each return may lead: to the calls of the functions that it belongs to.
  void find_functions() {
    std::map<uint32_t, std::vector<uint32_t>> calls;
    for (uint32_t pc = 0; pc < code_.size(); ++pc)
      if (code_[pc].op == Op::Call || code_[pc].op == Op::Rcall) calls[code_[pc].k].push_back(pc + code_[pc].words);
    for (const auto& [entry, sites] : calls) {
      std::set<uint32_t> seen;
      std::vector<uint32_t> work{entry};
      while (!work.empty()) {
        uint32_t pc = work.back();
        work.pop_back();
        if (pc >= code_.size() || !seen.insert(pc).second) continue;
        const Insn& i = code_[pc];
        if (i.op == Op::Ret) {
          auto& targets = returns_[pc];
          targets.insert(targets.end(), sites.begin(), sites.end());
        }
        bool jumps = i.op == Op::Rjmp || i.op == Op::Jmp;
        bool ends = jumps || i.op == Op::Ret || i.op == Op::Reti || i.op == Op::Ijmp || i.op == Op::Eijmp;
        if (jumps || i.op == Op::Brbs || i.op == Op::Brbc) work.push_back(i.k);
        if (!ends) work.push_back(pc + i.words);
        if (skips(i.op) && pc + 1 < code_.size()) work.push_back(pc + 1 + code_[pc + 1].words);
      }
    }
  }

  void join(Sets& into, uint32_t pc) const {
    if (pc >= code_.size()) return;
    into.registers |= out_.registers[pc];
    into.flags |= out_.flags[pc];
    into.addresses |= addresses_[pc];
    into.summands |= summands_[pc];
  }

  Sets after(uint32_t pc) const {
    const Insn& i = code_[pc];
    Sets sets;
    auto everything = [&] { sets.registers = kAllRegisters, sets.flags = kAllFlags; };
    switch (i.op) {
      case Op::Rjmp:
      case Op::Jmp:
      case Op::Rcall:
      case Op::Call: join(sets, i.k); break;
      case Op::Ret:
        if (auto found = returns_.find(pc); found != returns_.end())
          for (uint32_t site : found->second) join(sets, site);
        else
          everything();
        break;
      case Op::Reti:
      case Op::Ijmp:
      case Op::Eijmp: everything(); break;
      case Op::Icall:
      case Op::Eicall: everything(), join(sets, pc + i.words); break;
      case Op::Undefined:
      case Op::Outside: break;
      default:
        join(sets, pc + i.words);
        if (i.op == Op::Brbs || i.op == Op::Brbc) join(sets, i.k);
        if (skips(i.op) && pc + 1 < code_.size()) join(sets, pc + 1 + code_[pc + 1].words);
        break;
    }
    return sets;
  }

  bool visit(uint32_t pc) {
    const Insn& i = code_[pc];
    Sets sets = after(pc);
    Effect e = effect_of(core_, i);
    // Bits of a register that an instruction writes may come from before (BLD, Z of a chain): those count as reads.
    uint32_t registers = (sets.registers & ~e.writes) | e.reads;
    auto flags = uint8_t((sets.flags & ~e.writes_flags) | e.reads_flags);
    uint32_t addresses = sets.addresses & ~e.writes;
    if ((sets.addresses & e.writes) != 0) {
      if (computes(i.op)) out_.makes_addresses[pc] = Liveness::kAddress;
      if (passes_on(i.op)) addresses |= e.reads;
    }
    uint32_t summands = sets.summands & ~e.writes;
    if ((sets.addresses & e.writes) != 0 && is_sum(i.op)) summands |= e.reads;
    if ((sets.summands & e.writes) != 0 && (is_sum(i.op) || passes_on(i.op))) {
      if (is_sum(i.op) && out_.makes_addresses[pc] == 0) out_.makes_addresses[pc] = Liveness::kSummand;
      summands |= e.reads;
    }
    if (i.op >= Op::Ld && i.op <= Op::StDec) addresses |= 3u << i.r;
    if (i.op >= Op::Lpm && i.op <= Op::ElpmInc) addresses |= 3u << 30;
    if (i.op == Op::Ijmp || i.op == Op::Icall || i.op == Op::Eijmp || i.op == Op::Eicall) addresses |= 3u << 30;
    bool changed = registers != out_.registers[pc] || flags != out_.flags[pc] || addresses != addresses_[pc] || summands != summands_[pc];
    out_.registers[pc] = registers, out_.flags[pc] = flags, addresses_[pc] = addresses, summands_[pc] = summands;
    return changed;
  }

  const std::vector<Insn>& code_;
  const Core& core_;
  Liveness out_;
  std::vector<uint32_t> addresses_, summands_;
  std::map<uint32_t, std::vector<uint32_t>> returns_;
};

}  // namespace

Liveness find_liveness(const Core& core) { return Analysis(core).run(); }

uint8_t varying_bits(const Values& values, size_t at_least) {
  if (values.known.count() << std::popcount(values.unknown) < at_least) return 0;
  uint8_t all = 0xff, any = 0;
  for (unsigned value = 0; value < values.known.size(); ++value)
    if (values.known.test(value)) all &= uint8_t(value), any |= uint8_t(value);
  return uint8_t((any & ~all) | values.unknown);
}

}  // namespace whittle::avr
