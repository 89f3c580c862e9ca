#include "explore/ctl.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>

#include "base/error.h"
#include "explore/search.h"
#include "explore/toy.h"

namespace whittle::explore {
namespace {

using Bytes = std::vector<uint8_t>;
using machine::Ending;
using machine::Machine;
using machine::StepKind;

/// The whole state space, for the textbook. Violating steps count as cut: what lies beyond is not asked.
struct Space {
  struct State {
    std::vector<uint32_t> next;
    bool cut = false, end = false;
    uint64_t atoms = 0;
  };
  std::vector<State> states;
  std::map<Bytes, uint32_t> number;
  bool violation = false;

  explicit Space(Machine& machine) {
    std::vector<Bytes> order;
    auto visit = [&] {
      Bytes bytes(machine.save().begin(), machine.save().end());
      auto [it, added] = number.try_emplace(bytes, static_cast<uint32_t>(order.size()));
      if (added) order.push_back(bytes), states.emplace_back().atoms = machine.observe();
      return it->second;
    };
    machine.reset();
    visit();
    for (uint32_t i = 0; i < order.size(); ++i) {
      machine.load(order[i]);
      machine::Successors successors = machine.successors();
      states[i].cut |= successors.ending == Ending::Cut;
      for (uint32_t c = 0; c < successors.count; ++c) {
        machine.load(order[i]);
        StepKind kind = machine.step(c);
        violation |= kind == StepKind::Violation;
        if (kind == StepKind::Violation || kind == StepKind::Cut) states[i].cut = true;
        if (kind != StepKind::Moved) continue;
        uint32_t to = visit();
        states[i].next.push_back(to);
      }
      if (states[i].next.empty() && !states[i].cut) states[i].next.push_back(i), states[i].end = true;
    }
  }
};

using Set = std::vector<bool>;

/// Fixpoints as in a textbook; `may`: what lies beyond a cut is whatever makes the formula true.
struct Textbook {
  const Space& space;

  bool pre(uint32_t s, const Set& set, bool all, bool may) const {
    const Space::State& state = space.states[s];
    bool result = all;
    for (uint32_t t : state.next) result = all ? result && set[t] : result || set[t];
    if (state.cut) result = all ? result && may : result || may;
    return result;
  }
  template <typename Next>
  Set fixpoint(bool start, Next next) const {
    Set now(space.states.size(), start);
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t s = 0; s < now.size(); ++s) {
        bool value = next(s, now);
        if (value != now[s]) now[s] = value, changed = true;
      }
    }
    return now;
  }
  /// E[p U q] over all paths.
  Set until(const Set& p, const Set& q, bool may) const {
    return fixpoint(false, [&](uint32_t s, const Set& z) { return q[s] || (p[s] && pre(s, z, false, may)); });
  }
  /// Some fair path has p forever: the largest set of states with p from which every constraint can be met inside of the
  /// set, after a step, through p (Emerson and Lei).
  Set fair_always(const Formula& f, const Set& p, bool may) const {
    Set z = p;
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t constraint : f.fair()) {
        Set goal(z.size());
        for (uint32_t s = 0; s < z.size(); ++s)
          goal[s] = z[s] && (space.states[s].end || f.evaluate(constraint, space.states[s].atoms));
        const Set there = until(p, goal, may);
        for (uint32_t s = 0; s < z.size(); ++s)
          if (z[s] && !pre(s, there, false, may)) z[s] = false, changed = true;
      }
    }
    return z;
  }
  Set fair(const Formula& f, bool may) const { return fair_always(f, Set(space.states.size(), true), may); }
  Set fair_core(const Formula& f, uint32_t node, bool may) const {
    const Formula::Node& n = f[node];
    Set p = core(f, n.left, may), q = core(f, n.right, may);
    const bool all = n.op == Ctl::AlwaysUntil;
    const Set fair_here = fair(f, all ? !may : may);
    Set goal(p.size()), not_q = q;
    not_q.flip();
    for (uint32_t s = 0; s < p.size(); ++s) goal[s] = fair_here[s] && (all ? !p[s] && !q[s] : q[s]);
    if (!all) return until(p, goal, may);
    Set result = until(not_q, goal, !may), avoids = fair_always(f, not_q, !may);
    for (uint32_t s = 0; s < p.size(); ++s) result[s] = !result[s] && !avoids[s];
    return result;
  }
  Set core(const Formula& f, uint32_t node, bool may) const {
    const Formula::Node& n = f[node];
    if (n.op >= Ctl::ExistsUntil && !f.fair().empty()) return fair_core(f, node, may);
    Set result(space.states.size());
    Set left = n.op >= Ctl::And ? core(f, n.left, may) : Set{},
        right = n.op >= Ctl::And ? core(f, n.right, may) : Set{};
    if (n.op == Ctl::Not) left = core(f, n.left, !may);
    bool all = n.op == Ctl::AlwaysUntil;
    if (n.op >= Ctl::ExistsUntil)
      return fixpoint(false,
                      [&](uint32_t s, const Set& now) { return right[s] || (left[s] && pre(s, now, all, may)); });
    for (uint32_t s = 0; s < result.size(); ++s) switch (n.op) {
        case Ctl::True: result[s] = true; break;
        case Ctl::Atom: result[s] = (space.states[s].atoms >> n.left & 1) != 0; break;
        case Ctl::Not: result[s] = !left[s]; break;
        case Ctl::And: result[s] = left[s] && right[s]; break;
        default: result[s] = left[s] || right[s]; break;
      }
    return result;
  }
};

/// A formula as a user writes it, with the meaning of each operator given directly.
struct Written {
  enum Op { Atom, Constant, Not, And, Or, Implies, EF, AF, EG, AG, EU, AU, ER, AR, EW, AW } op = Atom;
  uint32_t number = 0;
  std::unique_ptr<Written> left, right;

  std::string text() const {
    switch (op) {
      case Atom: return fmt::format("a{}", number);
      case Constant: return number != 0 ? "true" : "FF";
      case Not: return "!(" + left->text() + ")";
      case And: return "(" + left->text() + ") && (" + right->text() + ")";
      case Or: return "(" + left->text() + ") || (" + right->text() + ")";
      case Implies: return "(" + left->text() + ") -> (" + right->text() + ")";
      case EF: return "EF (" + left->text() + ")";
      case AF: return "AF (" + left->text() + ")";
      case EG: return "EG (" + left->text() + ")";
      case AG: return "AG (" + left->text() + ")";
      default: {
        char letter = op <= AU ? 'U' : op <= AR ? 'R' : 'W';
        return fmt::format("{}[({}) {} ({})]", (op - EU) % 2 == 0 ? 'E' : 'A', left->text(), letter, right->text());
      }
    }
  }

  Set truth(const Textbook& book, bool may) const {
    size_t size = book.space.states.size();
    bool flips = op == Not || op == Implies;
    Set p = left ? left->truth(book, flips ? !may : may) : Set(size), q = right ? right->truth(book, may) : Set(size);
    bool all = op == AF || op == AG || op == AU || op == AR || op == AW;
    auto pre = [&](uint32_t s, const Set& now) { return book.pre(s, now, all, may); };
    switch (op) {
      case EF:
      case AF: return book.fixpoint(false, [&](uint32_t s, const Set& z) { return p[s] || pre(s, z); });
      case EG:
      case AG: return book.fixpoint(true, [&](uint32_t s, const Set& z) { return p[s] && pre(s, z); });
      case EU:
      case AU: return book.fixpoint(false, [&](uint32_t s, const Set& z) { return q[s] || (p[s] && pre(s, z)); });
      case ER:
      case AR: return book.fixpoint(true, [&](uint32_t s, const Set& z) { return q[s] && (p[s] || pre(s, z)); });
      case EW:
      case AW: return book.fixpoint(true, [&](uint32_t s, const Set& z) { return q[s] || (p[s] && pre(s, z)); });
      default: break;
    }
    Set result(size);
    for (uint32_t s = 0; s < size; ++s)
      result[s] = op == Atom       ? (book.space.states[s].atoms >> number & 1) != 0
                  : op == Constant ? number != 0
                  : op == Not      ? !p[s]
                  : op == And      ? p[s] && q[s]
                  : op == Or       ? p[s] || q[s]
                                   : !p[s] || q[s];
    return result;
  }
};

std::unique_ptr<Written> random_formula(std::mt19937& random, unsigned atoms, int depth) {
  auto f = std::make_unique<Written>();
  if (depth == 0 || random() % 8 == 0) {
    f->op = random() % 10 == 0 ? Written::Constant : Written::Atom;
    f->number = random() % (f->op == Written::Constant ? 2 : atoms);
    return f;
  }
  f->op = static_cast<Written::Op>(Written::Not + random() % (Written::AW - Written::Not + 1));
  f->left = random_formula(random, atoms, depth - 1);
  if (f->op != Written::Not && !(f->op >= Written::EF && f->op <= Written::AG))
    f->right = random_formula(random, atoms, depth - 1);
  return f;
}

std::unique_ptr<Written> make(Written::Op op, std::unique_ptr<Written> left, std::unique_ptr<Written> right = nullptr) {
  auto f = std::make_unique<Written>();
  f->op = op;
  f->left = std::move(left), f->right = std::move(right);
  return f;
}

/// Random formulas rarely tell two similar states apart. These are made for it: who has these atoms and can get,
/// through states of one kind, to a state of another kind? - with kinds that are such formulas again.
std::unique_ptr<Written> random_kind(std::mt19937& random, const Space& space, unsigned atoms, int depth) {
  std::unique_ptr<Written> kind;
  uint64_t label = space.states[random() % space.states.size()].atoms;
  for (unsigned i = 0; i < atoms; ++i) {
    auto atom = std::make_unique<Written>();
    atom->number = i;
    if ((label >> i & 1) == 0) atom = make(Written::Not, std::move(atom));
    kind = kind ? make(Written::And, std::move(kind), std::move(atom)) : std::move(atom);
  }
  if (depth == 0) return kind;
  auto sub = [&] { return random_kind(random, space, atoms, depth - 1); };
  std::unique_ptr<Written> path;
  switch (random() % 5) {
    case 0: path = make(Written::EF, sub()); break;
    case 1: path = make(Written::AF, sub()); break;
    case 2: path = make(Written::EG, make(Written::Not, sub())); break;
    case 3: path = make(Written::EU, sub(), sub()); break;
    default: path = make(Written::AU, make(Written::Not, sub()), sub()); break;
  }
  if (random() % 2 == 0) path = make(Written::Not, std::move(path));
  return make(Written::And, std::move(kind), std::move(path));
}

/// Holds evidence against the textbook, state by state of its replay.
class Referee {
 public:
  Referee(const Formula& formula, const Space& space, const Evidence& evidence, Machine& machine)
      : formula_(formula), evidence_(evidence) {
    Textbook book{space};
    for (uint32_t i = 0; i < formula.size(); ++i)
      must_.push_back(book.core(formula, i, false)), may_.push_back(book.core(formula, i, true));
    Replayed end = replay(machine, evidence.choices, [&](uint32_t) {
      auto it = space.number.find(Bytes(machine.save().begin(), machine.save().end()));
      possible_ = possible_ && it != space.number.end();
      if (possible_) path_.push_back(it->second);
      return possible_;
    });
    possible_ = possible_ && end.possible && end.kind == StepKind::Moved && path_.size() == evidence.choices.size() + 1;
    if (!possible_ || !evidence.loop) return;
    size_t loop = *evidence.loop;
    possible_ = loop < path_.size() && path_[loop] == path_.back();
    for (uint32_t constraint : formula.fair())
      possible_ = possible_ && (loop + 1 == path_.size() ||
                                std::any_of(path_.begin() + static_cast<std::ptrdiff_t>(loop), path_.end(), [&](uint32_t s) {
                                  return formula.evaluate(constraint, space.states[s].atoms);
                                }));
    if (loop + 1 == path_.size())
      possible_ = possible_ && space.states[path_.back()].next == std::vector<uint32_t>{path_.back()};
  }

  bool shows(bool value) const { return possible_ && shows(formula_.root(), value, 0); }

  static bool can_show(const Formula& f, uint32_t node, bool value) {
    const Formula::Node& n = f[node];
    switch (n.op) {
      case Ctl::Not: return can_show(f, n.left, !value);
      case Ctl::And:
      case Ctl::Or: return can_show(f, n.left, value) || can_show(f, n.right, value);
      case Ctl::ExistsUntil: return value;
      case Ctl::AlwaysUntil: return !value;
      default: return false;
    }
  }

 private:
  bool is(uint32_t node, bool value, size_t at) const { return (value ? must_ : may_)[node][path_[at]] == value; }
  bool shows(uint32_t node, bool value, size_t at) const {
    if (!is(node, value, at)) return false;
    if (!can_show(formula_, node, value)) return true;
    const Formula::Node& n = formula_[node];
    switch (n.op) {
      case Ctl::Not: return shows(n.left, !value, at);
      case Ctl::And:
      case Ctl::Or: {
        auto part = [&](uint32_t side) { return is(side, value, at) && shows(side, value, at); };
        return part(n.left) || part(n.right);
      }
      case Ctl::ExistsUntil:
        for (; at < path_.size(); ++at) {
          if (is(n.right, true, at) && shows(n.right, true, at)) return true;
          if (!is(n.left, true, at)) return false;
        }
        return false;
      default: break;
    }
    size_t from = evidence_.loop ? std::min(at, *evidence_.loop) : at;
    bool avoided = evidence_.loop.has_value();
    for (size_t i = from; i < path_.size(); ++i) avoided = avoided && is(n.right, false, i);
    if (avoided) return true;
    for (; at < path_.size() && is(n.right, false, at); ++at)
      if (is(n.left, false, at) && shows(n.left, false, at)) return true;
    return false;
  }

  const Formula& formula_;
  const Evidence& evidence_;
  std::vector<Set> must_, may_;
  std::vector<uint32_t> path_;
  bool possible_ = true;
};

std::vector<Options> all_options(std::mt19937& random) {
  std::vector<Options> all;
  for (Dead dead : {Dead::None, Dead::Static, Dead::Dynamic})
    for (auto [reduce, loop] : {std::pair{Reduce::None, Loop::Hash}, std::pair{Reduce::Static, Loop::Hash},
                                std::pair{Reduce::OnTheFly, Loop::Location}, std::pair{Reduce::OnTheFly, Loop::State},
                                std::pair{Reduce::OnTheFly, Loop::Hash}}) {
      Options o;
      o.dead = dead, o.reduce = reduce, o.loop = loop;
      if (random() % 2 == 0) o.stack_bytes = 0;
      if (random() % 4 == 0) o.order = Order::BreadthFirst;
      all.push_back(o);
    }
  return all;
}

struct Tally {
  uint64_t holds = 0, fails = 0, unknown = 0, evidence = 0, loops = 0;
};

/// `fair`: constraints, one a line.
void check_formula(Machine& machine, const Space& space, const Written& written, std::mt19937& random, Tally& tally,
                   const std::string& fair = "") {
  const std::string text = written.text();
  auto bind = [](std::string_view atom) { return static_cast<uint32_t>(atom[1] - '0'); };
  Formula formula = parse_formula(text, bind);
  add_fairness(formula, fair, bind);
  Textbook book{space};
  bool must = book.core(formula, formula.root(), false)[0], may = book.core(formula, formula.root(), true)[0];
  if (fair.empty()) {
    ASSERT_EQ(must, written.truth(book, false)[0]) << text;
    ASSERT_EQ(may, written.truth(book, true)[0]) << text;
  } else if (!book.fair(formula, true)[0]) {
    must = false, may = true;  // no answer is asked for where no path is fair
  }
  for (const Options& options : all_options(random)) {
    Limits limits;
    Statistics statistics;
    Progress progress(false);
    Context context{limits, statistics, progress};
    CtlResult result = check(machine, formula, options, context);
    SCOPED_TRACE(fmt::format("{} reduce {} loop {} dead {} order {}", text, int(options.reduce), int(options.loop),
                             int(options.dead), int(options.order)));
    ASSERT_LE(result.figures.states_stored, space.states.size());
    if (result.violation) {
      ASSERT_TRUE(space.violation && result.truth == Truth::Unknown && result.evidence);
      Replayed end = replay(machine, result.evidence->choices);
      ASSERT_TRUE(end.possible && end.kind == StepKind::Violation);
      continue;
    }
    Truth expected = must ? Truth::Holds : may ? Truth::Unknown : Truth::Fails;
    ASSERT_EQ(to_string(result.truth), to_string(expected)) << result.reason;
    ++(must ? tally.holds : may ? tally.unknown : tally.fails);
    bool value = must;
    bool wanted = result.truth != Truth::Unknown && Referee::can_show(formula, formula.root(), value);
    ASSERT_EQ(result.evidence.has_value(), wanted);
    if (!wanted) continue;
    ++tally.evidence;
    tally.loops += result.evidence->loop.has_value();
    ASSERT_TRUE(Referee(formula, space, *result.evidence, machine).shows(value))
        << fmt::format("{} choices, loop {}", result.evidence->choices.size(),
                       result.evidence->loop ? int(*result.evidence->loop) : -1);
  }
}

/// a branches to x, which looks like a but can only go on to c: a path from a may not be cut short at c, because x is
/// the only state with p in which q is inevitable.
TEST(Ctl, StatesThatLookAlikeButHaveLostAChoiceStayApart) {
  toy::Graph graph;
  graph.nodes = {{{{1}, {3}}, 1}, {{{2}}, 1}, {{{2}}, 2}, {{{3}}, 4}};
  for (toy::Graph::Node& node : graph.nodes) node.breaking = false;
  toy::GraphMachine machine(graph);
  Space space(machine);
  std::mt19937 random(20);
  for (std::string_view text : {"EF(a0 && AF a1)", "AG(a0 -> EF a2)", "E[EF a2 U a0 && AG !a2]"}) {
    Formula formula = parse_formula(text, [](std::string_view atom) { return static_cast<uint32_t>(atom[1] - '0'); });
    bool expected = Textbook{space}.core(formula, formula.root(), false)[0];
    for (const Options& options : all_options(random)) {
      Limits limits;
      Statistics statistics;
      Progress progress(false);
      Context context{limits, statistics, progress};
      EXPECT_EQ(check(machine, formula, options, context).truth, expected ? Truth::Holds : Truth::Fails) << text;
    }
  }
}

TEST(Ctl, AgreesWithTheTextbookOnRandomGraphs) {
  std::mt19937 random(21);
  Tally tally;
  for (int round = 0; round < 1000; ++round) {
    toy::Graph graph = toy::random_graph(random, 1 + random() % 40);
    toy::GraphMachine machine(graph);
    Space space(machine);
    for (int k = 0; k < 2; ++k)
      check_formula(machine, space, *random_formula(random, 3, 1 + random() % 4), random, tally);
    ASSERT_FALSE(HasFatalFailure()) << "graph " << round;
  }
  EXPECT_GT(tally.holds, 1000u);
  EXPECT_GT(tally.fails, 1000u);
  EXPECT_GT(tally.unknown, 100u);
  EXPECT_GT(tally.evidence, 1000u);
  EXPECT_GT(tally.loops, 500u);
}

TEST(Ctl, AgreesWithTheTextbookOnFairPaths) {
  std::mt19937 random(23);
  Tally tally;
  for (int round = 0; round < 1000; ++round) {
    toy::Graph graph = toy::random_graph(random, 1 + random() % 25);
    toy::GraphMachine machine(graph);
    Space space(machine);
    const std::string fair = std::array{"a0\n", "a1\n!a2\n", "a0 || a1\n", "!a0\na0\na1\n"}[random() % 4];
    check_formula(machine, space, *random_formula(random, 3, 1 + random() % 3), random, tally, fair);
    ASSERT_FALSE(HasFatalFailure()) << "graph " << round << " fair " << fair;
  }
  EXPECT_GT(tally.holds, 1000u);
  EXPECT_GT(tally.fails, 1000u);
  EXPECT_GT(tally.unknown, 100u);
  EXPECT_GT(tally.evidence, 500u);
  EXPECT_GT(tally.loops, 300u);
}

TEST(Ctl, FairnessIsAboutStates) {
  Formula formula = parse_formula("AF p", [](std::string_view) { return 0u; });
  EXPECT_THROW(add_fairness(formula, "AG q\n", [](std::string_view) { return 1u; }), Error);
  EXPECT_THROW(add_fairness(formula, " \n", [](std::string_view) { return 1u; }), Error);
}

TEST(Ctl, AgreesWithTheTextbookOnRandomPrograms) {
  std::mt19937 random(22);
  Tally tally;
  const int rounds = std::getenv("WHITTLE_LONG") != nullptr ? 3000 : 300;
  for (int round = 0; round < rounds; ++round) {
    toy::Program program = toy::random_program(random, true);
    toy::RegisterMachine machine(program);
    Space space(machine);
    if (space.states.size() > 1500) continue;
    check_formula(machine, space, *random_formula(random, program.atoms, 1 + random() % 3), random, tally);
    auto kind = make(Written::EF, random_kind(random, space, program.atoms, 1 + round % 3));
    check_formula(machine, space, *kind, random, tally);
    ASSERT_FALSE(HasFatalFailure()) << "program " << round;
  }
  EXPECT_GT(tally.holds, 300u);
  EXPECT_GT(tally.fails, 300u);
  EXPECT_GT(tally.evidence, 300u);
}

}  // namespace
}  // namespace whittle::explore
