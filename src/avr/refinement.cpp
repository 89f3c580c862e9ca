#include "avr/refinement.h"

#include <algorithm>
#include <unordered_set>

#include "base/hash.h"

namespace whittle::avr {

using machine::Judgement;
using machine::StepKind;
using Action = AvrMachine::Action;

namespace {

// A cell is forgotten when it has taken so many values: counters and data, but not the states of an automaton. Where
// that does not help, fewer are enough.
constexpr unsigned kManyValues = 16, kFewValues = 2;
constexpr size_t kMostGroups = 4096;
constexpr uint64_t kMostSteps = 2'000'000;  // of the chip, in search of one path

}  // namespace

Refinement::Refinement(std::unique_ptr<AvrMachine> exact, std::unique_ptr<AvrMachine> abstract)
    : exact_(std::move(exact)),
      abstract_(std::move(abstract)),
      precision_(std::make_shared<Precision>()),
      threshold_(kManyValues) {
  const Core& core = exact_->core();
  Precision& p = *precision_;
  p.live = find_liveness(core);
  p.exact.assign(core.code().size(), 0);
  p.head_at.assign(core.code().size(), -1);
  p.written.resize(core.v.size());
  p.pinned.assign(core.v.size(), 0);
  for (const Variable& variable : exact_->image().names.variables) find_arrays(variable.type, variable.address);
  exact_->set_precision(precision_, false);
  adopt();
}

std::vector<uint8_t> Refinement::current_masks() const {
  std::vector<uint8_t> masks(precision_->written.size(), 0);
  for (const auto* cells : {&precision_->cells, &precision_->watched})
    for (Precision::Forgotten cell : *cells) masks[cell.address] = cell.mask;
  return masks;
}

/// What is forgotten of one element of an array is forgotten of all.
void Refinement::share(std::vector<uint8_t>& masks) const {
  for (const Elements& group : arrays_) {
    uint8_t all = 0;
    for (uint32_t i = 0; i < group.count; ++i) all |= masks[group.first + i * group.stride];
    for (uint32_t i = 0; i < group.count && all != 0; ++i) {
      size_t a = group.first + i * group.stride;
      if (precision_->pinned[a] == 0 && abstract_->forgettable(uint16_t(a))) masks[a] = all;
    }
  }
}

void Refinement::find_arrays(int type_index, uint32_t address) {
  const Names& names = exact_->image().names;
  if (type_index < 0 || arrays_.size() > kMostGroups) return;
  const Type& type = names.types[size_t(type_index)];
  if (type.kind == TypeKind::Struct) {
    for (const Member& m : type.members) find_arrays(m.type, address + m.offset);
  } else if (type.kind == TypeKind::Array && type.element >= 0 && type.count > 1) {
    uint32_t size = names.types[size_t(type.element)].size;
    if (address + size * type.count > precision_->written.size()) return;
    for (uint32_t n = 0; n < size; ++n) arrays_.push_back({address + n, size, type.count});
    for (uint32_t i = 0; i < type.count; ++i) find_arrays(type.element, address + i * size);
  }
}

void Refinement::adopt() { abstract_->set_precision(precision_, true); }

bool Refinement::coarsen() {
  Precision& p = *precision_;
  for (;; threshold_ /= 2) {
    if (threshold_ < kFewValues) {
      threshold_ = kFewValues;
      return false;
    }
    bool changed = false;
    std::vector<uint8_t> masks = current_masks();
    for (size_t a = 0; a < p.written.size(); ++a) {
      if (p.pinned[a] != 0 || !abstract_->forgettable(uint16_t(a))) continue;
      masks[a] |= varying_bits(p.written[a], threshold_);
    }
    share(masks);
    for (Precision::Head& head : p.heads)
      for (size_t r = 0; r < 32; ++r) {
        if ((head.pinned >> r & 1) != 0) continue;
        uint8_t mask = head.forgotten[r] | varying_bits(head.met[r], threshold_);
        changed |= mask != head.forgotten[r];
        head.forgotten[r] = mask;
      }
    if (!changed && masks == current_masks()) continue;
    p.cells.clear();
    p.watched.clear();
    for (size_t a = 0; a < masks.size(); ++a)
      if (masks[a] != 0) (abstract_->watches(uint16_t(a)) ? p.watched : p.cells).push_back({uint16_t(a), masks[a]});
    adopt();
    return true;
  }
}

Refinement::Path Refinement::follow(const std::vector<uint32_t>& choices) {
  Path path;
  AvrMachine& m = *abstract_;
  m.reset();
  m.trace_footprints(true);
  for (uint32_t choice : choices) {
    StepKind kind = m.step(choice);
    if (kind == StepKind::Violation) {
      path.violation = m.last_event().action == Action::Executed ? m.last_effect() : Effect{};
      break;
    }
    Step step{m.last_event(), m.last_effect(), m.core().abstracted};
    if (step.event.action != Action::Executed) step.effect = {};
    if (step.event.action != Action::Decided) path.steps.push_back(step);
  }
  m.trace_footprints(false);
  path.atoms = path.violation ? 0 : m.observe();
  return path;
}

/// Depth first among the paths of the chip that do what the abstract one did: the same instructions and interrupts.
std::optional<std::vector<uint32_t>> Refinement::find_exact(const Path& path, Context& context, size_t& deepest) {
  struct Frame {
    std::vector<uint8_t> state;
    size_t at = 0;  ///< steps of the path done
    uint32_t count = 0, next = 0;
  };
  AvrMachine& m = *exact_;
  m.reset();
  std::vector<Frame> stack;
  std::unordered_set<uint64_t> seen;
  deepest = 0;
  auto arrive = [&](size_t at) {
    std::span<const uint8_t> bytes = m.save();
    if (!seen.insert(hash_combine(hash_bytes(bytes), at)).second) return;
    deepest = std::max(deepest, at);
    std::vector<uint8_t> state(bytes.begin(), bytes.end());
    stack.push_back({std::move(state), at, m.successors().count, 0});
  };
  auto choices = [&] {
    std::vector<uint32_t> out;
    for (const Frame& frame : stack) out.push_back(frame.next - 1);
    return out;
  };
  arrive(0);
  for (uint64_t steps = 0; !stack.empty() && steps < kMostSteps; ++steps) {
    if (context.limits.poll() != Stop::No) break;
    Frame& top = stack.back();
    if (top.next == top.count) {
      stack.pop_back();
      continue;
    }
    m.load(top.state);
    size_t at = top.at;
    StepKind kind = m.step(top.next++);
    if (kind == StepKind::Violation) return choices();
    if (kind != StepKind::Moved) continue;
    AvrMachine::Event event = m.last_event();
    if (event.action != Action::Decided) {
      if (at == path.steps.size()) continue;
      const AvrMachine::Event& wanted = path.steps[at].event;
      if (event.action != wanted.action || event.pc != wanted.pc || event.next != wanted.next) continue;
      ++at;
    }
    if (!path.violation && at == path.steps.size() && m.observe() == path.atoms) return choices();
    arrive(at);
  }
  return std::nullopt;
}

bool Refinement::keep(uint16_t address) {
  auto& cells = abstract_->watches(address) ? precision_->watched : precision_->cells;
  auto found = std::find_if(cells.begin(), cells.end(), [&](const auto& cell) { return cell.address == address; });
  if (found == cells.end()) return false;
  cells.erase(found);
  precision_->pinned[address] = 1;
  return true;
}

/// Backwards from the step that the chip cannot do: what it depends on, to the first place where something was lost.
bool Refinement::refine(const Path& path, size_t deepest) {
  Precision& p = *precision_;
  std::set<uint16_t> needed;
  uint8_t flags = 0;
  auto need = [&](const Effect& e) {
    for (uint16_t r = 0; r < 32; ++r)
      if ((e.reads >> r & 1) != 0) needed.insert(r);
    for (int n = 0; e.load >= 0 && n < e.load_count; ++n) needed.insert(uint16_t(e.load + n));
    flags |= e.reads_flags;
  };
  if (deepest < path.steps.size())
    need(path.steps[deepest].effect);
  else if (path.violation)
    need(*path.violation);
  for (size_t j = std::min(deepest, path.steps.size()); j-- > 0;) {
    const Step& step = path.steps[j];
    bool found = false;
    int32_t head = step.event.next < p.head_at.size() ? p.head_at[step.event.next] : -1;
    for (uint16_t cell : needed) {
      if (cell >= 32) {
        found |= keep(cell);
      } else if (head >= 0 && p.heads[size_t(head)].forgotten[cell] != 0) {
        p.heads[size_t(head)].forgotten[cell] = 0;
        p.heads[size_t(head)].pinned |= 1u << cell;
        found = true;
      }
    }
    const Effect& e = step.effect;
    bool writes = (flags & e.writes_flags) != 0;
    for (uint16_t r = 0; r < 32; ++r) writes |= (e.writes >> r & 1) != 0 && needed.count(r) != 0;
    for (int n = 0; e.store >= 0 && n < e.store_count; ++n) writes |= needed.count(uint16_t(e.store + n)) != 0;
    if (writes) {
      for (uint16_t r = 0; r < 32; ++r)
        if ((e.writes >> r & 1) != 0) needed.erase(r);
      for (int n = 0; e.store >= 0 && n < e.store_count; ++n) needed.erase(uint16_t(e.store + n));
      flags &= uint8_t(~e.writes_flags);
      need(e);
      if (step.abstracted && p.exact[step.event.pc] == 0) p.exact[step.event.pc] = 1, found = true;
    }
    if (found) return true;
  }
  return false;
}

Judgement Refinement::judge(const std::vector<uint32_t>& choices, Context& context) {
  Path path = follow(choices);
  size_t deepest = 0;
  Judgement out;
  if (auto found = find_exact(path, context, deepest)) {
    out.kind = Judgement::Kind::Real;
    out.choices = std::move(*found);
    return out;
  }
  out.kind = refine(path, deepest) ? Judgement::Kind::Refined : Judgement::Kind::Stuck;
  adopt();
  return out;
}

}  // namespace whittle::avr
