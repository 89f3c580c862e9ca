// The executor among others: one thread of a program with any number of them.
//
// What calls of models of threads mean here is what their roles say (program/role.h), and always includes what the model
// does: a mutex is a word that is 0 or 1; who does not hold it may fail to release it; joining does not wait; condition
// variables wake who waits at any time.
//
// An address of an own object may be copied, moved by an offset, and compared with other own addresses and with constants.
// So what a thread does is the same wherever its objects lie.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "proof/executor.h"

namespace whittle::proof {

using program::FunctionRole;
using program::Statement;
using term::Op;
using verdict::Property;

bool Executor::is_own(u128 address) { return address >= area(kThread) && address < area(kThread + 1); }

std::string Executor::misused() const {
  for (const auto& [begin, end] : of_models_)
    for (const auto& [first, last] : accessed_)
      if (first < end && begin < last) return "memory is used as a mutex or condition variable, and otherwise";
  return "";
}

/// Has control come to a loop head for the second time in this step?
bool Executor::comes_round(Thread& thread) const {
  if (!thread.alive) return false;
  const Frame& frame = thread.frames.back();
  if (!program_.functions[frame.function].locations[frame.location].loop_head) return false;
  return !thread.heads.emplace(thread.frames.size(), frame.function, frame.location).second;
}

void Executor::watch_addresses(const Frame& frame, Term t, const Value& now) const {
  auto reg = [&](Term leaf) { return program_.register_of(leaf).reg; };
  auto holds_own = [&](Term leaf) {
    auto symbol = frame.symbols.find(reg(leaf));
    if (symbol == frame.symbols.end()) return is_own(frame.registers[reg(leaf)]);
    return std::ranges::any_of(symbols_.addresses(symbol->second), [](uint64_t a) { return is_own(a); });
  };
  auto refuse = [] { throw Stop{End::Kind::Refused, "an address is used as a number"}; };
  std::unordered_map<Term, bool> seen;
  std::function<bool(Term)> address = [&](Term part) {
    if (auto it = seen.find(part); it != seen.end()) return it->second;
    bool is = part.is_variable() && holds_own(part);
    std::array<bool, 3> kids{};
    for (unsigned i = 0; i < part.arity(); ++i) kids[i] = address(part.kid(i));
    if (kids[0] || kids[1] || kids[2]) {
      const bool both = kids[0] && kids[1];
      auto constant = [&](unsigned i) { return part.kid(i).is_constant() && !is_own(part.kid(i).value()); };
      switch (part.op()) {
        case Op::Add: is = !both; break;
        case Op::Sub: is = !kids[1]; break;
        case Op::Eq: is = false; break;
        case Op::Ult:
        case Op::Ule:
        case Op::Slt:
        case Op::Sle: is = false; break;
        case Op::Ite: is = true; break;
        default: refuse();
      }
      if (part.op() == Op::Add && both) refuse();
      if (part.op() == Op::Sub && kids[1] && !kids[0]) refuse();
      if (part.op() == Op::Ite && kids[0]) refuse();
      if (part.op() == Op::Eq && !both && !constant(kids[0] ? 1 : 0)) refuse();
      if (part.op() >= Op::Ult && part.op() <= Op::Sle && !both) refuse();
    }
    return seen[part] = is;
  };
  const bool is = address(t);
  if (!is && !now.term && is_own(now.number)) throw Stop{End::Kind::Refused, "a number looks like an address"};
}

/// The static object in which an address lies of which no more is known. Asks, if it may be elsewhere.
std::optional<Executor::Place> Executor::somewhere(State& state, uint32_t thread, const Value& address, unsigned bytes,
                                                   const Statement& s) const {
  if (!among_others_ || !address.term) return std::nullopt;
  auto known = state.within.find(address.term.id());
  if (known == state.within.end()) {
    address_of(state, address, s);
    return std::nullopt;
  }
  if (specification_.has(Property::ValidDeref) && s.align > 1)
    throw Stop{End::Kind::Refused, "an address of which not all is known may be misaligned"};
  const uint64_t first = known->second.first, size = known->second.last - first + bytes;
  return find(state, thread, first, size, s.kind == program::Kind::Store, 1);
}

/// Something is stored somewhere in a static object: nothing is known of it any more.
void Executor::blur(State& state, const Place& object, const Value& stored) const {
  const uint64_t size = program_.objects[*program_.object_at(object.address)].size;
  auto own = [&](Term t) { return std::ranges::any_of(symbols_.addresses(t), [](uint64_t a) { return is_own(a); }); };
  auto refuse = [] { throw Stop{End::Kind::Refused, "an address of an own object is stored at an address that is not known"}; };
  if (stored.term ? own(stored.term) : is_own(stored.number)) refuse();
  state.symbols.erase(state.symbols.lower_bound(object.address), state.symbols.lower_bound(object.address + size));
  std::fill_n(object.bytes, size, uint8_t{0});
  std::fill_n(state.open.begin() + static_cast<ptrdiff_t>(object.offset), size, true);
}

/// Memory that a model uses in its own way: nothing else may touch it.
Executor::Place Executor::of_model(State& state, uint32_t thread, const Statement& s, size_t i) const {
  const program::Function& model = program_.functions[s.callee];
  const uint64_t size = program_.pointee_size(model, static_cast<program::RegisterId>(i));
  if (size < 4) throw Stop{End::Kind::Refused, fmt::format("the size of what {} is given is not known", model.name)};
  const Place place = locate(state, thread, number(state, state.threads[thread].frames.back(), s.operands[i]), size, true, 1);
  if (place.made || place.address % (program_.pointer_width() / 8) != 0)
    throw Stop{End::Kind::Refused, fmt::format("what {} is given is a local variable, or lies where none can be", model.name)};
  for (const auto& [first, last] : of_models_)
    if (first < place.address + size && place.address < last && std::pair(first, last) != std::pair(place.address, place.address + size))
      throw Stop{End::Kind::Refused, "mutexes or condition variables overlap"};
  of_models_.emplace(place.address, place.address + size);
  return place;
}

Executor::Place Executor::mutex(State& state, uint32_t thread, const Statement& s, size_t i) const {
  if (state.threads[thread].depth > 0) throw Stop{End::Kind::Refused, "a mutex in an atomic region"};
  const Place place = of_model(state, thread, s, i);
  const program::Object& object = program_.objects[*program_.object_at(place.address)];
  const uint64_t size = program_.pointee_size(program_.functions[s.callee], static_cast<program::RegisterId>(i));
  const auto begin = object.initial.begin() + static_cast<ptrdiff_t>(place.address - object.address);
  if (std::any_of(begin, begin + static_cast<ptrdiff_t>(size), [](uint8_t byte) { return byte != 0; }))
    throw Stop{End::Kind::Refused, "a mutex with attributes"};
  return place;
}

void Executor::release(State& state, const Place& mutex) const {
  term::Store& store = symbols_.store();
  const Value now = load(state, mutex, 4);
  const Term kept = store.ite(fresh(state, 1), symbols_.term(now, 32), store.constant(32, 0));
  this->store(state, mutex, symbols_.value(kept), 4);
}

void Executor::take(State& state, const Place& mutex) const {
  const Value free = symbols_.apply(Op::Eq, 32, load(state, mutex, 4), {0});
  if (number(state, free) == 0) throw Stop{End::Kind::Over, "a mutex is taken"};
  store(state, mutex, {1}, 4);
}

void Executor::call_model(State& state, uint32_t thread, const program::Edge& edge) const {
  const Statement& s = edge.statement;
  const FunctionRole role = program_.functions[s.callee].role;
  Thread& here = state.threads[thread];
  Frame& frame = here.frames.back();
  const program::Function& function = program_.functions[frame.function];
  auto operand = [&](size_t i) { return number(state, frame, s.operands.at(i)); };
  auto result = [&](bool zero) {
    if (s.targets.empty()) return;
    const unsigned width = function.registers[s.targets[0]].width();
    set(frame, s.targets[0], zero ? Value{} : Value{0, fresh(state, width)});
  };
  const bool starts_or_ends = role == FunctionRole::CreateThread || role == FunctionRole::Exit || role == FunctionRole::ExitThread;
  if (!starts_or_ends && (specification_.has(Property::NoDeadlock) || specification_.has(Property::LockDiscipline)))
    throw Stop{End::Kind::Refused, "deadlock and misuse of locks are not looked at in proofs by threads"};
  switch (role) {
    case FunctionRole::CreateThread: {
      const unsigned bytes = program_.pointer_width() / 8;
      if (here.phase == 0) {
        const auto routine = program_.function_at(static_cast<uint64_t>(operand(2)));
        if (!routine) violated(Property::ValidDeref, "a thread is started where no function is");
        if (operand(1) != 0) throw Stop{End::Kind::Refused, "a thread with attributes"};
        if (state.threads.size() > kThread + 1) throw Stop{End::Kind::Refused, "two threads are started in one step"};
        if (program_.functions[*routine].role != FunctionRole::None) throw Stop{End::Kind::Refused, "a model is started as a thread"};
        const std::vector<Value> given{value(frame, s.operands.at(3))};
        const u128 number_at = operand(0);
        locate(state, thread, number_at, bytes, true, static_cast<unsigned>(bytes));
        // The new thread may run before its number is stored.
        const bool seen = !out_of_reach(state, thread, number_at) && here.depth == 0;
        if (!seen) store(state, thread, number_at, {0, fresh(state, 8 * bytes)}, bytes, bytes);
        here.phase = seen ? 1 : 0;
        if (!seen) result(true), frame.location = edge.to;
        push_thread(state, *routine, given);
        return;
      }
      store(state, thread, operand(0), {0, fresh(state, 8 * bytes)}, bytes, bytes);
      result(true);
      break;
    }
    case FunctionRole::JoinThread:
      if (operand(1) != 0) throw Stop{End::Kind::Refused, "the result of a thread is asked for"};
      if (here.depth > 0) throw Stop{End::Kind::Refused, "a thread is waited for in an atomic region"};
      result(false);
      break;
    case FunctionRole::Exit: throw Stop{End::Kind::Over, "the program ends"};
    case FunctionRole::ExitThread: return end_thread(state, thread);
    case FunctionRole::UseCondition:
      of_model(state, thread, s, 0);
      result(false);
      break;
    case FunctionRole::DestroyMutex:
      mutex(state, thread, s, 0);
      result(false);
      break;
    case FunctionRole::InitMutex: {
      if (operand(1) != 0) throw Stop{End::Kind::Refused, "a mutex with attributes"};
      const Place word = mutex(state, thread, s, 0);
      store(state, word, {0}, 4);
      result(true);
      break;
    }
    case FunctionRole::LockMutex:
      take(state, mutex(state, thread, s, 0));
      result(true);
      break;
    case FunctionRole::UnlockMutex:
      release(state, mutex(state, thread, s, 0));
      result(false);
      break;
    case FunctionRole::WaitCondition: {
      of_model(state, thread, s, 0);
      const Place word = mutex(state, thread, s, 1);
      if (here.phase == 0) {
        release(state, word);
        here.phase = 1;
        return;
      }
      take(state, word);
      result(true);
      break;
    }
    default: throw Stop{End::Kind::Refused, program_.functions[s.callee].name + " among any number of threads"};
  }
  here.phase = 0;
  frame.location = edge.to;
}

}  // namespace whittle::proof
