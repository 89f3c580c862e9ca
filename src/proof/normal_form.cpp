#include "proof/normal_form.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace whittle::proof {

using program::Edge;
using program::kNone;
using term::Op;

NormalForm::NormalForm(const program::Program& program, const StaticOffsets& offsets, Symbols& symbols, Names names)
    : program_(program), offsets_(offsets), symbols_(symbols), names_(names) {
  find_live();
}

/// Which registers can be read again, from which location.
void NormalForm::find_live() {
  for (program::FunctionId id = 0; id < program_.functions.size(); ++id) {
    const program::Function& function = program_.functions[id];
    std::vector<std::vector<bool>> live(function.locations.size(), std::vector<bool>(function.registers.size()));
    std::vector<std::vector<program::RegisterId>> read(function.edges.size());
    for (size_t e = 0; e < function.edges.size(); ++e)
      for (Term operand : function.edges[e].statement.operands)
        for (Term v : term::variables(operand)) read[e].push_back(program_.register_of(v).reg);
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t e = function.edges.size(); e-- > 0;) {
        const Edge& edge = function.edges[e];
        std::vector<bool>& before = live[edge.from];
        auto add = [&](program::RegisterId reg) {
          if (!before[reg]) before[reg] = changed = true;
        };
        for (program::RegisterId reg : read[e]) add(reg);
        if (edge.to == kNone) continue;
        const std::vector<program::RegisterId>& targets = edge.statement.targets;
        for (program::RegisterId reg = 0; reg < before.size(); ++reg)
          if (live[edge.to][reg] && std::find(targets.begin(), targets.end(), reg) == targets.end()) add(reg);
      }
    }
    live_.push_back(std::move(live));
  }
}

const std::vector<bool>& NormalForm::live(const Thread& thread, size_t i) const {
  const Frame& frame = thread.frames[i];
  const program::Function& function = program_.functions[frame.function];
  // Of a frame that called another one: what is read after the call.
  const bool calls = i + 1 < thread.frames.size();
  const Edge& first = function.edges[function.locations[frame.location].first_edge];
  return live_[frame.function][calls && first.to != kNone ? first.to : frame.location];
}

void NormalForm::make(State& state, Term* asked) const {
  for (Thread& thread : state.threads)
    for (size_t i = 0; i < thread.frames.size(); ++i) {
      Frame& frame = thread.frames[i];
      const std::vector<bool>& again = live(thread, i);
      for (size_t reg = 0; reg < frame.registers.size(); ++reg)
        if (!again[reg]) set(frame, static_cast<program::RegisterId>(reg), {});
    }
  for (auto it = state.symbols.begin(); it != state.symbols.end();) {
    auto next = state.objects.upper_bound(it->first);
    const bool ended = !program_.object_at(it->first) && (next == state.objects.begin() || !std::prev(next)->second.alive);
    it = ended ? state.symbols.erase(it) : std::next(it);
  }
  if (state.inputs > 0 && names_ != Names::Kept) {
    const std::vector<Term> symbols = forget_decided(state, asked);
    if (names_ == Names::Lowest) rename(state, symbols, asked);
  }
  if (std::ranges::any_of(state.objects, [](const auto& o) { return !o.second.alive; })) forget(state);
}

/// What is decided of inputs that nothing depends on any more is forgotten. The others, in the order in which they are met.
std::vector<Term> NormalForm::forget_decided(State& state, Term* asked) const {
  std::unordered_set<Term> names;
  std::vector<Term> found;
  auto meet = [&](Term t) {
    for (Term v : term::variables(t))
      if (names.insert(v).second) found.push_back(v);
  };
  for (const Thread& thread : state.threads)
    for (const Frame& frame : thread.frames)
      for (const auto& [reg, t] : frame.symbols) meet(t);
  for (const auto& [address, t] : state.symbols) meet(t);
  if (asked) meet(*asked);
  std::map<uint32_t, std::pair<Term, u128>> rest;
  std::swap(rest, state.decided);
  for (bool more = true; more;) {
    more = false;
    for (auto it = rest.begin(); it != rest.end();) {
      const Term t = it->second.first;
      if (!std::ranges::any_of(term::variables(t), [&](Term v) { return names.contains(v); })) {
        ++it;
        continue;
      }
      meet(t);
      state.decided.insert(rest.extract(it++));
      more = true;
    }
  }
  return found;
}

/// They get the lowest numbers.
void NormalForm::rename(State& state, const std::vector<Term>& symbols, Term* asked) const {
  std::unordered_map<Term, Term> names;
  state.inputs = 0;
  for (Term v : symbols) names[v] = symbols_.variable(v.width(), state.inputs++);
  if (std::ranges::all_of(names, [](const auto& n) { return n.first == n.second; })) return;
  replace(state, [&](Term v) { return names.at(v); });
  if (asked) *asked = symbols_.store().substitute(*asked, [&](Term v) { return names.at(v); });
}

/// Puts terms for inputs.
void NormalForm::replace(State& state, const std::function<Term(Term)>& variables) const {
  auto now = [&](Term t) { return symbols_.value(symbols_.store().substitute(t, variables)); };
  for (Thread& thread : state.threads)
    for (Frame& frame : thread.frames)
      for (const auto& [reg, t] : std::map(frame.symbols)) set(frame, reg, now(t));
  for (const auto& [address, t] : std::map(state.symbols)) {
    const Value value = now(t);
    if (value.term) {
      state.symbols[address] = value.term;
      continue;
    }
    state.symbols.erase(address);
    if (auto id = program_.object_at(address))
      state.statics[*offsets_[*id] + address - program_.objects[*id].address] = static_cast<uint8_t>(value.number);
    else if (auto next = state.objects.upper_bound(address); next != state.objects.begin())
      std::prev(next)->second.bytes[address - std::prev(next)->first] = static_cast<uint8_t>(value.number);
  }
  std::map<uint32_t, std::pair<Term, u128>> decided;
  for (const auto& [id, known] : state.decided)
    if (const Value value = now(known.first); value.term) decided[value.term.id()] = {value.term, known.second};
  state.decided = std::move(decided);
}

/// From now on the term has this value.
void NormalForm::decide(State& state, Term t, u128 value) const {
  while (t.width() == 1 && t.op() == Op::Not) t = t.kid(0), value = !value;
  Term fixed = t;
  u128 constant = value;
  for (unsigned i = 0; t.op() == Op::Eq && value == 1 && i < 2; ++i)
    if (t.kid(i).is_constant()) fixed = t.kid(1 - i), constant = t.kid(i).value();
  if (!fixed.is_variable() || names_ == Names::KeptAsTheyAre) {
    state.decided[t.id()] = {t, value};
    return;
  }
  const Term known = symbols_.store().constant(fixed.width(), constant);
  replace(state, [&](Term v) { return v == fixed ? known : Term(); });
}

/// Objects that ended keep their place as long as any four bytes of the state could be part of a pointer to them.
void NormalForm::forget(State& state) const {
  auto could_point = [&](const auto& symbol) { return !symbols_.addresses(symbol.second).empty(); };
  for (const Thread& thread : state.threads)
    for (const Frame& frame : thread.frames)
      if (std::ranges::any_of(frame.symbols, could_point)) return;
  if (std::ranges::any_of(state.symbols, could_point)) return;
  std::vector<std::pair<uint64_t, uint64_t>> ended;
  for (const auto& [address, object] : state.objects)
    if (!object.alive) ended.emplace_back(address, address + object.bytes.size());
  std::vector<bool> named(ended.size());
  auto look = [&](const uint8_t* bytes, uint64_t size) {
    for (uint64_t i = 0; i + 4 <= size; ++i) {
      const auto pointer = static_cast<uint64_t>(word(bytes + i, 4));
      if (pointer < program::layout::kDynamicBase) continue;
      for (size_t o = 0; o < ended.size(); ++o)
        if (pointer >= ended[o].first && pointer <= ended[o].second) named[o] = true;
    }
  };
  look(state.statics.data(), state.statics.size());
  for (const auto& [address, object] : state.objects)
    if (object.alive) look(object.bytes.data(), object.bytes.size());
  for (const Thread& thread : state.threads)
    for (const Frame& frame : thread.frames)
      for (u128 value : frame.registers) look(reinterpret_cast<const uint8_t*>(&value), sizeof value);
  for (size_t o = 0; o < ended.size(); ++o)
    if (!named[o]) state.objects.erase(ended[o].first);
}

void NormalForm::write(const State& state, std::vector<uint8_t>& bytes) const {
  bytes.clear();
  auto put = [&](const auto& value) {
    const auto* from = reinterpret_cast<const uint8_t*>(&value);
    bytes.insert(bytes.end(), from, from + sizeof value);
  };
  for (const Thread& thread : state.threads) {
    put(thread.depth | (thread.alive ? 0x8000'0000u : 0u));
    put(thread.frames.size());
    for (const Frame& frame : thread.frames) {
      put(frame.function), put(frame.location), put(frame.made);
      for (u128 value : frame.registers) put(value);
      for (const auto& [reg, t] : frame.symbols) put(reg), put(symbols_.hash(t));
    }
  }
  put(state.objects.size());
  for (const auto& [address, object] : state.objects) {
    put(address), put(object.kind), put(object.alive), put(object.shared), put(object.thread), put(object.frame), put(object.sequence);
    put(object.bytes.size());
    bytes.insert(bytes.end(), object.bytes.begin(), object.bytes.end());
    for (bool known : object.known) bytes.push_back(known);
  }
  bytes.insert(bytes.end(), state.statics.begin(), state.statics.end());
  for (const auto& [address, t] : state.symbols) put(address), put(symbols_.hash(t));
}

}  // namespace whittle::proof
