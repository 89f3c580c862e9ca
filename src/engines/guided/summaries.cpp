#include "engines/guided/summaries.h"

#include <algorithm>
#include <bit>
#include <chrono>

#include "engines/guided/recorder.h"

namespace whittle::engines::guided {

namespace {

constexpr size_t kMostConditions = 400;
constexpr uint64_t kMostOperators = 4'000;  ///< of what is learned at one visit

struct Stopwatch {
  explicit Stopwatch(double& into) : into_(into), begin_(std::chrono::steady_clock::now()) {}
  ~Stopwatch() { into_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }
  double& into_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace

void Learned::clear() {
  usable = true;
  cut = false;
  conditions.clear();
  later.clear();
}

void Learned::give_up() {
  usable = false;
  conditions.clear();
}

namespace {

/// The parts of a disjunction, sorted.
void parts_of(Term t, std::vector<Term>& parts) {
  if (t.op() == term::Op::Or && t.width() == 1) {
    parts_of(t.kid(0), parts);
    return parts_of(t.kid(1), parts);
  }
  parts.push_back(t);
}

std::vector<Term> clause(Term t) {
  std::vector<Term> parts;
  parts_of(t, parts);
  std::sort(parts.begin(), parts.end(), [](Term a, Term b) { return a.id() < b.id(); });
  return parts;
}

/// If the two differ in one part only, which is the other's negation: the rest, which is all that they say together.
std::optional<std::vector<Term>> resolve(term::Store& terms, const std::vector<Term>& a, const std::vector<Term>& b) {
  if (a.size() != b.size()) return std::nullopt;
  std::vector<Term> common, only_a;
  for (Term t : a) (std::find(b.begin(), b.end(), t) != b.end() ? common : only_a).push_back(t);
  if (only_a.size() != 1) return std::nullopt;
  if (std::find(b.begin(), b.end(), terms.bnot(only_a[0])) == b.end()) return std::nullopt;
  return common;
}

}  // namespace

/// Both sides of a branch often lead to the same condition: (c implies P) and (not c implies P) is P.
void Learned::add(term::Store& terms, Term condition) {
  if (condition.is_true() || !usable) return;
  if (condition.op() == term::Op::And && condition.width() == 1) {
    add(terms, condition.kid(0));
    return add(terms, condition.kid(1));
  }
  if (condition.is_false()) return give_up();
  if (std::find(conditions.begin(), conditions.end(), condition) != conditions.end()) return;
  if (condition.op() == term::Op::Or) {
    std::vector<Term> mine = clause(condition);
    for (size_t i = 0; i < conditions.size(); ++i) {
      if (std::find(mine.begin(), mine.end(), conditions[i]) != mine.end()) return;  // a part of it is known to hold
      if (conditions[i].op() != term::Op::Or) continue;
      if (auto rest = resolve(terms, mine, clause(conditions[i]))) {
        conditions.erase(conditions.begin() + static_cast<ptrdiff_t>(i));
        return add(terms, terms.disjunction(*rest));
      }
    }
  } else {
    std::erase_if(conditions, [&](Term known) {
      if (known.op() != term::Op::Or) return false;
      std::vector<Term> parts = clause(known);
      return std::find(parts.begin(), parts.end(), condition) != parts.end();
    });
  }
  conditions.push_back(condition);
  if (conditions.size() > kMostConditions) give_up();
}

void Learned::add(const LaterAccess& access) {
  for (const LaterAccess& known : later)
    if (known.thread == access.thread && known.spawns == access.spawns && known.everything == access.everything &&
        known.access.address == access.access.address && known.access.size == access.access.size &&
        known.access.write >= access.access.write && known.access.ordered <= access.access.ordered &&
        (!known.awaits || (access.awaits && known.await == access.await)))
      return;
  later.push_back(access);
}

Summaries::Summaries(const program::Program& program, uint64_t entries, uint64_t size)
    : program_(program), most_entries_(entries), most_size_(size), frames_(program) {}

void Summaries::back_over(const wp::Path& step, const Learned& after, Learned& into) {
  Stopwatch watch(seconds_);
  into.usable &= after.usable;
  into.cut |= after.cut;
  if (!into.usable) {
    into.conditions.clear();
    return;
  }
  for (Term condition : wp::precondition(frames_, step, after.conditions)) into.add(program_.terms(), condition);
  uint64_t size = 0;
  for (Term t : into.conditions) size += size_of(t);
  if (size > std::min<uint64_t>(most_size_, kMostOperators)) into.give_up();
}

uint64_t Summaries::size_of(Term condition) {
  auto [it, fresh] = sizes_.try_emplace(condition, 0);
  if (fresh) it->second = term::dag_size(condition);
  return it->second;
}

void Summaries::keep(const std::string& control, const Learned& learned, uint64_t slept) {
  if (!learned.usable || learned.cut) return;
  auto found = table_.find(control);
  if (found == table_.end()) {
    if (table_.size() >= most_entries_) return;
    found = table_.emplace(control, Entry{}).first;
  }
  Entry& entry = found->second;
  uint64_t size = 1;
  for (Term t : learned.conditions) size += size_of(t);
  if (entry.size + size > most_size_) return;
  std::vector<Term> sorted = learned.conditions;
  // Registers tell states apart faster than memory does.
  std::sort(sorted.begin(), sorted.end(),
            [](Term a, Term b) { return a.has_reads() != b.has_reads() ? b.has_reads() : a.id() < b.id(); });
  for (Visit& visit : entry.visits) {
    if (visit.conditions != sorted) continue;
    if ((slept & ~visit.slept) == 0) {  // all that it says, and more
      visit.slept = slept;
      Learned both;
      both.later = std::move(visit.later);
      for (const LaterAccess& access : learned.later) both.add(access);
      visit.later = std::move(both.later);
    }
    if ((visit.slept & ~slept) == 0) return;
  }
  entry.visits.push_back({std::move(sorted), slept, learned.later});
  entry.size += size;
  operators_ += size;
  ++stored_;
}

Term Summaries::instantiate(Term condition, exec::SymbolicMachine& machine) {
  bool lost = false;
  Term result = program_.terms().substitute(
      condition,
      [&](Term variable) {
        wp::Frames::Register cell = frames_.register_of(variable);
        if (!cell.known() || !machine.machine().alive(thread_of(cell.frame)) ||
            depth_of(cell.frame) >= machine.machine().frame_count(thread_of(cell.frame)) ||
            machine.machine().frame(thread_of(cell.frame), depth_of(cell.frame)).function != cell.function) {
          lost = true;
          return Term();
        }
        return machine.register_term(thread_of(cell.frame), depth_of(cell.frame), cell.reg);
      },
      [&](Term read) {
        Term address = read.kid(0);
        Term value = address.is_constant() ? machine.memory_term(address.value64(), read.width() / 8) : Term();
        lost |= !value;
        return value;
      });
  return lost ? Term() : result;
}

/// Does the condition hold in the machine's present state, for the inputs of the present model? Memory without a value:
/// no.
bool Summaries::holds_now(Term condition, const exec::View& machine) const {
  bool lost = false;
  term::Assignment assignment;
  assignment.variable = [&](Term variable) -> u128 {
    wp::Frames::Register cell = frames_.register_of(variable);
    uint32_t thread = thread_of(cell.frame), depth = depth_of(cell.frame);
    if (!cell.known() || !machine.alive(thread) || depth >= machine.frame_count(thread) ||
        machine.frame(thread, depth).function != cell.function) {
      lost = true;
      return 0;
    }
    return machine.register_value(thread, depth, cell.reg);
  };
  assignment.read = [&](u128 address, unsigned bytes) {
    uint8_t buffer[16] = {};
    auto at = static_cast<uint64_t>(address);
    if (lost || !machine.initialised(at, bytes) || !machine.read_memory(at, {buffer, bytes})) lost = true;
    u128 value = 0;
    for (unsigned i = bytes; i-- > 0;) value = value << 8 | buffer[i];
    return value;
  };
  return program_.terms().evaluate(condition, assignment) != 0 && !lost;
}

Term Summaries::instantiate(const Visit& visit, exec::SymbolicMachine& machine) {
  term::Store& terms = program_.terms();
  Term all = terms.truth();
  for (Term condition : visit.conditions) {
    Term here = instantiate(condition, machine);
    all = here ? terms.band(all, here) : terms.falsity();
    if (all.is_false()) break;
  }
  return all;
}

std::optional<uint64_t> Summaries::covers(const std::string& control, exec::SymbolicMachine& machine, Path& path,
                                          uint64_t awake, Learned& reason) {
  auto found = table_.find(control);
  if (found == table_.end() || found->second.visits.empty()) return std::nullopt;
  Stopwatch watch(seconds_);
  ++asked_;
  const Entry& entry = found->second;
  term::Store& terms = program_.terms();
  std::vector<std::pair<Term, const Visit*>> open;  // hold in the model, but perhaps not for all inputs
  const Visit* best = nullptr;
  auto left = [&](const Visit& visit) { return std::popcount(visit.slept & awake); };
  for (size_t i = entry.visits.size(); i-- > 0;) {
    const Visit& visit = entry.visits[i];
    if (left(visit) != 0 && ((awake & ~visit.slept) == 0 || (best && left(visit) >= left(*best)))) continue;
    auto holds = [&](Term t) { return holds_now(t, machine.machine()); };
    if (!std::all_of(visit.conditions.begin(), visit.conditions.end(), holds)) continue;
    if (!machine.empty()) {
      Term all = instantiate(visit, machine);
      if (all.is_false()) continue;
      if (!all.is_true() && path.implies(all) != Path::Answer::Yes) {
        if (left(visit) == 0) open.push_back({all, &visit});
        continue;
      }
    }
    best = &visit;
    if (left(visit) == 0) break;
  }
  if (best && (left(*best) == 0 || open.size() < 2)) {
    ++hits_;
    reason.conditions = best->conditions;
    reason.later = best->later;
    return best->slept;
  }
  if (open.size() < 2) return std::nullopt;
  // None of them alone, but perhaps together.
  Term any = terms.falsity(), why = terms.falsity();
  uint64_t slept = 0;
  for (const auto& [here, visit] : open) {
    any = terms.bor(any, here);
    why = terms.bor(why, terms.conjunction(visit->conditions));
    slept |= visit->slept;
  }
  if (path.implies(any) != Path::Answer::Yes) return std::nullopt;
  ++hits_;
  reason.add(terms, why);
  for (const auto& [here, visit] : open)
    for (const LaterAccess& access : visit->later) reason.add(access);
  return slept;
}

}  // namespace whittle::engines::guided
