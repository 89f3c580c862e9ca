// The automaton of random small programs of one thread does what the machine does.
#include "engines/crowd/automaton.h"

#include <gtest/gtest.h>

#include <random>

#include "exec/exec_test_support.h"
#include "exec/machine.h"

namespace whittle::engines::crowd {
namespace {

using exec::test::add_function;
using exec::test::add_object;
using exec::test::Writer;

/// Loads, stores, arithmetic, branches and checks over two words and two registers.
struct RandomProgram {
  program::Program program;
  std::shared_ptr<const exec::Code> code;

  explicit RandomProgram(uint64_t seed) : random_(seed) {
    add_object(program, "g", {2, 0, 0, 0});
    add_object(program, "h", {5, 0, 0, 0});
    program.place_objects();
    program.entry = add_function(program, "main", 32);
    Writer w(program, 0);
    registers_ = {w.reg(32, "a"), w.reg(32, "b")};
    for (Term r : registers_) w.assign(r, w.num(pick(4)));
    for (unsigned n = 0; n < 8; ++n) statement(w, 0);
    w.halt(w.num(0));
    w.finish();
    code = exec::test::compile(program);
  }

 private:
  uint64_t pick(uint64_t n) { return random_() % n; }
  Term any() { return registers_[pick(2)]; }

  void statement(Writer& w, unsigned depth) {
    Term address = w.num(program.objects[pick(2)].address, 64);
    switch (pick(depth > 2 ? 5 : 6)) {
      case 0: return w.load(any(), address);
      case 1: return w.store(address, w.t().add(any(), w.num(pick(3))));
      case 2: return w.assign(any(), w.t().sub(any(), any()));
      case 3: return w.assign(any(), w.t().add(any(), w.num(1)));
      case 4: return w.check(w.t().ne(any(), w.num(1 + pick(8))));
      default: {
        program::LocationId yes = w.label(), no = w.label(), join = w.label();
        w.branch(w.t().ult(any(), w.num(1 + pick(5))), yes, no);
        w.place(yes);
        statement(w, depth + 1);
        w.go(join);
        w.place(no);
        statement(w, depth + 1);
        w.place(join);
      }
    }
  }

  std::mt19937_64 random_;
  std::vector<Term> registers_;
};

/// The words of memory at the end; nothing: a check failed.
using Ending = std::optional<std::map<std::string, u128>>;

Ending on_the_machine(const RandomProgram& p) {
  exec::Machine machine(p.code);
  machine.reset();
  while (!machine.pause().final()) machine.schedule(0);
  if (machine.pause().kind == exec::PauseKind::Violation) return std::nullopt;
  std::map<std::string, u128> words;
  for (const program::Object& object : p.program.objects) {
    uint8_t bytes[4] = {};
    machine.read_memory(object.address, bytes);
    words[object.name] = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | static_cast<u128>(bytes[3]) << 24;
  }
  return words;
}

Ending on_the_automaton(const RandomProgram& p, const Automaton& automaton) {
  std::unordered_map<Term, u128> values;
  for (const Variable& v : automaton.variables()) values[v.term] = v.initial ? v.initial.value() : 0;
  auto value = [&](Term t) { return p.program.terms().evaluate(t, {[&](Term v) { return values.at(v); }, {}}); };
  for (uint32_t at = automaton.kinds()[0].entry; at != kNone;) {
    const Node& node = automaton.nodes()[at];
    for (const Danger& danger : node.dangers)
      if (value(danger.condition) == 1) return std::nullopt;
    const Transition* taken = nullptr;
    for (uint32_t number : node.steps) {
      const Transition& step = automaton.steps()[number];
      bool open = true;
      for (Term condition : step.conditions) open = open && value(condition) == 1;
      if (!open) continue;
      EXPECT_EQ(taken, nullptr) << "two ways to go";
      taken = &step;
    }
    if (taken == nullptr) {
      ADD_FAILURE() << "no way to go";
      return std::nullopt;
    }
    std::unordered_map<Term, u128> after = values;
    for (const auto& [variable, now] : taken->changes) after[variable] = value(now);
    values = std::move(after);
    at = taken->to;
  }
  std::map<std::string, u128> words;
  for (const Variable& v : automaton.variables())
    if (v.kind == kNone) words[v.name] = values[v.term];
  for (const program::Object& object : p.program.objects) words.try_emplace(object.name, object.initial[0]);
  return words;
}

TEST(Automaton, DoesWhatTheMachineDoes) {
  unsigned failed = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    RandomProgram p(seed);
    Limits limits;
    Automaton automaton(p.program, verdict::default_specification(), limits);
    Ending expected = on_the_machine(p);
    ASSERT_EQ(on_the_automaton(p, automaton), expected) << "seed " << seed;
    failed += !expected;
  }
  EXPECT_GT(failed, 20u);
  EXPECT_LT(failed, 280u);
}

}  // namespace
}  // namespace whittle::engines::crowd
