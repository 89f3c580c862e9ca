// The concrete machine against the definition of statements (semantics/): every kind with an effect, all widths, random
// states; every demand, met and not met.
#include <gtest/gtest.h>

#include <random>

#include "exec/exec_test_support.h"
#include "semantics/demand.h"
#include "semantics/meaning.h"

namespace whittle::exec::test {
namespace {

using semantics::Assign;
using semantics::Demand;
using semantics::Meaning;

constexpr unsigned kBytes = 48;  ///< of each static object

/// One statement in front of a random state: registers a, b, c of the statement's width, p, q, n addresses and a size.
class Experiment {
 public:
  explicit Experiment(uint32_t seed) : random_(seed) {
    program_.entry = add_function(program_, "main");
    for (bool constant : {false, true}) {
      std::vector<uint8_t> bytes(kBytes);
      for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random_());
      add_object(program_, constant ? "constant" : "variable", bytes, 16, constant);
    }
    program_.place_objects();
    width_ = 8u << (random_() % 5);
    writer_ = std::make_unique<Writer>(program_, 0);
    for (const char* name : {"a", "b", "c"}) {
      values_.push_back(writer_->reg(width_, name));
      writer_->assign(values_.back(), interesting(width_));
    }
    bit_ = writer_->reg(1, "bit");
    writer_->assign(bit_, writer_->num(random_() % 2, 1));
    p_ = address("p"), q_ = address("q");
    n_ = writer_->reg(64, "n");
    writer_->assign(n_, writer_->num(random_() % 20, 64));
  }

  uint32_t pick(uint32_t below) { return static_cast<uint32_t>(random_() % below); }
  Term value(unsigned i) { return values_[i]; }
  Term p() { return p_; }
  Term q() { return q_; }
  Term n() { return n_; }
  Term bit() { return bit_; }
  unsigned width() const { return width_; }
  Writer& writer() { return *writer_; }

  /// Runs up to the statement, asks the definition, executes it, compares.
  void compare(Statement s) {
    SCOPED_TRACE(std::string(program::name(s.kind)) + " of width " + std::to_string(width_));
    writer_->add(std::move(s));
    writer_->halt(writer_->num(0));
    writer_->finish();
    const auto& function = program_.functions[0];
    const uint32_t edge = static_cast<uint32_t>(function.edges.size() - 2);
    Machine machine(compile(program_, only({verdict::Property::ValidDeref, verdict::Property::UnreachCall,
                                            verdict::Property::NoDeadlock, verdict::Property::ValidFree})));
    machine.set_budget(1);
    machine.reset();
    machine.schedule(0);
    while (machine.pause().kind == PauseKind::Budget && machine.frame(0, 0).location != function.edges[edge].from)
      machine.resume();
    ASSERT_EQ(machine.pause().kind, PauseKind::Budget);

    const Statement& statement = function.edges[edge].statement;
    const bool met = all_met(machine, statement);
    Meaning m = semantics::meaning_of(program_, 0, edge);
    std::vector<uint8_t> memory = bytes(machine);
    std::vector<std::pair<program::RegisterId, u128>> registers;
    for (const Assign& a : m.assigns)
      if (a.source == Assign::Source::Value && met) registers.emplace_back(a.target, evaluate(machine, a.value));
    if (met) apply(machine, m, memory);
    const bool goes_on = (!m.guard || evaluate(machine, m.guard) != 0) && (!m.wait || !met || evaluate(machine, m.wait) != 0);

    machine.resume();
    if (!met) {
      EXPECT_EQ(machine.pause().kind, PauseKind::Violation);
    } else if (!goes_on) {
      EXPECT_TRUE(machine.pause().kind == PauseKind::Pruned || machine.pause().kind == PauseKind::Blocked);
    } else {
      // There is no pause inside an atomic region: the program just ends.
      ASSERT_TRUE(machine.pause().kind == PauseKind::Budget || machine.pause().kind == PauseKind::Halted)
          << machine.pause().reason << machine.pause().violation.message;
      for (auto [reg, expected] : registers) EXPECT_TRUE(machine.register_value(0, 0, reg) == expected) << "register " << reg;
      EXPECT_EQ(bytes(machine), memory);
    }
  }

 private:
  Term interesting(unsigned width) {
    const u128 random = u128{random_()} << 64 | u128{random_()} << 32 | random_();
    const u128 values[] = {0, 1, ~u128{0}, u128{1} << (width - 1), random, random, random & 7};
    return program_.terms().constant(width, values[random_() % std::size(values)]);
  }
  /// Inside an object, at its edge, outside, null.
  Term address(const char* name) {
    Term reg = writer_->reg(64, name);
    const uint64_t base = program_.objects[random_() % 6 == 0].address;
    const uint64_t choices[] = {base, base + 8 * (random_() % 5), base + random_() % kBytes, base + kBytes - 1, base + kBytes, 0};
    writer_->assign(reg, writer_->num(choices[std::min<uint64_t>(random_() % 9, 5)], 64));
    return reg;
  }
  std::vector<uint8_t> bytes(Machine& machine) {
    std::vector<uint8_t> all(2 * kBytes);
    for (unsigned o = 0; o < 2; ++o)
      EXPECT_TRUE(machine.read_memory(program_.objects[o].address, {all.data() + o * kBytes, kBytes}));
    return all;
  }
  u128 evaluate(Machine& machine, Term t) {
    return program_.terms().evaluate(
        t, {[&](Term variable) { return machine.register_value(0, 0, program_.register_of(variable).reg); },
            [&](u128 at, unsigned size) {
              uint8_t read[16] = {};
              EXPECT_TRUE(machine.read_memory(static_cast<uint64_t>(at), {read, size}));
              u128 result = 0;
              for (unsigned i = size; i-- > 0;) result = result << 8 | read[i];
              return result;
            }});
  }
  void apply(Machine& machine, const Meaning& m, std::vector<uint8_t>& memory) {
    auto offset = [&](uint64_t at) {
      const uint64_t constant = program_.objects[1].address;
      return at >= constant && at < constant + kBytes ? kBytes + at - constant : at - program_.objects[0].address;
    };
    const std::vector<uint8_t> before = memory;
    for (const semantics::Write& w : m.writes) {
      const uint64_t to = static_cast<uint64_t>(evaluate(machine, w.address));
      const uint64_t size = w.size ? static_cast<uint64_t>(evaluate(machine, w.size)) : w.value.width() / 8;
      const u128 value = evaluate(machine, w.value);
      for (uint64_t i = 0; i < size; ++i)
        memory[offset(to) + i] = w.kind == semantics::Write::Kind::Value  ? static_cast<uint8_t>(value >> (8 * i))
                                 : w.kind == semantics::Write::Kind::Fill ? static_cast<uint8_t>(value)
                                                                          : before[offset(static_cast<uint64_t>(value)) + i];
    }
  }
  bool all_met(Machine& machine, const Statement& s) {
    for (const Demand& d : semantics::demands(s)) {
      bool met = true;
      if (d.kind == Demand::Kind::Condition) met = evaluate(machine, s.operands[0]) != 0;
      if (d.kind == Demand::Kind::Free) met = evaluate(machine, s.operands[0]) == 0;  // nothing was allocated
      if (d.kind == Demand::Kind::Access) {
        const uint64_t at = static_cast<uint64_t>(evaluate(machine, s.operands[d.access.address]));
        const uint64_t size = d.access.size_operand == semantics::Access::kFixed
                                  ? d.access.bytes
                                  : static_cast<uint64_t>(evaluate(machine, s.operands[d.access.size_operand]));
        met = size == 0 || semantics::in_static_object(program_, at, size, d.access.align, d.access.write);
        EXPECT_TRUE(met || !semantics::always_met(program_, s, d));
      }
      if (!met) return false;
    }
    return true;
  }

  std::mt19937_64 random_;
  program::Program program_;
  std::unique_ptr<Writer> writer_;
  unsigned width_ = 8;
  std::vector<Term> values_;
  Term p_, q_, n_, bit_;
};

/// A statement of the kind, or none if the kind has no effect of its own on registers and memory.
std::optional<Statement> statement(Experiment& e, Kind kind) {
  Writer& w = e.writer();
  Statement s;
  switch (kind) {
    case Kind::Skip:
    case Kind::Fence:
    case Kind::AtomicBegin: s = w.make(kind, {}, {}); break;
    case Kind::Assign: s = w.make(kind, {e.value(0), e.value(1)}, {e.value(1), w.t().add(e.value(0), e.value(2))}); break;
    case Kind::Assume:
    case Kind::Check: s = w.make(kind, {}, {w.t().ult(e.value(0), e.value(1))}); break;
    case Kind::Load: s = w.make(kind, {e.value(0)}, {e.p()}); break;
    case Kind::Store: s = w.make(kind, {}, {e.p(), e.value(1)}); break;
    case Kind::AtomicRmw:
      s = w.make(kind, {e.value(0)}, {e.p(), e.value(1)});
      s.rmw = static_cast<program::Rmw>(e.pick(11));
      break;
    case Kind::AtomicCas: {
      // Sometimes what is there is expected.
      s = w.make(kind, {e.value(0), e.bit()}, {e.p(), e.value(1), e.value(2)});
      break;
    }
    case Kind::Await: s = w.make(kind, {}, {e.p(), e.value(0), e.value(1), e.value(2)}); break;
    case Kind::Copy: s = w.make(kind, {}, {e.p(), e.q(), e.n()}); break;
    case Kind::Fill: s = w.make(kind, {}, {e.p(), w.t().extract(e.value(0), 0, 8), e.n()}); break;
    case Kind::HeapFree: s = w.make(kind, {}, {e.p()}); break;
    case Kind::Output: s = w.make(kind, {}, {w.num(1), e.p(), e.n()}); break;
    default: return std::nullopt;
  }
  s.width = static_cast<uint16_t>(e.width());
  if (kind == Kind::Load || kind == Kind::Store) s.align = static_cast<uint8_t>(1u << e.pick(4));
  return s;
}

class Meanings : public ::testing::TestWithParam<unsigned> {};

TEST_P(Meanings, AreWhatTheMachineDoes) {
  const Kind kind = static_cast<Kind>(GetParam());
  for (uint32_t seed = 0; seed < 400 && !::testing::Test::HasFailure(); ++seed) {
    Experiment e(seed * program::kKindCount + GetParam());
    auto s = statement(e, kind);
    if (!s) return;
    e.compare(*s);
  }
}

INSTANTIATE_TEST_SUITE_P(OfEveryKind, Meanings, ::testing::Range(0u, program::kKindCount), [](const auto& kind) {
  std::string name(program::name(static_cast<Kind>(kind.param)));
  std::erase_if(name, [](char c) { return !isalnum(static_cast<unsigned char>(c)); });
  return name + "_" + std::to_string(kind.param);
});

}  // namespace
}  // namespace whittle::exec::test
