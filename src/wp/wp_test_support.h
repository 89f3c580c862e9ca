// Random paths over registers and a small array, and an evaluator that knows nothing of terms' effects: what a path does is
// compared with it.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "semantics/access.h"
#include "wp/frames.h"
#include "wp/step.h"

namespace whittle::wp::test {

using program::FunctionBuilder;
using program::FunctionId;
using program::Kind;
using program::Program;
using program::RegisterId;
using program::Statement;
using term::Store;

/// Registers of all frames and bytes of memory. Bytes never written are what `background` says.
struct State {
  std::map<std::pair<FrameId, RegisterId>, u128> registers;
  std::map<uint64_t, uint8_t> memory;
  uint64_t background = 0;

  uint8_t byte(uint64_t address) const {
    auto it = memory.find(address);
    return it != memory.end() ? it->second : static_cast<uint8_t>((address * 37 + background) % 5);
  }
  u128 load(uint64_t address, unsigned bytes) const {
    u128 value = 0;
    for (unsigned i = 0; i < bytes; ++i) value |= static_cast<u128>(byte(address + i)) << (8 * i);
    return value;
  }
  void store(uint64_t address, u128 value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) memory[address + i] = static_cast<uint8_t>(value >> (8 * i));
  }
};

/// Runs statements, one after the other, as a plain interpreter would.
class Evaluator {
 public:
  Evaluator(const Program& program, Frames& frames) : program_(program), frames_(frames) {}

  u128 operand(const State& state, const Step& step, Term t) const {
    return program_.terms().evaluate(t, {[&](Term v) {
                                           RegisterId reg = program_.register_of(v).reg;
                                           auto it = state.registers.find({step.frame, reg});
                                           return it == state.registers.end() ? u128{0} : it->second;
                                         },
                                         {}});
  }
  /// A predicate over registers of frames and memory; `inputs` are the values of input variables.
  u128 value(const State& state, Term t, const std::map<uint32_t, u128>& inputs = {}) const {
    return program_.terms().evaluate(
        t, {[&](Term v) {
              Frames::Register r = frames_.register_of(v);
              if (!r.known()) {
                auto input = inputs.find(v.variable());
                return input == inputs.end() ? u128{0} : input->second;
              }
              auto it = state.registers.find({r.frame, r.reg});
              return it == state.registers.end() ? u128{0} : it->second;
            },
            [&](u128 address, unsigned bytes) { return state.load(static_cast<uint64_t>(address), bytes); }});
  }
  /// False if an assumption fails. Fills in what the step did when `record` is not null.
  bool run(State& state, const Step& step, u128 nondet, Step* record) const {
    const Statement& s = program_.functions[step.function].edges[step.edge].statement;
    auto at = [&](size_t i) { return operand(state, step, s.operands[i]); };
    auto at64 = [&](size_t i) { return static_cast<uint64_t>(at(i)); };
    auto set = [&](size_t i, u128 value) { state.registers[{step.frame, s.targets[i]}] = value; };
    if (record != nullptr && s.kind != Kind::Assign && !s.operands.empty()) record->address = at64(0);
    switch (s.kind) {
      case Kind::Assign: {
        std::vector<u128> values;
        for (size_t i = 0; i < s.targets.size(); ++i) values.push_back(at(i));
        for (size_t i = 0; i < s.targets.size(); ++i) set(i, values[i]);
        return true;
      }
      case Kind::Assume: return at(0) == 1;
      case Kind::Load: set(0, state.load(at64(0), s.width / 8)); return true;
      case Kind::Store: state.store(at64(0), at(1), s.width / 8); return true;
      case Kind::Nondet:
        set(0, nondet & mask128(program_.functions[step.function].registers[s.targets[0]].width()));
        return true;
      case Kind::Copy: {
        if (record != nullptr) record->source = at64(1), record->size = at64(2);
        std::vector<uint8_t> bytes;
        for (uint64_t i = 0; i < at64(2); ++i) bytes.push_back(state.byte(at64(1) + i));
        for (uint64_t i = 0; i < bytes.size(); ++i) state.memory[at64(0) + i] = bytes[i];
        return true;
      }
      case Kind::Fill:
        if (record != nullptr) record->size = at64(2);
        for (uint64_t i = 0; i < at64(2); ++i) state.memory[at64(0) + i] = static_cast<uint8_t>(at(1));
        return true;
      case Kind::AtomicRmw: {
        u128 old = state.load(at64(0), s.width / 8), operand = at(1);
        bool less = sign_extend128(old, s.width) < sign_extend128(operand, s.width);
        u128 value = s.rmw == program::Rmw::Add   ? old + operand
                     : s.rmw == program::Rmw::Max ? (less ? operand : old)
                                                  : operand;
        state.store(at64(0), value, s.width / 8);
        set(0, old);
        return true;
      }
      case Kind::AtomicCas: {
        u128 old = state.load(at64(0), s.width / 8);
        bool success = old == at(1);
        if (success) state.store(at64(0), at(2), s.width / 8);
        set(0, old);
        set(1, success ? 1 : 0);
        return true;
      }
      case Kind::Await: {
        u128 seen = state.load(at64(0), s.width / 8) & at(1);
        i128 x = sign_extend128(seen, s.width);
        return sign_extend128(at(2), s.width) <= x && x <= sign_extend128(at(3), s.width);
      }
      case Kind::Call:
        for (uint32_t i = 0; i < s.operands.size(); ++i) state.registers[{step.callee_frame, i}] = at(i);
        return true;
      case Kind::Return: {
        const Statement& call = program_.functions[step.caller].edges[step.call_edge].statement;
        state.registers[{step.caller_frame, call.targets[0]}] = at(0);
        return true;
      }
      default: return true;
    }
  }

 private:
  const Program& program_;
  Frames& frames_;
};

/// A program that is one path: two threads in `worker`, which call `helper`, over a few pointers into one small array.
class RandomPath {
 public:
  static constexpr uint64_t kArray = 0x20000000;
  static constexpr unsigned kPointers = 3, kNumbers = 4;

  explicit RandomPath(uint64_t seed, bool nondet) : random_(seed) {
    program.data_model = pick(2) == 0 ? program::DataModel::ILP32 : program::DataModel::LP64;
    program.functions.resize(2);
    program.functions[0].name = "worker", program.functions[1].name = "helper";
    width_ = program.pointer_width();
    for (unsigned f = 0; f < 2; ++f) {
      for (unsigned i = 0; i < kPointers; ++i) program.add_register(f, width_, "p" + std::to_string(i));
      for (unsigned i = 0; i < kNumbers; ++i) program.add_register(f, 32, "n" + std::to_string(i));
      program.add_register(f, 1, "flag");
    }
    program.functions[1].parameter_count = 1;
    program.functions[1].return_width = 32;
    FunctionBuilder worker(program, 0), helper(program, 1);
    Evaluator evaluator(program, frames);
    start = random_state();
    state = start;
    for (unsigned n = 4 + static_cast<unsigned>(pick(9)); n > 0; --n) {
      const FrameId frame = pick(3) == 0 ? 2 : 1;  // one frame per thread, and 10 + that for its call
      if (pick(9) == 0)
        call(evaluator, worker, helper, frame);
      else
        append(evaluator, worker, 0, frame, random_statement(0, frame, nondet));
    }
    predicate = random_predicate(1);
    if (pick(2) == 0) predicate = program.terms().bor(predicate, random_predicate(2));
  }

  uint64_t pick(uint64_t n) { return random_() % n; }

  State random_state() {
    State s;
    s.background = pick(100);
    for (FrameId frame : {1u, 2u}) {
      for (RegisterId i = 0; i < kPointers; ++i) s.registers[{frame, i}] = kArray + pick(16);
      for (RegisterId i = 0; i < kNumbers; ++i)
        s.registers[{frame, kPointers + i}] = pick(3) == 0 ? random_() & mask64(32) : pick(6);
      s.registers[{frame, kPointers + kNumbers}] = pick(2);
    }
    return s;
  }
  /// Something like `start`: a few registers and bytes differ.
  State neighbour() {
    State s = start;
    State other = random_state();
    if (pick(3) == 0) s.background = other.background;
    for (auto& [key, value] : s.registers)
      if (pick(5) == 0) value = key.second < kPointers && pick(3) != 0 ? value : other.registers[key];
    for (uint64_t n = pick(6); n > 0; --n) s.memory[kArray + pick(32)] = static_cast<uint8_t>(pick(4));
    return s;
  }

  Program program;
  Frames frames{program};
  Path path;
  std::vector<u128> nondets;  ///< by step
  State start, state;
  Term predicate;

 private:
  Store& s() { return program.terms(); }
  Term var(FunctionId f, RegisterId r) { return program.functions[f].registers[r].variable; }
  Term number(FunctionId f) {
    Term n = var(f, kPointers + static_cast<RegisterId>(pick(kNumbers)));
    switch (pick(5)) {
      case 0: return s().constant(32, pick(8));
      case 1: return s().add(n, s().constant(32, pick(4)));
      case 2: return s().sub(n, var(f, kPointers + static_cast<RegisterId>(pick(kNumbers))));
      case 3: return s().ite(var(f, kPointers + kNumbers), n, s().constant(32, pick(9)));
      default: return n;
    }
  }
  Term address(FunctionId f) {
    Term p = var(f, static_cast<RegisterId>(pick(kPointers)));
    switch (pick(5)) {
      case 0: return s().constant(width_, kArray + pick(16));
      case 1: return s().add(p, s().constant(width_, pick(5)));
      case 2: return s().add(p, s().zext(s().extract(var(f, kPointers), 0, 2), width_));  // p[n & 3]
      default: return p;
    }
  }
  Term condition(FunctionId f) {
    switch (pick(5)) {
      case 0: return s().ult(number(f), number(f));
      case 1: return s().slt(number(f), s().constant(32, pick(6)));
      case 2: return s().eq(address(f), address(f));
      case 3: return s().eq(s().extract(number(f), 0, 2), s().constant(2, pick(4)));
      default: return var(f, kPointers + kNumbers);
    }
  }
  Term resized(Term t, unsigned width) { return s().resize_unsigned(t, width); }

  Statement random_statement(FunctionId f, FrameId frame, bool nondet) {
    const RegisterId n = kPointers + static_cast<RegisterId>(pick(kNumbers)), flag = kPointers + kNumbers;
    switch (pick(nondet ? 12 : 11)) {
      case 0: return {.kind = Kind::Assign, .targets = {n}, .operands = {number(f)}};
      case 1: {
        RegisterId p = static_cast<RegisterId>(pick(kPointers));
        return {.kind = Kind::Assign, .targets = {p, n}, .operands = {address(f), number(f)}};
      }
      case 2:
      case 3: return {.kind = Kind::Load, .width = 32, .targets = {n}, .operands = {address(f)}};
      case 4:
      case 5: {
        const uint16_t w = static_cast<uint16_t>(8u << pick(4));
        return {.kind = Kind::Store, .width = w, .operands = {address(f), resized(number(f), w)}};
      }
      case 6: {
        Term c = condition(f);
        Step here{.function = f, .frame = frame};
        if (Evaluator(program, frames).operand(state, here, c) == 0) c = s().bnot(c);
        return {.kind = Kind::Assume, .operands = {c}};
      }
      case 7:
        if (pick(2) == 0)
          return {.kind = Kind::Copy, .operands = {address(f), address(f), s().constant(width_, pick(7))}};
        return {.kind = Kind::Fill,
                .operands = {address(f), resized(number(f), 8), resized(s().extract(var(f, n), 0, 3), width_)}};
      case 8: {
        static constexpr program::Rmw kinds[] = {program::Rmw::Add, program::Rmw::Max, program::Rmw::Exchange};
        return {.kind = Kind::AtomicRmw,
                .rmw = kinds[pick(3)],
                .width = 32,
                .targets = {n},
                .operands = {address(f), number(f)}};
      }
      case 9: {
        return {
            .kind = Kind::AtomicCas, .width = 32, .targets = {n, flag}, .operands = {address(f), number(f), number(f)}};
      }
      case 10: {  // waits for what is there anyway
        Term a = address(f);
        Step here{.function = f, .frame = frame};
        u128 seen = state.load(static_cast<uint64_t>(Evaluator(program, frames).operand(state, here, a)), 4) & 7;
        return {.kind = Kind::Await,
                .width = 32,
                .operands = {a, s().constant(32, 7), s().constant(32, seen > 1 ? 2 : 0), s().constant(32, 7)}};
      }
      default: return {.kind = Kind::Nondet, .targets = {n}};
    }
  }

  /// Adds the statement to the function, runs it and records the step.
  uint32_t append(Evaluator& evaluator, FunctionBuilder& builder, FunctionId f, FrameId frame, Statement statement,
                  Step step = {}) {
    step.function = f, step.frame = frame, step.thread = frame % 10;
    step.edge = static_cast<uint32_t>(program.functions[f].edges.size());
    program.functions[f].edges.push_back({0, 0, std::move(statement)});
    (void)builder;
    nondets.push_back(pick(3) == 0 ? random_() : pick(6));
    const Statement& s = program.functions[f].edges.back().statement;
    auto as_it_was = [&](uint8_t operand) {
      Term t = s.operands[operand];
      step.demands.push_back(this->s().eq(t, this->s().constant(t.width(), evaluator.operand(state, step, t))));
    };
    for (const semantics::Access& access : semantics::accesses(s)) {
      as_it_was(access.address);
      if (access.size_operand != semantics::Access::kFixed) as_it_was(access.size_operand);
    }
    step.firm = pick(2) == 0;
    EXPECT_TRUE(evaluator.run(state, step, nondets.back(), &step));
    path.push_back(step);
    return step.edge;
  }

  void call(Evaluator& evaluator, FunctionBuilder& worker, FunctionBuilder& helper, FrameId frame) {
    const RegisterId n = kPointers + static_cast<RegisterId>(pick(kNumbers));
    const FrameId inner = frame + 10;
    uint32_t edge =
        append(evaluator, worker, 0, frame, {.kind = Kind::Call, .callee = 1, .targets = {n}, .operands = {address(0)}},
               {.callee = 1, .callee_frame = inner});
    // Only the parameter is set so far; the others are set before they are read.
    for (RegisterId i = 1; i < kPointers; ++i)
      append(evaluator, helper, 1, inner,
             {.kind = Kind::Assign, .targets = {i}, .operands = {s().add(var(1, 0), s().constant(width_, pick(4)))}});
    for (RegisterId i = 0; i < kNumbers; ++i)
      append(evaluator, helper, 1, inner,
             {.kind = Kind::Load,
              .width = 32,
              .targets = {kPointers + i},
              .operands = {var(1, static_cast<RegisterId>(pick(kPointers)))}});
    append(evaluator, helper, 1, inner,
           {.kind = Kind::Assign, .targets = {kPointers + kNumbers}, .operands = {s().boolean(pick(2) == 0)}});
    for (uint64_t k = pick(3); k > 0; --k) append(evaluator, helper, 1, inner, random_statement(1, inner, false));
    append(evaluator, helper, 1, inner, {.kind = Kind::Return, .operands = {number(1)}},
           {.caller = 0, .call_edge = edge, .caller_frame = frame});
  }

  Term random_predicate(FrameId frame) {
    Term left = s().read(address(0), 32), right = number(0);
    if (pick(3) == 0)
      left = s().read(
          s().add(s().constant(width_, kArray), s().zext(s().extract(s().read(address(0), 8), 0, 4), width_)), 32);
    if (pick(4) == 0) left = number(0);
    if (pick(3) == 0) right = s().zext(s().read(address(0), 16), 32);
    Term t = pick(3) == 0 ? s().eq(left, right) : pick(2) == 0 ? s().slt(left, right) : s().bnot(s().ult(left, right));
    if (pick(3) == 0) t = s().band(t, condition(0));
    return frames.in_frame(frame, 0, t);
  }

  std::mt19937_64 random_;
  unsigned width_ = 64;
};

inline int programs() {
#ifdef __SANITIZE_ADDRESS__
  return std::getenv("WHITTLE_LONG") != nullptr ? 5000 : 500;
#else
  return 5000;
#endif
}

}  // namespace whittle::wp::test
