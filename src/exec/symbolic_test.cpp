// The promise of the symbolic machine: a run stands for every model of its path condition.
#include "exec/symbolic.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <random>

#include "exec/exec_test_support.h"

namespace whittle::exec::test {
namespace {

using program::Rmw;
using Inputs = std::vector<u128>;

/// A random program: main reads inputs of two bits, starts a second thread, and both work on a small array, a heap
/// object and registers, with branches, calls, atomics and checks.
class RandomProgram {
 public:
  explicit RandomProgram(uint64_t seed) : random_(seed) {
    add_object(program_, "array", {5, 0, 1, 0, 2, 0, 3, 0}, 2);
    add_object(program_, "word", {1, 0, 0, 0}, 4);
    add_object(program_, "pointer", {0, 0, 0, 0, 0, 0, 0, 0}, 8);
    program_.place_objects();
    add_function(program_, "main");
    worker_ = add_function(program_, "worker");
    helper_ = add_function(program_, "helper", 16);
    program_.entry = 0;
    {
      Writer w(program_, helper_);
      Term a = w.param(16), b = w.param(16);
      LocationId yes = w.label(), no = w.label();
      w.branch(w.t().ult(a, b), yes, no);
      w.place(yes);
      w.plain(Kind::Return, {}, {w.t().sub(b, a)});
      w.place(no);
      w.plain(Kind::Return, {}, {a});
    }
    {
      Writer w(program_, worker_);
      Term argument = w.param(64);
      for (int i = 0; i < 4; ++i) registers_.push_back(w.reg(16));
      w.assign(registers_[0], w.t().extract(argument, 0, 16));
      body(w);
      w.plain(Kind::Return);
    }
    Writer w(program_, 0);
    registers_.clear();
    for (int i = 0; i < 4; ++i) registers_.push_back(w.reg(16));
    Term bits = w.reg(2), thread = w.reg(32), heap = w.reg(64);
    for (int i = 0; i < 3; ++i) {
      w.nondet(bits);
      w.assign(registers_[i], w.t().zext(bits, 16));
    }
    w.plain(Kind::HeapAlloc, {heap}, {w.num(8, 64), w.num(pick(2), 1)});
    w.store(w.num(program_.objects[2].address, 64), heap);
    w.plain(Kind::Spawn, {thread},
            {w.num(program::Program::function_address(worker_), 64), w.t().zext(registers_[0], 64), w.num(0, 64)});
    body(w);
    w.halt(w.num(0));
  }

  program::Program& program() { return program_; }
  const std::vector<uint64_t>& objects() const { return objects_; }

 private:
  uint64_t pick(uint64_t n) { return random_() % n; }
  Term any() { return registers_[pick(registers_.size())]; }
  Term expression(Writer& w) {
    switch (pick(6)) {
      case 0: return w.t().add(any(), any());
      case 1: return w.t().sub(any(), w.num(pick(3), 16));
      case 2: return w.t().mul(any(), any());
      case 3: return w.t().bxor(any(), any());
      case 4: return w.num(pick(4), 16);
      default: return any();
    }
  }
  Term condition(Writer& w) {
    Term a = expression(w), b = expression(w);
    return pick(2) ? w.t().ult(a, b) : w.t().eq(a, b);
  }
  Term address(Writer& w) {
    uint64_t array = program_.objects[0].address;
    if (pick(3) == 0) return w.num(array + 2 * pick(4), 64);
    Term index = w.t().band(any(), w.num(pick(4) == 0 ? 7 : 3, 16));
    return w.t().add(w.num(array, 64), w.t().mul(w.t().zext(index, 64), w.num(pick(6) == 0 ? 1 : 2, 64)));
  }
  void body(Writer& w) {
    uint64_t word = program_.objects[1].address;
    for (int i = 0; i < 8; ++i) {
      switch (pick(10)) {
        case 0:
        case 1: w.assign(any(), expression(w)); break;
        case 2: w.load(any(), address(w)); break;
        case 3: w.store(address(w), expression(w)); break;
        case 4: {
          LocationId yes = w.label(), no = w.label(), join = w.label();
          w.branch(condition(w), yes, no);
          w.place(yes);
          w.assign(any(), expression(w));
          w.go(join);
          w.place(no);
          w.store(address(w), any());
          w.place(join);
          break;
        }
        case 5: w.call(helper_, {any()}, {expression(w), any()}); break;
        case 6: {
          Statement s = w.make(Kind::AtomicRmw, {any()}, {w.num(word, 64), expression(w)});
          s.width = 16;
          s.rmw = static_cast<Rmw>(pick(11));
          w.add(s);
          break;
        }
        case 7: {
          Term pointer = w.reg(64), index = w.t().zext(w.t().band(any(), w.num(3, 16)), 64);
          w.load(pointer, w.num(program_.objects[2].address, 64));
          Term there = w.t().add(pointer, w.t().mul(index, w.num(2, 64)));
          if (pick(2))
            w.load(any(), there);
          else
            w.store(there, expression(w));
          break;
        }
        case 8:
          if (pick(3) == 0) {
            w.check(w.t().bnot(w.t().band(condition(w), condition(w))));
          } else {
            w.plain(Kind::Copy, {}, {w.num(word + 2, 64), address(w), w.num(2, 64)});
          }
          break;
        default: {
          if (pick(4) == 0) {
            w.await(w.num(word, 64), w.num(3, 16), w.num(0, 16), w.num(2, 16));
            w.plain(Kind::AtomicEnd);
          } else {
            w.plain(Kind::Assume, {}, {w.t().bor(condition(w), condition(w))});
          }
          break;
        }
      }
    }
  }

  std::mt19937_64 random_;
  program::Program program_;
  FunctionId worker_ = 0, helper_ = 0;
  std::vector<Term> registers_;
  std::vector<uint64_t> objects_;
};

/// How a run went: its end, the inputs it asked for, its schedule, and the bytes of static memory.
struct Outcome {
  PauseKind end = PauseKind::Visible;
  size_t inputs = 0;
  std::vector<uint32_t> schedule;
  std::vector<uint8_t> memory;
  bool operator==(const Outcome&) const = default;
};

std::vector<uint8_t> static_memory(Machine& machine, const program::Program& program) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i < 2; ++i) {
    std::vector<uint8_t> part(program.objects[i].size);
    machine.read_memory(program.objects[i].address, part);
    bytes.insert(bytes.end(), part.begin(), part.end());
  }
  return bytes;
}

/// The thread to run at the n-th scheduling point; nothing if all are blocked.
std::optional<uint32_t> choose(Machine& machine, uint64_t seed, size_t n) {
  std::vector<uint32_t> enabled;
  for (uint32_t t = 0; t < machine.thread_count(); ++t)
    if (machine.enabled(t)) enabled.push_back(t);
  if (enabled.empty()) return std::nullopt;
  return enabled[(seed >> (n % 48)) % enabled.size()];
}

u128 value_of(const Inputs& inputs, size_t index, unsigned width) {
  u128 value = index < inputs.size() ? inputs[index] : 0;
  return value & mask128(width);
}

Outcome run_concretely(const program::Program& program, const std::shared_ptr<const Code>& code, const Inputs& inputs,
                       uint64_t seed) {
  Machine machine(code);
  machine.reset();
  Outcome outcome;
  while (!machine.pause().final()) {
    if (machine.pause().kind == PauseKind::Input) {
      u128 value = value_of(inputs, outcome.inputs++, machine.pause().width);
      machine.provide(value);
      continue;
    }
    auto thread = choose(machine, seed, outcome.schedule.size());
    if (!thread) break;
    outcome.schedule.push_back(*thread);
    machine.schedule(*thread);
  }
  outcome.end = machine.pause().kind;
  outcome.memory = static_memory(machine, program);
  return outcome;
}

struct SymbolicRun {
  Outcome outcome;
  std::vector<Term> variables;
  std::vector<Fork> path;
  std::vector<Term> memory;  ///< terms of the bytes
};

/// The same symbolically. At scheduling point `swap_at` the snapshot is saved, spoiled, loaded and given the model
/// `other`, under which the run goes on.
SymbolicRun run_symbolically(SymbolicMachine& s, std::vector<Term>& pool, const Inputs& inputs, uint64_t seed,
                             size_t swap_at = SIZE_MAX, const Inputs& other = {}) {
  term::Store& terms = s.program().terms();
  SymbolicRun run;
  s.reset();
  const Inputs* now = &inputs;
  std::vector<Fork> before;
  auto model = [&](Term variable) {
    for (size_t i = 0; i < run.variables.size(); ++i)
      if (run.variables[i] == variable) return value_of(*now, i, variable.width());
    return u128{0};
  };
  while (!s.pause().final()) {
    if (s.pause().kind == PauseKind::Input) {
      size_t index = run.outcome.inputs++;
      unsigned width = s.pause().width;
      if (index >= pool.size() || pool[index].width() != width) {
        pool.resize(std::max(pool.size(), index + 1));
        pool[index] = terms.variable(width, "input");
      }
      run.variables.push_back(pool[index]);
      s.provide(pool[index], value_of(*now, index, width));
      continue;
    }
    if (run.outcome.schedule.size() == swap_at) {
      before.assign(s.forks().begin(), s.forks().end());
      SymbolicMachine::Snapshot snapshot = s.save();
      if (auto thread = choose(s.machine(), seed, 0)) s.schedule(*thread);
      s.load(snapshot);
      now = &other;
      s.set_model(model);
    }
    s.fork_awaits();
    auto thread = choose(s.machine(), seed, run.outcome.schedule.size());
    if (!thread) break;
    run.outcome.schedule.push_back(*thread);
    s.schedule(*thread);
  }
  run.outcome.end = s.pause().kind;
  run.outcome.memory = static_memory(s.machine(), s.program());
  run.path = std::move(before);
  run.path.insert(run.path.end(), s.forks().begin(), s.forks().end());
  for (size_t i = 0; i < 2; ++i)
    for (uint64_t b = 0; b < s.program().objects[i].size; ++b)
      run.memory.push_back(s.memory_term(s.program().objects[i].address + b, 1));
  return run;
}

bool follows(const term::Store& terms, const SymbolicRun& run, const Inputs& inputs) {
  term::Assignment assignment;
  assignment.variable = [&](Term variable) {
    for (size_t i = 0; i < run.variables.size(); ++i)
      if (run.variables[i] == variable) return value_of(inputs, i, variable.width());
    return u128{0};
  };
  for (const Fork& fork : run.path)
    if (terms.evaluate(fork.condition, assignment) == 0) return false;
  return true;
}

TEST(Symbolic, ARunSpeaksForEveryModelOfItsPathCondition) {
  unsigned rounds = std::getenv("WHITTLE_LONG") ? 2000 : 150;
  std::mt19937_64 random(7);
  size_t spoken_for = 0, swapped = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    RandomProgram made(random());
    program::Program& program = made.program();
    auto code = compile(program);
    SymbolicMachine symbolic(program, code);
    uint64_t seed = random();
    std::vector<Inputs> all;
    for (unsigned i = 0; i < 64; ++i) {
      Inputs inputs{i & 3, i >> 2 & 3, i >> 4};
      for (int k = 0; k < 6; ++k) inputs.push_back(random() % 5);  // bytes of the heap without a value
      all.push_back(inputs);
    }
    std::vector<Term> pool;
    for (unsigned i = 0; i < 64; i += 5) {
      SymbolicRun run = run_symbolically(symbolic, pool, all[i], seed);
      ASSERT_EQ(run.outcome, run_concretely(program, code, all[i], seed)) << "round " << round;
      ASSERT_TRUE(follows(program.terms(), run, all[i])) << "round " << round;
      for (const Inputs& other : all) {
        if (!follows(program.terms(), run, other)) continue;
        ++spoken_for;
        Outcome real = run_concretely(program, code, other, seed);
        ASSERT_EQ(real.end, run.outcome.end) << "round " << round;
        ASSERT_EQ(real.schedule, run.outcome.schedule) << "round " << round;
        ASSERT_EQ(real.inputs, run.outcome.inputs) << "round " << round;
        term::Assignment assignment;
        assignment.variable = [&](Term variable) {
          for (size_t k = 0; k < run.variables.size(); ++k)
            if (run.variables[k] == variable) return value_of(other, k, variable.width());
          return u128{0};
        };
        for (size_t b = 0; b < real.memory.size(); ++b)
          ASSERT_EQ(program.terms().evaluate(run.memory[b], assignment), real.memory[b]) << "round " << round;
        // The same state under another model goes the other model's way.
        size_t at = 2 + (spoken_for % 5);
        if (spoken_for % 3 != 0 || run.outcome.schedule.size() <= at) continue;
        SymbolicRun mixed = run_symbolically(symbolic, pool, all[i], seed, at, other);
        ASSERT_EQ(mixed.outcome, real) << "round " << round;
        ++swapped;
      }
    }
  }
  EXPECT_GT(spoken_for, rounds * 20);
  EXPECT_GT(swapped, rounds);
}

TEST(Symbolic, FlippedForksReachEveryEnd) {
  // Every outcome that some input has is also found by going over forks, without trying inputs one by one.
  std::mt19937_64 random(11);
  for (unsigned round = 0; round < 40; ++round) {
    RandomProgram made(random());
    program::Program& program = made.program();
    auto code = compile(program);
    SymbolicMachine symbolic(program, code);
    uint64_t seed = random();
    std::vector<Inputs> todo;
    for (unsigned i = 0; i < 64; ++i) todo.push_back({i & 3, i >> 2 & 3, i >> 4});
    std::vector<Term> pool;
    size_t runs = 0;
    while (!todo.empty()) {
      SymbolicRun run = run_symbolically(symbolic, pool, todo.front(), seed);
      ++runs;
      size_t before = todo.size();
      std::erase_if(todo, [&](const Inputs& inputs) { return follows(program.terms(), run, inputs); });
      ASSERT_LT(todo.size(), before);
    }
    EXPECT_LE(runs, 64u);
  }
}

TEST(Symbolic, NothingSymbolicMeansNoListening) {
  program::Program program;
  add_function(program, "main");
  program.entry = 0;
  add_object(program, "x", {1, 0, 0, 0});
  program.place_objects();
  {
    Writer w(program, 0);
    Term a = w.reg(32), b = w.reg(32);
    w.nondet(a);
    LocationId three = w.label(), other = w.label();
    w.branch(w.t().eq(a, w.num(3)), three, other);
    w.place(three);
    w.assign(a, w.num(0));
    w.load(b, w.num(program.objects[0].address, 64));
    w.halt(b);
    w.place(other);
    w.halt(w.num(1));
  }
  auto code = compile(program);
  SymbolicMachine s(program, code);
  s.reset();
  s.schedule(0);
  ASSERT_EQ(s.pause().kind, PauseKind::Input);
  EXPECT_TRUE(s.empty());
  Term x = program.terms().variable(32, "x");
  s.provide(x, 3);
  EXPECT_EQ(s.pause().kind, PauseKind::Halted);
  ASSERT_EQ(s.forks().size(), 1u);
  EXPECT_EQ(s.forks()[0].kind, Fork::Kind::Branch);
  EXPECT_EQ(s.forks()[0].condition, program.terms().eq(x, program.terms().constant(32, 3)));
  EXPECT_TRUE(s.empty());
}

TEST(Overlay, CopiesAndCutsChunks) {
  term::Store terms;
  Overlay overlay(terms);
  Term x = terms.variable(32, "x");
  overlay.store(100, x);
  Overlay before = overlay;
  overlay.copy(102, 100, 4);  // overlapping
  auto zero = [&](uint64_t) { return terms.constant(8, 0); };
  EXPECT_EQ(overlay.load(102, 4, zero), x);
  EXPECT_EQ(overlay.load(100, 2, zero), terms.extract(x, 0, 16));
  EXPECT_EQ(before.load(100, 4, zero), x);
  overlay.store(103, terms.constant(8, 7));
  EXPECT_EQ(overlay.load(102, 1, zero), terms.extract(x, 0, 8));
  EXPECT_FALSE(overlay.touches(103, 1));
  EXPECT_EQ(overlay.load(104, 2, zero), terms.extract(x, 16, 16));
  overlay.forget(0, 1000);
  EXPECT_TRUE(overlay.empty());
  EXPECT_FALSE(before.empty());
}

TEST(Overlay, KeepsConstantsOfAnotherState) {
  term::Store terms;
  Overlay overlay(terms, Overlay::Constants::Kept);
  overlay.set_reg({0, 1, 2}, terms.constant(32, 5));
  overlay.store(100, terms.constant(32, 0x01020304));
  EXPECT_EQ(overlay.reg({0, 1, 2}), terms.constant(32, 5));
  overlay.forget(101, 1);
  EXPECT_TRUE(overlay.touches(100, 1));
  EXPECT_FALSE(overlay.touches(101, 1));
  EXPECT_EQ(overlay.load(102, 2, [](uint64_t) { return Term(); }), terms.constant(16, 0x0102));
  EXPECT_FALSE(overlay.load(100, 2, [](uint64_t) { return Term(); })) << "a byte is not here";
}

}  // namespace
}  // namespace whittle::exec::test
