#include "engines/explicit/covering_search.h"

#include <algorithm>

#include "exec/assumption.h"

namespace whittle::engines::explicit_ {

using machine::Ending;
using machine::StepKind;
using program::Kind;
using program::analysis::Monotone;
using term::Op;
using term::Term;
using verdict::Property;

namespace {

constexpr uint64_t kMostSteps = 400'000;
/// After so many arrivals, one in so many must have been saved by states that have more; otherwise this does not pay.
constexpr uint64_t kTrial = 5'000, kWorthwhile = 20;

bool covers(const std::vector<uint64_t>& more, const std::vector<uint64_t>& less) {
  for (size_t i = 0; i < more.size(); ++i)
    if (more[i] < less[i]) return false;
  return true;
}

/// Lost memory is looked for by values that could be addresses, and races by what was accessed before.
bool looks_at_values(const verdict::Specification& asked) {
  return asked.has(Property::NoDataRace) || asked.has(Property::ValidMemtrack) || asked.has(Property::ValidMemcleanup);
}

}  // namespace

CoveringSearch::CoveringSearch(std::shared_ptr<const exec::Code> code, MachineOptions options, Context& context)
    : code_(std::move(code)),
      context_(context),
      machine_(code_, options, context),
      concrete_(machine_.concrete()),
      analyses_(program::analysis::analyses_of(context, code_->program())) {
  if (!looks_at_values(code_->specification()) && analyses_->calls().concurrent())
    data_.emplace(code_->program(), analyses_->calls(), analyses_->points(), analyses_->few_values());
}

CoveringSearch::~CoveringSearch() = default;

CoveringSearch::Outcome CoveringSearch::run() {
  concrete_.set_listener(this);
  std::optional<Outcome> outcome;
  while (!outcome && !data_->cells().empty()) {
    visited_.clear();
    work_.clear();
    shapes_.clear();
    arrivals_ = saved_ = 0;
    trouble_.clear();
    outcome = search();
    if (!outcome) data_->drop(trouble_);
  }
  concrete_.set_listener(nullptr);
  return outcome.value_or(Outcome::Unknown);
}

/// Nothing: trouble_ says why it must begin again.
std::optional<CoveringSearch::Outcome> CoveringSearch::search() {
  machine_.reset();
  arrive(0, 0);
  while (!work_.empty()) {
    const uint32_t number = work_.front();
    work_.pop_front();
    if (visited_[number].covered) continue;
    if (context_.limits.poll() != Stop::No || steps_ > kMostSteps) return Outcome::Unknown;
    if (arrivals_ > kTrial && saved_ * kWorthwhile < arrivals_) return Outcome::Unknown;
    std::optional<Outcome> outcome = expand(number);
    if (outcome || !trouble_.empty()) return outcome;
  }
  return Outcome::Holds;
}

std::optional<CoveringSearch::Outcome> CoveringSearch::expand(uint32_t number) {
  const std::vector<uint8_t> state = visited_[number].bytes;
  machine_.load(state);
  const machine::Successors open = machine_.successors();
  if (open.ending == Ending::Deadlock) return violation(number, std::nullopt);
  if (open.ending == Ending::Cut) return Outcome::Unknown;
  if (concrete_.pause().kind == exec::PauseKind::Input && input_depends_on_data()) return Outcome::Unknown;
  for (uint32_t choice = 0; choice < open.count; ++choice) {
    machine_.load(state);
    machine_.successors();
    ++steps_;
    switch (machine_.step(choice)) {
      case StepKind::Violation:
        if (machine_.cut_by_values() || machine_.out_of_patience()) return Outcome::Unknown;
        return violation(number, choice);
      case StepKind::Cut: return Outcome::Unknown;
      case StepKind::Pruned: break;
      case StepKind::Moved:
        if (trouble_.empty()) arrive(number, choice);
        break;
    }
    if (!trouble_.empty()) return std::nullopt;
  }
  return std::nullopt;
}

/// The machine has come to a state, which is visited unless another one covers it.
void CoveringSearch::arrive(uint32_t parent, uint32_t choice) {
  ++arrivals_;
  Visited state;
  const auto bytes = machine_.save();
  state.bytes.assign(bytes.begin(), bytes.end());
  state.parent = parent;
  state.choice = choice;
  const std::vector<Place> all = places();
  clear(all, false);
  const auto rest = concrete_.save();
  auto [found, fresh] = shapes_.try_emplace(std::vector<uint8_t>(rest.begin(), rest.end()));
  Alike& alike = found->second;
  if (fresh) alike.places = kept(all);
  concrete_.load(state.bytes);
  state.values = values(alike.places);
  for (uint32_t other : alike.largest) {
    if (!covers(visited_[other].values, state.values)) continue;
    saved_ += visited_[other].values != state.values ? 1 : 0;
    return;
  }
  std::erase_if(alike.largest, [&](uint32_t other) {
    if (!covers(state.values, visited_[other].values)) return false;
    ++saved_;
    return visited_[other].covered = true;
  });
  const auto number = static_cast<uint32_t>(visited_.size());
  alike.largest.push_back(number);
  work_.push_back(number);
  visited_.push_back(std::move(state));
}

CoveringSearch::Outcome CoveringSearch::violation(uint32_t parent, std::optional<uint32_t> choice) {
  path_.clear();
  if (choice) path_.push_back(*choice);
  for (uint32_t at = parent; at != 0; at = visited_[at].parent) path_.push_back(visited_[at].choice);
  std::ranges::reverse(path_);
  return Outcome::Violation;
}

std::vector<CoveringSearch::Place> CoveringSearch::places() {
  std::vector<Place> all;
  for (uint32_t t = 0; t < concrete_.thread_count(); ++t) {
    if (!concrete_.alive(t)) continue;
    for (uint32_t i = 0; i < concrete_.frame_count(t); ++i) {
      const program::FunctionId f = concrete_.frame(t, i).function;
      for (program::RegisterId r : data_->registers(f)) all.push_back({t, i, r, data_->way(f, r)});
    }
  }
  return all;
}

/// Gives all data the value 0, or the least that a state which is covered could have.
void CoveringSearch::clear(const std::vector<Place>& places, bool least) {
  for (const Place& place : places)
    if (!least || place.way == Way::Up)
      concrete_.set_register(place.thread, place.frame, place.reg, 0);
    else
      concrete_.set_register(place.thread, place.frame, place.reg, 1);
  const uint8_t zeros[8] = {};
  for (const Monotone::Cell& cell : data_->cells()) concrete_.write_memory(cell.address, {zeros, cell.bytes});
}

/// Those whose value is part of the state. Requires that all are 0.
std::vector<CoveringSearch::Place> CoveringSearch::kept(const std::vector<Place>& places) {
  std::vector<Place> list;
  const auto rest = concrete_.save();
  const std::vector<uint8_t> without(rest.begin(), rest.end());
  for (const Place& place : places) {
    concrete_.set_register(place.thread, place.frame, place.reg, 1);
    if (!std::ranges::equal(concrete_.save(), without)) list.push_back(place);
    concrete_.set_register(place.thread, place.frame, place.reg, 0);
  }
  return list;
}

/// Of the current state.
CoveringSearch::Values CoveringSearch::values(const std::vector<Place>& places) {
  Values all;
  for (const Place& place : places) {
    const auto value = static_cast<uint64_t>(concrete_.register_value(place.thread, place.frame, place.reg));
    all.push_back(place.way == Way::Up ? value : ~value);
  }
  for (const Monotone::Cell& cell : data_->cells()) all.push_back(value(cell.address, cell.bytes));
  return all;
}

uint64_t CoveringSearch::value(uint64_t address, unsigned bytes) const {
  uint8_t memory[8] = {};
  concrete_.read_memory(address, {memory, bytes});
  uint64_t value = 0;
  for (unsigned i = bytes; i-- > 0;) value = value << 8 | memory[i];
  return value;
}

/// Values that an assumption rules out are not tried. Would it rule out others if there were less of the data?
bool CoveringSearch::input_depends_on_data() {
  const Term now = exec::assumption_after_input(concrete_);
  if (!now) return false;
  clear(places(), true);
  return exec::assumption_after_input(concrete_) != now;
}

/// Is what a state with less does here the same? And are all data small?
void CoveringSearch::statement(uint32_t thread, program::FunctionId f, uint32_t e) {
  if (!trouble_.empty()) return;
  const program::Statement& s = code_->program().functions[f].edges[e].statement;
  if (s.kind == Kind::Assume) {
    const Way way = data_->way(f, s.operands[0]);
    const bool holds = way == Way::Still || evaluate(thread, s.operands[0]) != 0;
    if (way != Way::Still && holds != (way == Way::Down)) trouble_ = data_->sources(f, s.operands[0]);
    return;
  }
  for (const Monotone::Demand& demand : data_->demands(f, s)) {
    const Monotone::Cell* cell = demand.sum_in;
    const u128 before = cell ? value(cell->address, cell->bytes) : 0;
    if (!is_small(thread, demand.value) || (cell && !Monotone::is_small(before + evaluate(thread, demand.value), 8 * cell->bytes)))
      trouble_.insert(demand.cells.begin(), demand.cells.end());
  }
}

u128 CoveringSearch::evaluate(uint32_t thread, Term term) const {
  return concrete_.evaluate(thread, concrete_.frame_count(thread) - 1, term);
}

/// All that is added up in the term, too.
bool CoveringSearch::is_small(uint32_t thread, Term t) const {
  if (!Monotone::is_small(evaluate(thread, t), t.width())) return false;
  const bool sums = t.op() == Op::Add || t.op() == Op::Mul || t.op() == Op::Ite || t.op() == Op::ZExt || t.op() == Op::SExt;
  for (unsigned i = t.op() == Op::Ite ? 1 : 0; sums && i < t.arity(); ++i)
    if (!is_small(thread, t.kid(i))) return false;
  return true;
}

}  // namespace whittle::engines::explicit_
