#include "proof/executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "program/word_access.h"

namespace whittle::proof {

using program::Edge;
using program::kNone;
using program::Kind;
using program::Rmw;
using program::Statement;
using term::Op;
using verdict::Property;

namespace {

constexpr uint64_t kGap = 4096;
constexpr uint32_t kMostThreads = 64;
constexpr uint64_t kLargest = 1 << 20;
constexpr uint32_t kMostFrames = 2000;
constexpr uint64_t kLongestStep = 20'000;  ///< statements; then others get a turn, or a loop without end comes round

/// Calls of models of threads that others can notice.
bool takes_a_step(program::FunctionRole role) {
  using program::FunctionRole;
  return role == FunctionRole::CreateThread || role == FunctionRole::InitMutex || role == FunctionRole::LockMutex ||
         role == FunctionRole::UnlockMutex || role == FunctionRole::WaitCondition;
}

NormalForm::Names names_for(Followed followed) {
  switch (followed) {
    case Followed::All: return NormalForm::Names::Lowest;
    case Followed::Paths: return NormalForm::Names::KeptAsTheyAre;
    case Followed::AmongOthers: break;
  }
  return NormalForm::Names::Kept;
}

/// Operands that are addresses of memory that a statement reads or writes.
std::vector<size_t> addresses(const Statement& s) {
  switch (s.kind) {
    case Kind::Fill: return {0};
    case Kind::Copy: return {0, 1};
    case Kind::Output: return {1};
    default: return program::accesses_word(s.kind) ? std::vector<size_t>{0} : std::vector<size_t>{};
  }
}

}  // namespace

Executor::Executor(const program::Program& program, const verdict::Specification& specification, Followed followed)
    : program_(program),
      specification_(specification),
      among_others_(followed == Followed::AmongOthers),
      normal_(program, offsets_, symbols_, names_for(followed)) {
  uint64_t size = 0;
  for (const program::Object& object : program.objects) {
    offsets_.emplace_back();
    if (object.constant || object.thread_local_) continue;
    offsets_.back() = size;
    size += object.size;
  }
  if (followed != Followed::Paths) return;
  for (const program::Function& function : program.functions) {
    std::vector<unsigned> ways(function.locations.size());
    if (!ways.empty()) ++ways[function.entry];
    for (const Edge& edge : function.edges)
      if (edge.to != kNone) ++ways[edge.to];
    meets_.emplace_back(ways.size());
    for (size_t l = 0; l < ways.size(); ++l) meets_.back()[l] = ways[l] > 1;
  }
}

State Executor::start() const {
  State state;
  for (size_t i = 0; i < offsets_.size(); ++i)
    if (offsets_[i]) state.statics.insert(state.statics.end(), program_.objects[i].initial.begin(), program_.objects[i].initial.end());
  const program::Function& entry = program_.functions[program_.entry];
  state.threads.push_back({true, 0, {{program_.entry, entry.entry, 0, std::vector<u128>(entry.registers.size()), {}}}});
  return state;
}

// Values and memory

Value Executor::value(const Frame& frame, Term t) const {
  if (t.is_constant()) return {t.value()};
  auto reg = [&](Term leaf) { return program_.register_of(leaf).reg; };
  Value now;
  if (!frame.symbols.empty() && std::ranges::any_of(term::variables(t), [&](Term v) { return frame.symbols.contains(reg(v)); }))
    now = symbols_.value(symbols_.translate(t, [&](Term leaf) {
      auto symbol = frame.symbols.find(reg(leaf));
      return symbol != frame.symbols.end() ? symbol->second : symbols_.store().constant(leaf.width(), frame.registers[reg(leaf)]);
    }));
  else if (t.is_variable())
    now = {frame.registers[reg(t)]};
  else
    now = {program_.terms().evaluate_leaves(t, [&](Term leaf) { return frame.registers[reg(leaf)]; })};
  if (among_others_) watch_addresses(frame, t, now);
  return now;
}

/// The address that a statement reads or writes; asks, if it is a term.
u128 Executor::address_of(const State& state, const Value& value, const Statement& s) const {
  try {
    return number(state, value);
  } catch (Stop& stop) {
    if (s.kind == Kind::Load || s.kind == Kind::Store) stop.bytes = s.width / 8;
    throw;
  }
}

u128 Executor::number(const State& state, const Value& value) const {
  if (!value.term) return value.number;
  const bool negated = value.term.width() == 1 && value.term.op() == Op::Not;
  const Term t = negated ? value.term.kid(0) : value.term;
  if (auto known = state.decided.find(t.id()); known != state.decided.end()) return negated ? !known->second.second : known->second.second;
  throw Stop{End::Kind::Choice, "", t};
}

Value Executor::combined(Rmw rmw, const Value& old, const Value& given, unsigned width) const {
  auto apply = [&](Op op) { return symbols_.apply(op, width, old, given); };
  auto lower = [&](Op less, const Value& if_less, const Value& otherwise) {
    const Value is = apply(less);
    if (!is.term) return is.number ? if_less : otherwise;
    return symbols_.value(symbols_.store().ite(is.term, symbols_.term(if_less, width), symbols_.term(otherwise, width)));
  };
  switch (rmw) {
    case Rmw::Exchange: return given;
    case Rmw::Add: return apply(Op::Add);
    case Rmw::Sub: return apply(Op::Sub);
    case Rmw::And: return apply(Op::And);
    case Rmw::Nand: return symbols_.apply(Op::Xor, width, apply(Op::And), {mask128(width)});
    case Rmw::Or: return apply(Op::Or);
    case Rmw::Xor: return apply(Op::Xor);
    case Rmw::Max: return lower(Op::Slt, given, old);
    case Rmw::Min: return lower(Op::Slt, old, given);
    case Rmw::UMax: return lower(Op::Ult, given, old);
    case Rmw::UMin: return lower(Op::Ult, old, given);
  }
  return given;
}

/// A failed assertion ends the program; other behaviour that is undefined is no part of what is proved.
void Executor::violated(Property property, const std::string& what) const {
  if (specification_.has(property)) throw Stop{End::Kind::Violation, what};
  if (property == Property::UnreachCall) throw Stop{End::Kind::Over, what};
  throw Stop{End::Kind::Refused, what + ", which is undefined and not asked about"};
}

Executor::Place Executor::find(State& state, uint32_t thread, u128 address, uint64_t size, bool write,
                               unsigned align) const {
  const Place place = locate(state, thread, address, size, write, align);
  if (among_others_ && !place.made) accessed_.emplace(place.address, place.address + size);
  return place;
}

Executor::Place Executor::locate(State& state, uint32_t thread, u128 address, uint64_t size, bool write,
                                 unsigned align) const {
  const auto at = static_cast<uint64_t>(address);
  if (specification_.has(Property::ValidDeref) && align > 1 && at % align != 0)
    throw Stop{End::Kind::Violation, "a misaligned access"};
  if (auto id = program_.object_at(at)) {
    const program::Object& object = program_.objects[*id];
    const uint64_t offset = at - object.address;
    if (!object.thread_local_ && offset + size <= object.size && !(write && object.constant)) {
      if (object.constant) return {const_cast<uint8_t*>(object.initial.data()) + offset, nullptr, 0, at};
      const uint64_t place = *offsets_[*id] + offset;
      return {state.statics.data() + place, nullptr, place, at};
    }
  } else if (auto next = state.objects.upper_bound(at); next != state.objects.begin()) {
    auto& [begin, object] = *std::prev(next);
    if (object.alive && at - begin + size <= object.bytes.size()) {
      if (object.thread != thread && !object.shared)
        throw Stop{End::Kind::Refused, "a thread gets at an object of another one by an address that was no pointer on its way"};
      return {object.bytes.data() + (at - begin), &object, at - begin, at};
    }
  }
  violated(Property::ValidDeref, "an access outside of all objects");
  return {};
}

Value Executor::load(State& state, uint32_t thread, u128 address, unsigned bytes, unsigned align) const {
  return load(state, find(state, thread, address, bytes, false, align), bytes);
}

Value Executor::load(const State& state, const Place& place, unsigned bytes) const {
  for (uint64_t i = 0; i < bytes; ++i)
    if (is_unset(state, place, i)) throw Unset{place.address + i};
  auto symbol = state.symbols.lower_bound(place.address);
  if (symbol == state.symbols.end() || symbol->first >= place.address + bytes) return {word(place.bytes, bytes)};
  Term all;
  for (uint64_t i = 0; i < bytes; ++i) {
    symbol = state.symbols.find(place.address + i);
    const Term byte = symbol != state.symbols.end() ? symbol->second : symbols_.store().constant(8, place.bytes[i]);
    all = all ? symbols_.store().concat(byte, all) : byte;
  }
  return symbols_.value(all);
}

bool Executor::is_unset(const State& state, const Place& place, uint64_t i) const {
  if (place.made) return !place.made->known[place.offset + i];
  return !state.open.empty() && !program_.objects[*program_.object_at(place.address)].constant && state.open[place.offset + i];
}

void Executor::store(State& state, uint32_t thread, u128 address, const Value& value, unsigned bytes, unsigned align) const {
  store(state, find(state, thread, address, bytes, true, align), value, bytes);
}

void Executor::store(State& state, const Place& place, const Value& value, unsigned bytes) const {
  state.symbols.erase(state.symbols.lower_bound(place.address), state.symbols.lower_bound(place.address + bytes));
  const Term all = value.term ? symbols_.store().resize_unsigned(value.term, 8 * bytes) : Term();
  for (unsigned i = 0; i < bytes; ++i) {
    const Value byte = all ? symbols_.value(symbols_.store().extract(all, 8 * i, 8)) : Value{value.number >> (8 * i)};
    place.bytes[i] = static_cast<uint8_t>(byte.number);
    if (byte.term) state.symbols[place.address + i] = byte.term;
  }
  written(state, place, bytes);
}

void Executor::written(State& state, const Place& place, uint64_t size) const {
  if (place.made)
    std::fill_n(place.made->known.begin() + static_cast<ptrdiff_t>(place.offset), size, true);
  else if (!state.open.empty())
    std::fill_n(state.open.begin() + static_cast<ptrdiff_t>(place.offset), size, false);
  if (place.made && !place.made->shared) return;
  // Others can read it: so they get whatever it points to. A pointer may have been completed by its last byte.
  const uint64_t all = place.made ? place.made->bytes.size() : state.statics.size();
  const uint64_t before = std::min<uint64_t>(place.offset, 3);
  const uint64_t after = std::min<uint64_t>(all - place.offset - size, 3);
  share_from(state, place.bytes - before, before + size + after);
  share_symbols(state, place.address, size);
}

void Executor::share_from(State& state, const uint8_t* bytes, uint64_t size) const {
  const std::vector<uint8_t> copy(bytes, bytes + size);
  for (uint64_t i = 0; i + 4 <= size; ++i) share(state, word(copy.data() + i, 4));
}

void Executor::share_symbols(State& state, uint64_t address, uint64_t size) const {
  for (auto it = state.symbols.lower_bound(address); it != state.symbols.end() && it->first < address + size; ++it)
    for (uint64_t pointer : symbols_.addresses(it->second)) share(state, pointer);
}

void Executor::share(State& state, u128 pointer) const {
  const auto at = static_cast<uint64_t>(pointer);
  if (at < program::layout::kDynamicBase || pointer > UINT32_MAX) return;
  auto next = state.objects.upper_bound(at);
  if (next == state.objects.begin()) return;
  auto& [begin, object] = *std::prev(next);
  if (object.shared || at - begin > object.bytes.size()) return;
  object.shared = true;
  share_from(state, object.bytes.data(), object.bytes.size());
  share_symbols(state, begin, object.bytes.size());
}

uint64_t Executor::make(State& state, uint32_t thread, Made made, uint64_t align) const {
  if (made.bytes.size() > kLargest) throw Stop{End::Kind::Refused, "an object of more than a mebibyte"};
  const uint64_t end = area(thread + 1);
  uint64_t at = area(thread) + kGap;
  auto up = [&](uint64_t address) { return (address + align - 1) / align * align; };
  for (auto next = state.objects.lower_bound(at); next != state.objects.end() && next->first < end; ++next) {
    if (up(at) + made.bytes.size() + kGap <= next->first) break;
    at = next->first + next->second.bytes.size() + kGap;
  }
  at = up(at);
  if (at + made.bytes.size() + kGap > end) throw Stop{End::Kind::Refused, "there are no addresses left"};
  state.objects.emplace(at, std::move(made));
  return at;
}

// What others notice

bool Executor::alone(const State& state, uint32_t thread) const {
  for (uint32_t t = 0; t < state.threads.size(); ++t)
    if (t != thread && state.threads[t].alive) return false;
  return true;
}

/// Does no other thread get at what lies there?
bool Executor::out_of_reach(const State& state, uint32_t thread, u128 address) const {
  const auto at = static_cast<uint64_t>(address);
  if (auto id = program_.object_at(at)) return program_.objects[*id].constant;
  auto next = state.objects.upper_bound(at);
  if (next == state.objects.begin()) return false;
  const auto& [begin, object] = *std::prev(next);
  return at - begin <= object.bytes.size() && object.thread == thread && !object.shared;
}

bool Executor::noticed(const State& state, uint32_t thread, const Statement& s) const {
  const Frame& frame = state.threads[thread].frames.back();
  auto ends = [&](uint32_t from_frame, bool all) {
    return std::ranges::any_of(state.objects, [&](const auto& o) {
      return o.second.alive && o.second.shared && o.second.thread == thread && o.second.kind != Made::Kind::Heap &&
             (all || o.second.frame >= from_frame);
    });
  };
  switch (s.kind) {
    case Kind::AtomicBegin:
    case Kind::Await:
    case Kind::Spawn:
    case Kind::Yield: return true;
    case Kind::Call: return among_others_ && takes_a_step(program_.functions[s.callee].role);
    case Kind::HeapFree: return !out_of_reach(state, thread, number(state, frame, s.operands[0]));
    case Kind::StackRestore:
    case Kind::Return: {
      const auto top = static_cast<uint32_t>(state.threads[thread].frames.size() - 1);
      return ends(top, top == 0);
    }
    case Kind::ThreadExit: return ends(0, true);
    default:
      for (size_t i : addresses(s)) {
        const Value at = value(frame, s.operands[i]);
        auto known = at.term ? state.within.find(at.term.id()) : state.within.end();
        if (!out_of_reach(state, thread, known != state.within.end() ? known->second.first : address_of(state, at, s))) return true;
      }
      return false;
  }
}

bool Executor::await_holds(State& state, uint32_t thread, const Statement& s) const {
  const Frame& frame = state.threads[thread].frames.back();
  const Value now = symbols_.apply(Op::And, s.width, load(state, thread, number(state, frame, s.operands[0]), s.width / 8, 1),
                                   value(frame, s.operands[1]));
  return number(state, symbols_.apply(Op::Sle, s.width, value(frame, s.operands[2]), now)) != 0 &&
         number(state, symbols_.apply(Op::Sle, s.width, now, value(frame, s.operands[3]))) != 0;
}

bool Executor::can_step(const State& state, uint32_t thread) const {
  const Thread& t = state.threads[thread];
  if (!t.alive) return false;
  const program::Function& function = program_.functions[t.frames.back().function];
  const program::Location& location = function.locations[t.frames.back().location];
  const Statement& s = function.edges[location.first_edge].statement;
  if (location.edge_count != 1 || s.kind != Kind::Await) return true;
  try {
    return await_holds(const_cast<State&>(state), thread, s);  // (reads only)
  } catch (const Stop&) {
    return true;  // it goes on, and fails or asks
  } catch (const Unset&) {
    return true;
  }
}

// Steps

End Executor::step(State& state, uint32_t thread) const {
  Thread& t = state.threads[thread];
  t.heads.clear();
  if (among_others_) comes_round(t);
  return run(state, thread, true, std::nullopt, 0);
}

End Executor::run(State& state, uint32_t thread, bool token, std::optional<u128> input, uint32_t questions) const {
  bool moved = false;  // has a statement been executed?
  bool midway = false;
  for (uint64_t statements = 0;; ++statements) {
    if (!state.threads[thread].alive) break;
    Frame& frame = state.threads[thread].frames.back();
    const program::Function& function = program_.functions[frame.function];
    const program::Location& location = function.locations[frame.location];
    const bool others = state.threads[thread].depth == 0 && !alone(state, thread);
    const bool had_token = token;
    if (statements >= kLongestStep) {
      if (state.threads[thread].depth > 0) return {End::Kind::Refused, "a long atomic region"};
      break;
    }
    try {
      if (location.edge_count != 1) {
        const Edge* taken = nullptr;
        for (uint32_t e = 0; e < location.edge_count; ++e)
          if (const Edge& edge = function.edges[location.first_edge + e]; number(state, frame, edge.statement.operands[0]) != 0)
            taken = &edge;
        if (!taken) return {End::Kind::Refused, "a branch without a way on"};
        frame.location = taken->to;
        moved = true;
        if (among_others_) {
          token = false;
          if (comes_round(state.threads[thread])) break;
        }
        midway = meets(state.threads[thread]);
        if (midway) break;
        continue;
      }
      const Edge& edge = function.edges[location.first_edge];
      if (others && (state.threads[thread].phase > 0 || noticed(state, thread, edge.statement))) {
        if (!token) break;
        token = among_others_;  // until the statement has been executed
      }
      if (edge.statement.kind == Kind::Await && !await_holds(state, thread, edge.statement)) break;  // also in a region
      if (edge.statement.kind == Kind::Nondet && !input && meets_.empty() && function.registers[edge.statement.targets[0]].width() == 1)
        return normal_.make(state), End{.kind = End::Kind::Input, .what = edge.statement.text, .width = 1, .thread = thread, .token = token};
      if (edge.statement.kind == Kind::Spawn) token = false;  // from here on there are others
      execute(state, thread, edge, input);
      moved = true;
      if (among_others_) token = false;
      if (among_others_ && comes_round(state.threads[thread])) break;
      midway = edge.statement.kind != Kind::Call && meets(state.threads[thread]);
      midway |= !meets_.empty() && edge.statement.kind == Kind::Return && state.threads[thread].alive;
      if (midway) break;
    } catch (const Stop& stop) {
      // Among others: what it has done in this step, they see. In a region they do not.
      if (stop.kind == End::Kind::Over && among_others_ && others && !token) {
        end_thread(state, thread);
        break;
      }
      // Where the whole program ends, others may have run before.
      if (stop.kind == End::Kind::Over && others && !token) break;
      if (stop.kind != End::Kind::Choice) return {stop.kind, stop.what};
      End end{.kind = End::Kind::Choice, .bytes = stop.bytes, .thread = thread, .token = had_token, .term = stop.term, .questions = moved ? 0 : questions};
      normal_.make(state, &end.term);
      return end;
    } catch (const Unset& unset) {
      if (auto id = program_.object_at(unset.address)) {
        state.open[*offsets_[*id] + unset.address - program_.objects[*id].address] = false;
      } else {
        auto& [begin, object] = *std::prev(state.objects.upper_bound(unset.address));
        object.known[unset.address - begin] = true;
      }
      state.symbols[unset.address] = fresh(state, 8);
      token = had_token;
    }
  }
  normal_.make(state);
  End end;
  end.thread = thread;
  end.midway = midway;
  end.questions = moved ? 0 : questions;
  return end;
}

bool Executor::meets(const Thread& thread) const {
  return !meets_.empty() && thread.alive && meets_[thread.frames.back().function][thread.frames.back().location];
}

End Executor::give(State& state, const End& asked, u128 value) const {
  if (asked.kind == End::Kind::Input) return run(state, asked.thread, asked.token, value, 0);
  normal_.decide(state, asked.term, value);
  return run(state, asked.thread, asked.token, std::nullopt, asked.questions + 1);
}

End Executor::give(State& state, const End& asked, const Within& within) const {
  state.within[asked.term.id()] = within;
  return run(state, asked.thread, asked.token, std::nullopt, asked.questions + 1);
}

void Executor::execute(State& state, uint32_t thread, const Edge& edge, std::optional<u128>& input) const {
  const Statement& s = edge.statement;
  Frame& frame = state.threads[thread].frames.back();
  const program::Function& function = program_.functions[frame.function];
  auto term = [&](size_t i) { return value(frame, s.operands[i]); };
  auto operand = [&](size_t i) { return number(state, frame, s.operands[i]); };
  auto put = [&](size_t i, const Value& now) {
    set(frame, s.targets[i], symbols_.resized(now, function.registers[s.targets[i]].width()));
  };
  if (among_others_ && (s.kind == Kind::Await || s.kind == Kind::Spawn || s.kind == Kind::HeapAlloc || s.kind == Kind::HeapFree))
    throw Stop{End::Kind::Refused, fmt::format("{} among any number of threads", program::name(s.kind))};
  switch (s.kind) {
    case Kind::Skip:
    case Kind::Fence:
    case Kind::Yield: break;
    case Kind::Assign: {
      std::vector<Value> now;
      for (size_t i = 0; i < s.operands.size(); ++i) now.push_back(term(i));
      for (size_t i = 0; i < now.size(); ++i) put(i, now[i]);
      break;
    }
    case Kind::Assume:
      if (operand(0) == 0) throw Stop{End::Kind::Over, "an assumption does not hold"};
      break;
    case Kind::Check:
      if (operand(0) != 0) break;
      // Wrong use of locks has a meaning in the models, and so has arithmetic that wraps around.
      if (!specification_.has(s.property) && (s.property == Property::LockDiscipline || s.property == Property::NoOverflow)) break;
      violated(s.property, s.text);
      break;
    case Kind::Error: violated(s.property, s.text); break;
    case Kind::Halt:
      if (specification_.has(Property::ValidMemcleanup) && s.text != "abort")
        for (const auto& [address, object] : state.objects)
          if (object.alive && object.kind == Made::Kind::Heap) throw Stop{End::Kind::Violation, "memory is not freed"};
      throw Stop{End::Kind::Over, "the program ends"};
    case Kind::Unsupported: throw Stop{End::Kind::Refused, s.text};
    case Kind::Nondet:
      put(0, input ? Value{*input} : Value{0, fresh(state, function.registers[s.targets[0]].width())});
      input.reset();
      break;
    case Kind::Load:
      if (somewhere(state, thread, term(0), s.width / 8, s)) {
        put(0, {0, fresh(state, s.width)});
        break;
      }
      put(0, load(state, thread, operand(0), s.width / 8, s.align));
      break;
    case Kind::Store:
      if (const auto object = somewhere(state, thread, term(0), s.width / 8, s)) {
        blur(state, *object, term(1));
        break;
      }
      store(state, thread, operand(0), term(1), s.width / 8, s.align);
      break;
    case Kind::AtomicRmw: {
      const Value old = load(state, thread, operand(0), s.width / 8, s.align);
      store(state, thread, operand(0), combined(s.rmw, old, term(1), s.width), s.width / 8, s.align);
      if (!s.targets.empty()) put(0, old);
      break;
    }
    case Kind::AtomicCas: {
      const Value old = load(state, thread, operand(0), s.width / 8, s.align);
      find(state, thread, operand(0), s.width / 8, true, s.align);
      const bool equal = number(state, symbols_.apply(Op::Eq, s.width, old, term(1))) != 0;
      if (equal) store(state, thread, operand(0), term(2), s.width / 8, s.align);
      put(0, old);
      if (s.targets.size() > 1) put(1, {equal});
      break;
    }
    case Kind::Copy: {
      const auto size = static_cast<uint64_t>(operand(2));
      if (size == 0) break;
      if (size > kLargest) violated(Property::ValidDeref, "a copy of more than there is");
      const Place from = find(state, thread, operand(1), size, false, 1);
      const Place to = find(state, thread, operand(0), size, true, 1);
      const std::vector<uint8_t> bytes(from.bytes, from.bytes + size);
      for (uint64_t i = 0; i < size; ++i)  // a copy has the same value
        if (is_unset(state, from, i)) throw Unset{from.address + i};
      const std::map<uint64_t, Term> symbols(state.symbols.lower_bound(from.address), state.symbols.lower_bound(from.address + size));
      std::ranges::copy(bytes, to.bytes);
      state.symbols.erase(state.symbols.lower_bound(to.address), state.symbols.lower_bound(to.address + size));
      for (const auto& [address, t] : symbols) state.symbols[to.address + (address - from.address)] = t;
      written(state, to, size);
      break;
    }
    case Kind::Fill: {
      const auto size = static_cast<uint64_t>(operand(2));
      if (size == 0) break;
      if (size > kLargest) violated(Property::ValidDeref, "more is filled than there is");
      const Place to = find(state, thread, operand(0), size, true, 1);
      const Value byte = term(1);
      std::fill_n(to.bytes, size, static_cast<uint8_t>(byte.number));
      state.symbols.erase(state.symbols.lower_bound(to.address), state.symbols.lower_bound(to.address + size));
      for (uint64_t i = 0; byte.term && i < size; ++i) state.symbols[to.address + i] = symbols_.store().extract(byte.term, 0, 8);
      written(state, to, size);
      break;
    }
    case Kind::Output:
      for (uint64_t i = 0; i < static_cast<uint64_t>(operand(2)); ++i) load(state, thread, operand(1) + i, 1, 1);
      break;
    case Kind::AtomicBegin: ++state.threads[thread].depth; break;
    case Kind::AtomicEnd:
      if (state.threads[thread].depth == 0) throw Stop{End::Kind::Refused, "an atomic region ends that never began"};
      --state.threads[thread].depth;
      break;
    case Kind::Await:
      ++state.threads[thread].depth;
      break;
    case Kind::Self:
      put(0, among_others_ ? Value{0, fresh(state, function.registers[s.targets[0]].width())} : Value{thread});
      break;
    case Kind::Shared:
      if (among_others_ && state.threads[thread].depth == 0 && !out_of_reach(state, thread, operand(0))) {
        put(0, {0, fresh(state, 1)});
        break;
      }
      put(0, {!alone(state, thread) && state.threads[thread].depth == 0 && !out_of_reach(state, thread, operand(0))});
      break;
    case Kind::Call:
      if (specification_.has(Property::UnreachCall) &&
          specification_.error_functions.contains(program_.functions[s.callee].name))
        violated(Property::UnreachCall, program_.functions[s.callee].name + "() is called");
      if (among_others_ && program_.functions[s.callee].role != program::FunctionRole::None) return call_model(state, thread, edge);
      return call(state, thread, s, s.callee, 0);
    case Kind::IndirectCall: {
      const auto callee = program_.function_at(static_cast<uint64_t>(operand(0)));
      if (!callee) violated(Property::ValidDeref, "a call of what is no function");
      if (specification_.has(Property::UnreachCall) &&
          specification_.error_functions.contains(program_.functions[*callee].name))
        violated(Property::UnreachCall, program_.functions[*callee].name + "() is called");
      return call(state, thread, s, *callee, 1);
    }
    case Kind::Return: return leave(state, thread, s.operands.empty() ? Value{} : term(0));
    case Kind::ThreadExit: return end_thread(state, thread);
    case Kind::Spawn: {
      const auto routine = program_.function_at(static_cast<uint64_t>(operand(0)));
      if (!routine) violated(Property::ValidDeref, "a thread is started where no function is");
      if (state.threads.size() >= kMostThreads) throw Stop{End::Kind::Refused, "more than 64 threads"};
      const auto started = static_cast<uint32_t>(state.threads.size());
      const std::vector<Value> given{term(1), term(2)};
      put(0, {started});
      if (alone(state, thread)) {  // from now on others get at what lies in static objects
        share_from(state, state.statics.data(), state.statics.size());
        share_symbols(state, 0, program::layout::kDynamicBase);
      }
      frame.location = edge.to;
      push_thread(state, *routine, given);
      return;
    }
    default: execute_object(state, thread, edge); break;
  }
  state.threads[thread].frames.back().location = edge.to;
}

void Executor::execute_object(State& state, uint32_t thread, const Edge& edge) const {
  const Statement& s = edge.statement;
  Frame& frame = state.threads[thread].frames.back();
  auto operand = [&](size_t i) { return number(state, frame, s.operands[i]); };
  auto put = [&](u128 now) { set(frame, s.targets[0], {now}); };
  // A pointer just past the end of an object belongs to it.
  auto static_at = [&](uint64_t at) -> const program::Object* {
    for (const program::Object& object : program_.objects)
      if (!object.thread_local_ && at - object.address <= object.size) return &object;
    return nullptr;
  };
  auto object_at = [&](uint64_t at) -> std::pair<const uint64_t, Made>* {
    auto next = state.objects.upper_bound(at);
    if (next == state.objects.begin()) return nullptr;
    auto& found = *std::prev(next);
    return at - found.first <= found.second.bytes.size() ? &found : nullptr;
  };
  switch (s.kind) {
    case Kind::StackAlloc:
    case Kind::HeapAlloc: {
      const bool heap = s.kind == Kind::HeapAlloc;
      if (heap && s.operands.size() > 2 && operand(2) != 0) throw Stop{End::Kind::Refused, "memory that was freed is given again"};
      if (operand(0) > kLargest) throw Stop{End::Kind::Refused, "an object of more than a mebibyte"};
      const auto size = static_cast<size_t>(operand(0));
      Made made{heap ? Made::Kind::Heap : Made::Kind::Stack, true, false, thread, 0, 0, program::kNone, std::vector<uint8_t>(size), std::vector<bool>(size)};
      if (heap && operand(1) != 0) made.known.assign(size, true);
      if (!heap) {
        made.frame = static_cast<uint32_t>(state.threads[thread].frames.size() - 1);
        made.sequence = frame.made++;
        made.edge = static_cast<uint32_t>(&edge - program_.functions[frame.function].edges.data());
      }
      put(make(state, thread, std::move(made), heap ? 16 : std::max<uint64_t>(s.align, 1)));
      break;
    }
    case Kind::ThreadLocal: {
      // `sequence` tells which of them it is.
      for (const auto& [address, object] : state.objects)
        if (object.alive && object.kind == Made::Kind::ThreadLocal && object.thread == thread && object.sequence == s.object) {
          put(address);
          return;
        }
      const program::Object& original = program_.objects[s.object];
      Made made{Made::Kind::ThreadLocal, true, false, thread, 0, s.object, program::kNone, original.initial, std::vector<bool>(original.size, true)};
      made.bytes.resize(original.size);
      put(make(state, thread, std::move(made), std::max<uint64_t>(original.align, 16)));
      break;
    }
    case Kind::HeapFree: {
      const auto at = static_cast<uint64_t>(operand(0));
      if (at == 0) break;
      auto found = state.objects.find(at);
      if (found == state.objects.end() || found->second.kind != Made::Kind::Heap || !found->second.alive)
        violated(Property::ValidFree, "a free of what is no heap object, or no longer");
      if (found->second.thread != thread && !found->second.shared)
        throw Stop{End::Kind::Refused, "an object of another thread is freed by an address that was no pointer on its way"};
      found->second.alive = false;
      break;
    }
    case Kind::ObjectSize: {
      const auto at = static_cast<uint64_t>(operand(0));
      const auto* made = object_at(at);
      if (const program::Object* fixed = static_at(at))
        put(fixed->size);
      else
        put(made && made->second.alive ? made->second.bytes.size() : 0);
      break;
    }
    case Kind::ObjectOffset: {
      const auto at = static_cast<uint64_t>(operand(0));
      const auto* made = object_at(at);
      if (const program::Object* fixed = static_at(at))
        put(at - fixed->address);
      else
        put(made ? at - made->first : at);
      break;
    }
    case Kind::StackSave: put(frame.made); break;
    case Kind::StackRestore: {
      const auto mark = static_cast<uint32_t>(operand(0));
      end_objects(state, thread, static_cast<uint32_t>(state.threads[thread].frames.size() - 1), mark);
      frame.made = std::min(frame.made, mark);
      break;
    }
    default: throw Stop{End::Kind::Refused, fmt::format("{} is not followed", program::name(s.kind))};
  }
}

/// A new thread, standing where its function begins.
void Executor::push_thread(State& state, program::FunctionId routine, const std::vector<Value>& given) const {
  for (const Value& argument : given) {
    share(state, argument.number);
    if (argument.term)
      for (uint64_t pointer : symbols_.addresses(argument.term)) share(state, pointer);
  }
  const program::Function& body = program_.functions[routine];
  if (body.parameter_count > given.size()) throw Stop{End::Kind::Refused, "a thread's function with more parameters"};
  if (body.locations.empty()) throw Stop{End::Kind::Refused, "a thread's function without a body"};
  Frame first{routine, body.entry, 0, std::vector<u128>(body.registers.size()), {}};
  for (uint32_t i = 0; i < body.parameter_count; ++i) set(first, i, symbols_.resized(given[i], body.registers[i].width()));
  state.threads.push_back({true, 0, {std::move(first)}});
}

void Executor::call(State& state, uint32_t thread, const Statement& call, program::FunctionId callee,
                    size_t first) const {
  const program::Function& body = program_.functions[callee];
  std::vector<Frame>& frames = state.threads[thread].frames;
  if (body.locations.empty()) throw Stop{End::Kind::Refused, "a call of a function without a body"};
  if (among_others_ && body.role != program::FunctionRole::None)
    throw Stop{End::Kind::Refused, "a model of threads is called through a pointer"};
  if (among_others_ && std::ranges::any_of(frames, [&](const Frame& f) { return f.function == callee; }))
    throw Stop{End::Kind::Refused, body.name + " is recursive"};
  if (frames.size() >= kMostFrames) throw Stop{End::Kind::Refused, "a recursion that is deep, or does not end"};
  Frame fresh{callee, body.entry, 0, std::vector<u128>(body.registers.size()), {}};
  const unsigned result = call.targets.empty() ? 0 : program_.functions[frames.back().function].registers[call.targets[0]].width();
  bool fits = call.operands.size() - first >= body.parameter_count && (result == 0 || result == body.return_width);
  for (uint32_t i = 0; fits && i < body.parameter_count; ++i) {
    fits = call.operands[first + i].width() == body.registers[i].width();
    set(fresh, i, value(frames.back(), call.operands[first + i]));
  }
  if (!fits) throw Stop{End::Kind::Refused, "a call through a pointer of another type"};
  frames.push_back(std::move(fresh));
}

void Executor::leave(State& state, uint32_t thread, const Value& value) const {
  std::vector<Frame>& frames = state.threads[thread].frames;
  if (frames.size() == 1) return end_thread(state, thread);
  end_objects(state, thread, static_cast<uint32_t>(frames.size() - 1), 0);
  frames.pop_back();
  Frame& caller = frames.back();
  const program::Function& function = program_.functions[caller.function];
  const Edge& call = function.edges[function.locations[caller.location].first_edge];
  if (!call.statement.targets.empty()) set(caller, call.statement.targets[0], value);
  caller.location = call.to;
}

void Executor::end_objects(State& state, uint32_t thread, uint32_t frame, uint32_t from) const {
  for (auto& [address, object] : state.objects)
    if (object.kind == Made::Kind::Stack && object.thread == thread && object.frame == frame && object.sequence >= from)
      object.alive = false;
}

void Executor::end_thread(State& state, uint32_t thread) const {
  if (among_others_ && state.threads[thread].depth > 0) throw Stop{End::Kind::Refused, "a thread ends in an atomic region"};
  if (alone(state, thread)) {
    if (specification_.has(Property::ValidMemcleanup))
      for (const auto& [address, object] : state.objects)
        if (object.alive && object.kind == Made::Kind::Heap) throw Stop{End::Kind::Violation, "memory is not freed"};
    throw Stop{End::Kind::Over, "the last thread ends"};
  }
  for (auto& [address, object] : state.objects)
    if (object.thread == thread && object.kind != Made::Kind::Heap) object.alive = false;
  state.threads[thread] = {false, 0, {}};
}

}  // namespace whittle::proof
