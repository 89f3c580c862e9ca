#include "proof/threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "proof/executor.h"
#include "proof/simplify.h"
#include "solve/sampled.h"

namespace whittle::proof {

using program::FunctionId;
using program::RegisterId;
using term::Op;
using verdict::Property;

namespace {

constexpr size_t kMostValues = 256;        ///< of an address or a size that depends on inputs: all are tried
constexpr uint64_t kFewValues = 16;        ///< an address into an object of so many elements is looked at value by value
constexpr uint32_t kMostQuestions = 1000;  ///< before a statement
constexpr size_t kMostPlaces = 1000;
constexpr size_t kMostWays = 2000;       ///< from one place
constexpr size_t kMostCandidates = 600;  ///< where it is not known which are of a place
constexpr size_t kMostBytes = 64;        ///< of an own object whose values are candidates
constexpr double kSecondsPerQuestion = 10, kSecondsPerFit = 2;
constexpr unsigned kQuestionsPerSolver = 2000;
constexpr uint32_t kInputs = 1u << 24;  ///< symbols of values that come up in a step
constexpr uint32_t kEnded = UINT32_MAX;

/// What registers and own bytes of a thread hold, in names of its own.
struct Names {
  std::map<std::pair<FunctionId, RegisterId>, Value> registers;
  std::map<uint64_t, Value> bytes;
};

/// A step, as it may be taken.
struct Way {
  std::vector<Term> conditions;
  State after;
  uint32_t to = kEnded;
  std::optional<uint32_t> born;  ///< where a new thread stands
};

struct Spot {
  std::string place;
  State stands;  ///< the first state that was met there
  std::vector<Term> facts;
  Names mine, others;              ///< of the thread that takes a step; of another one that stands here
  std::vector<Term> held, beside;  ///< the facts in these names
  bool atomic = false, followed = false;
  std::vector<Way> ways;
};

struct Claim {
  uint32_t spot = 0;
  size_t fact = 0;
  Term now;
};

class Threads {
 public:
  /// Facts by place; `candidates`: take away what does not hold, and begin with these where nothing is known of a place.
  Threads(std::map<std::string, std::vector<Term>>& facts, const Guess* candidates,
          const program::Program& program, const verdict::Specification& specification, Limits& limits)
      : facts_(facts),
        candidates_(candidates),
        program_(program),
        executor_(program, specification, Followed::AmongOthers),
        symbols_(executor_.symbols()),
        store_(symbols_.store()),
        limits_(limits) {}

  Outcome run(const Progressed& progressed) {
    find_cells();
    if (fine()) begin();
    while (fine() && (next_ < spots_.size() || !pairs_to_do_.empty())) {
      if (limits_.poll_now() != Stop::No) return {false, false, to_string(limits_.stopped()), outcome_.obligations};
      if (progressed) progressed(outcome_.obligations, 0, "conditions");
      if (next_ < spots_.size()) {
        follow(next_++);
      } else {
        const auto [a, b] = pairs_to_do_.front();
        pairs_to_do_.pop_front();
        meet(a, b);
        if (a != b) meet(b, a);
      }
    }
    if (fine())
      if (const std::string problem = executor_.misused(); !problem.empty()) fail(problem, false);
    outcome_.valid = fine();
    return outcome_;
  }

  const std::deque<Spot>& spots() const { return spots_; }
  /// Of a fit: facts that need not hold, by place.
  const std::map<std::string, std::set<size_t>>& dropped() const { return dropped_; }

 private:
  bool fine() const { return outcome_.reason.empty(); }
  void fail(std::string reason, bool decided) {
    if (!fine()) return;
    outcome_.reason = std::move(reason);
    outcome_.decided = decided;
  }
  bool fits() const { return candidates_ != nullptr; }

  // Memory that facts are about

  /// Static memory that facts mention has names from the start, the same for all threads.
  void find_cells() {
    std::set<std::pair<uint64_t, unsigned>> cells;
    auto look = [&](Term fact) {
      if (mentions_own(fact) && !pins_own(fact)) return fail("malformed: a fact mentions an address of an own object", true);
      for (Term read : term::reads(fact)) {
        if (!read.kid(0).is_constant()) return fail("malformed: a fact reads memory at an address that is no constant", true);
        const uint64_t at = read.kid(0).value64(), bytes = read.width() / 8;
        if (Executor::is_own(at)) continue;
        const auto id = program_.object_at(at);
        if (!id || program_.objects[*id].thread_local_ || at - program_.objects[*id].address + bytes > program_.objects[*id].size)
          return fail("malformed: a fact reads memory where no static object is", true);
        if (!program_.objects[*id].constant) cells.emplace(at, read.width());
      }
    };
    for (const auto& [place, facts] : facts_) std::ranges::for_each(facts, look);
    if (fits())
      for (const Candidates& c : candidates_->places) std::ranges::for_each(c.facts, look);
    for (const auto& [at, width] : cells) {
      bool taken = false;
      for (unsigned i = 0; i < width / 8; ++i) taken |= cells_.contains(at + i);
      const Term whole = taken ? Term() : symbols_.variable(width, names_++);
      for (unsigned i = 0; i < width / 8; ++i)
        if (!cells_.contains(at + i)) cells_[at + i] = whole ? store_.extract(whole, 8 * i, 8) : symbols_.variable(8, names_++);
    }
  }

  Term bytes_of(uint64_t at, unsigned width, const std::function<Term(uint64_t)>& byte) {
    Term all;
    for (unsigned i = 0; i < width / 8; ++i) {
      const auto id = program_.object_at(at + i);
      const bool constant = id && program_.objects[*id].constant;
      const Term one = constant ? store_.constant(8, program_.objects[*id].initial[at + i - program_.objects[*id].address]) : byte(at + i);
      all = all ? store_.concat(one, all) : one;
    }
    return all;
  }

  /// A fact in a thread's names.
  Term named(Term fact, const Names& names) {
    return symbols_.translate(fact, [&](Term leaf) {
      if (leaf.op() == Op::Read)
        return bytes_of(leaf.kid(0).value64(), leaf.width(), [&](uint64_t at) {
          if (auto cell = cells_.find(at); cell != cells_.end()) return cell->second;
          auto own = names.bytes.find(at);
          return own != names.bytes.end() ? symbols_.term(own->second, 8) : unknown(8);
        });
      const auto ref = program_.register_of(leaf);
      auto found = names.registers.find({ref.function, ref.reg});
      return found != names.registers.end() ? symbols_.term(found->second, leaf.width()) : unknown(leaf.width());
    });
  }

  /// A fact about a thread in a state, or, if `names` are given, about another one beside it.
  Term after(Term fact, const State& state, uint32_t thread, const Names* names = nullptr) {
    return symbols_.translate(fact, [&](Term leaf) {
      if (leaf.op() == Op::Read)
        return bytes_of(leaf.kid(0).value64(), leaf.width(), [&](uint64_t at) {
          if (!Executor::is_own(at)) return static_byte(state, at);
          if (!names) return thread == kThread ? own_byte(state, at) : unknown(8);
          auto own = names->bytes.find(at);
          return own != names->bytes.end() ? symbols_.term(own->second, 8) : unknown(8);
        });
      const auto ref = program_.register_of(leaf);
      if (names) {
        auto found = names->registers.find({ref.function, ref.reg});
        return found != names->registers.end() ? symbols_.term(found->second, leaf.width()) : unknown(leaf.width());
      }
      for (const Frame& frame : state.threads[thread].frames) {
        if (frame.function != ref.function) continue;
        auto symbol = frame.symbols.find(ref.reg);
        return symbol != frame.symbols.end() ? symbol->second : store_.constant(leaf.width(), frame.registers[ref.reg]);
      }
      return unknown(leaf.width());
    });
  }

  Term unknown(unsigned width) { return symbols_.variable(width, names_++); }

  Term static_byte(const State& state, uint64_t at) {
    if (auto symbol = state.symbols.find(at); symbol != state.symbols.end()) return symbol->second;
    const program::ObjectId id = *program_.object_at(at);
    const uint64_t offset = *executor_.offsets()[id] + at - program_.objects[id].address;
    if (!state.open.empty() && state.open[offset]) return unknown(8);
    return store_.constant(8, state.statics[offset]);
  }

  Term own_byte(const State& state, uint64_t at) {
    if (auto symbol = state.symbols.find(at); symbol != state.symbols.end()) return symbol->second;
    auto next = state.objects.upper_bound(at);
    if (next == state.objects.begin()) return unknown(8);
    const auto& [begin, object] = *std::prev(next);
    if (!object.alive || at - begin >= object.bytes.size() || !object.known[at - begin]) return unknown(8);
    return store_.constant(8, object.bytes[at - begin]);
  }

  // Places

  static std::string place_of(const State& state, uint32_t number) {
    const Thread& thread = state.threads[number];
    std::string text;
    for (const Frame& f : thread.frames) text += fmt::format("{}{}:{}:{}", text.empty() ? "" : "/", f.function, f.location, f.made);
    if (thread.depth > 0) text += fmt::format(" atomic {}", thread.depth);
    if (thread.phase > 0) text += fmt::format(" phase {}", thread.phase);
    for (const auto& [address, o] : state.objects)
      if (o.thread == number)
        text += fmt::format(" {}{:x}+{}:{}.{}.{}", o.alive ? '@' : '-', address, o.bytes.size(), static_cast<unsigned>(o.kind), o.frame, o.sequence);
    return text;
  }

  /// Where a thread stands in a state.
  uint32_t spot_of(const State& state, uint32_t thread) {
    const std::string place = place_of(state, thread);
    auto [found, fresh] = numbers_.try_emplace(place, static_cast<uint32_t>(spots_.size()));
    if (!fresh) return found->second;
    Spot& spot = spots_.emplace_back();
    spot.place = place;
    spot.stands.statics = state.statics;
    spot.stands.threads = {Thread{true, 0, {}}, state.threads[thread]};
    spot.stands.threads[kThread].heads.clear();
    for (const auto& [address, o] : state.objects)
      if (o.thread == thread) spot.stands.objects.emplace(address, o);
    spot.atomic = state.threads[thread].depth > 0;
    auto known = facts_.find(place);
    if (known == facts_.end() && fits()) {
      known = facts_.emplace(place, candidates_of(state, thread)).first;
    }
    if (known == facts_.end())
      fail("a thread gets to a place of which the proof says nothing: " + where(spot), true);
    else
      spot.facts = known->second;
    if (spots_.size() > kMostPlaces) fail("too many places where threads can stand", false);
    spot.mine = names_of(spot);
    spot.others = names_of(spot);
    for (Term fact : spot.facts) {
      if (!about(fact, spot)) fail("malformed: a fact about registers of functions that are not on the stack", true);
      spot.held.push_back(named(fact, spot.mine));
      spot.beside.push_back(named(fact, spot.others));
    }
    return found->second;
  }

  bool about(Term fact, const Spot& spot) const {
    return std::ranges::all_of(term::variables(fact), [&](Term v) {
      const auto ref = program_.register_of(v);
      return std::ranges::any_of(spot.stands.threads[kThread].frames, [&](const Frame& f) { return f.function == ref.function; });
    });
  }

  std::string where(const Spot& spot) const {
    const Frame& top = spot.stands.threads[kThread].frames.back();
    const program::Function& f = program_.functions[top.function];
    return fmt::format("{} {}", f.name, program_.where(f.edges[f.locations[top.location].first_edge].statement.position));
  }

  /// Names for what a thread has at a place. What a fact says to be a constant is that.
  Names names_of(const Spot& spot) {
    std::unordered_map<Term, u128> constants;
    for (Term fact : spot.facts)
      for (unsigned i = 0; fact.op() == Op::Eq && i < 2; ++i)
        if (fact.kid(i).is_constant()) constants[fact.kid(1 - i)] = fact.kid(i).value();
    Names names;
    const Thread& thread = spot.stands.threads[kThread];
    for (size_t k = 0; k < thread.frames.size(); ++k) {
      const Frame& frame = thread.frames[k];
      const std::vector<bool>& live = executor_.normal_form().live(thread, k);
      for (RegisterId reg = 0; reg < live.size(); ++reg) {
        const program::Register& r = program_.functions[frame.function].registers[reg];
        auto constant = constants.find(r.variable);
        Value& value = names.registers[{frame.function, reg}];
        if (live[reg]) value = constant != constants.end() ? Value{constant->second} : Value{0, symbols_.variable(r.width(), names_++)};
      }
    }
    for (Term fact : spot.facts)
      for (Term read : term::reads(fact)) {
        const uint64_t at = read.kid(0).value64();
        if (!Executor::is_own(at)) continue;
        auto constant = constants.find(read);
        for (unsigned i = 0; i < read.width() / 8; ++i)
          if (constant != constants.end())
            names.bytes[at + i] = {constant->second >> (8 * i) & 0xff};
          else if (!names.bytes.contains(at + i))
            names.bytes[at + i] = {0, symbols_.variable(8, names_++)};
      }
    return names;
  }

  /// Any state in which a thread stands at a place, as far as the facts tell.
  State any_state(const Spot& spot) {
    State state = spot.stands;
    state.inputs = kInputs;
    state.open.assign(state.statics.size(), true);
    auto put = [&](uint64_t at, const Value& value, std::vector<uint8_t>& bytes, uint64_t i) {
      bytes[i] = static_cast<uint8_t>(value.number);
      if (value.term) state.symbols[at] = value.term;
    };
    for (const auto& [at, cell] : cells_) {
      const program::ObjectId id = *program_.object_at(at);
      const uint64_t offset = *executor_.offsets()[id] + at - program_.objects[id].address;
      state.open[offset] = false;
      put(at, symbols_.value(cell), state.statics, offset);
    }
    for (Term fact : spot.facts) fix(fact, state);
    for (Frame& frame : state.threads[kThread].frames)
      for (RegisterId reg = 0; reg < frame.registers.size(); ++reg) set(frame, reg, spot.mine.registers.at({frame.function, reg}));
    for (auto& [begin, object] : state.objects)
      for (uint64_t i = 0; i < object.bytes.size(); ++i) {
        auto name = spot.mine.bytes.find(begin + i);
        object.known[i] = name != spot.mine.bytes.end();
        if (object.known[i]) put(begin + i, name->second, object.bytes, i);
      }
    return state;
  }

  /// Static memory that a fact says to hold a constant does.
  void fix(Term fact, State& state) const {
    for (unsigned k = 0; fact.op() == Op::Eq && k < 2; ++k) {
      const Term read = fact.kid(1 - k);
      if (!fact.kid(k).is_constant() || read.op() != Op::Read || Executor::is_own(read.kid(0).value())) continue;
      for (unsigned i = 0; i < read.width() / 8; ++i) {
        const uint64_t at = read.kid(0).value64() + i;
        const program::ObjectId id = *program_.object_at(at);
        if (program_.objects[id].constant) continue;
        state.symbols.erase(at);
        state.statics[*executor_.offsets()[id] + at - program_.objects[id].address] = static_cast<uint8_t>(fact.kid(k).value() >> (8 * i));
      }
    }
  }

  /// Does a fact say that a register, or memory of the thread's own, holds the address of an own object? That is no number
  /// that could be concluded: it must be that address.
  static bool pins_own(Term fact) {
    for (unsigned i = 0; fact.op() == Op::Eq && i < 2; ++i) {
      const Term t = fact.kid(1 - i);
      if (!fact.kid(i).is_constant() || !Executor::is_own(fact.kid(i).value())) continue;
      if (t.is_variable() || (t.op() == Op::Read && Executor::is_own(t.kid(0).value()))) return true;
    }
    return false;
  }

  // Candidates

  std::vector<Term> candidates_of(const State& state, uint32_t number) {
    const Thread& thread = state.threads[number];
    std::vector<std::pair<FunctionId, program::LocationId>> stack;
    for (const Frame& f : thread.frames) stack.emplace_back(f.function, f.location);
    std::vector<Term> facts;
    std::unordered_set<Term> seen;
    auto add = [&](Term fact) {
      if (seen.insert(fact).second) facts.push_back(fact);
    };
    std::vector<const Candidates*> from;
    for (const Candidates& c : candidates_->places)
      if (c.stack == stack) from.push_back(&c);
    const bool known = !from.empty() && thread.phase == 0;
    if (!known)
      for (const Candidates& c : candidates_->places)
        if (c.stack.front().first == stack.front().first) from.push_back(&c);
    for (const Candidates* c : from)
      for (Term said : c->facts)
        if (const Term fact = about_objects_of(said, state, number); fits_registers(fact, thread) && (known || facts.size() < kMostCandidates)) add(fact);
    term::Store& terms = program_.terms();
    for (size_t k = 0; k < thread.frames.size(); ++k) {
      const Frame& frame = thread.frames[k];
      const std::vector<bool>& live = executor_.normal_form().live(thread, k);
      for (RegisterId reg = 0; reg < live.size(); ++reg)
        if (const Term v = program_.functions[frame.function].registers[reg].variable; live[reg] && !frame.symbols.contains(reg))
          add(terms.eq(v, terms.constant(v.width(), frame.registers[reg])));
    }
    const unsigned pointer = program_.pointer_width() / 8;
    for (const auto& [begin, o] : state.objects)
      for (uint64_t i = 0; o.thread == number && o.alive && i < std::min(o.bytes.size(), kMostBytes); ++i)
        for (const unsigned bytes : o.bytes.size() < 4 ? std::set<unsigned>{1} : std::set<unsigned>{4, pointer}) {
          if (i % bytes != 0 || i + bytes > o.bytes.size() || state.symbols.lower_bound(begin + i) != state.symbols.lower_bound(begin + i + bytes)) continue;
          if (!std::all_of(o.known.begin() + static_cast<ptrdiff_t>(i), o.known.begin() + static_cast<ptrdiff_t>(i + bytes), [](bool b) { return b; })) continue;
          const u128 value = word(o.bytes.data() + i, bytes);
          if (bytes == pointer || !Executor::is_own(value))
            add(terms.eq(terms.read(terms.constant(program_.pointer_width(), begin + i), 8 * bytes), terms.constant(8 * bytes, value)));
        }
    return facts;
  }

  /// A candidate in which memory of own objects is read where these are.
  Term about_objects_of(Term fact, const State& state, uint32_t number) {
    term::Store& terms = program_.terms();
    return terms.substitute(fact, [&](Term v) -> Term {
      auto cell = std::ranges::find(candidates_->own, v, &OwnCell::variable);
      if (cell == candidates_->own.end()) return {};
      auto is = [&](const Made& o) {
        if (cell->edge == program::kNone) return o.kind == Made::Kind::ThreadLocal && o.sequence == cell->thread_local_;
        return o.kind == Made::Kind::Stack && o.edge == cell->edge && state.threads[number].frames[o.frame].function == cell->function;
      };
      for (const auto& [begin, o] : state.objects)
        if (o.thread == number && o.alive && is(o))
          return terms.read(terms.constant(program_.pointer_width(), begin + cell->offset), v.width());
      return {};
    });
  }

  bool fits_registers(Term fact, const Thread& thread) const {
    return std::ranges::all_of(term::variables(fact), [&](Term v) {
      const auto ref = program_.register_of(v);
      for (size_t k = 0; k < thread.frames.size(); ++k)
        if (thread.frames[k].function == ref.function) return bool{executor_.normal_form().live(thread, k)[ref.reg]};
      return false;
    });
  }

  // Steps

  void begin() {
    State state = executor_.start();
    state.threads.insert(state.threads.begin(), Thread{true, 0, {}});
    if (const std::string problem = numbers_like_addresses(state); !problem.empty()) return fail(problem, false);
    const uint32_t main = spot_of(state, kThread);
    if (fine()) prove({}, claims_of(main, state, kThread), "where the program starts");
  }

  /// Addresses of own objects must not come from the program's text.
  std::string numbers_like_addresses(const State& state) const {
    for (const program::Function& f : program_.functions)
      for (const program::Edge& e : f.edges)
        for (Term operand : e.statement.operands)
          if (mentions_own(operand)) return fmt::format("a number at {} looks like an address", program_.where(e.statement.position));
    for (uint64_t i = 0; i + 4 <= state.statics.size(); ++i)
      if (Executor::is_own(word(state.statics.data() + i, 4))) return "a number in static memory looks like an address";
    return "";
  }

  static bool mentions_own(Term root) {
    std::vector<Term> work{root};
    std::unordered_set<Term> seen;
    while (!work.empty()) {
      const Term t = work.back();
      work.pop_back();
      if (!seen.insert(t).second) continue;
      if (t.is_constant() && t.width() >= 32 && Executor::is_own(t.value())) return true;
      if (t.op() == Op::Read && t.kid(0).is_constant()) continue;
      for (unsigned i = 0; i < t.arity(); ++i) work.push_back(t.kid(i));
    }
    return false;
  }

  /// All steps from a place, and what holds after them of who took them and of who is new.
  void follow(uint32_t number) {
    State state = any_state(spots_[number]);
    const End end = executor_.step(state, kThread);
    settle(number, std::move(state), end, spots_[number].held, 0);
    spots_[number].followed = true;
    for (size_t w = 0; w < spots_[number].ways.size() && fine(); ++w) {
      const Way& way = spots_[number].ways[w];
      std::vector<Term> given = spots_[number].held;
      given.insert(given.end(), way.conditions.begin(), way.conditions.end());
      if (way.to != kEnded) prove(given, claims_of(way.to, way.after, kThread), "after a step from " + where(spots_[number]));
      if (way.born && fine()) prove(given, claims_of(*way.born, way.after, kThread + 1), "of a thread started at " + where(spots_[number]));
      if (way.born && way.to != kEnded) add_pair(way.to, *way.born);
    }
  }

  void settle(uint32_t from, State state, const End& end, std::vector<Term> conditions, unsigned depth) {
    if (!fine()) return;
    if (limits_.poll_now() != Stop::No) return fail(to_string(limits_.stopped()), false);
    switch (end.kind) {
      case End::Kind::Over: return;
      case End::Kind::Violation: return fail(fmt::format("the facts do not exclude a violation in a step from {}: {}", where(spots_[from]), end.what), !doubt_);
      case End::Kind::Refused: return fail("not followed by the checker: " + end.what, false);
      case End::Kind::Next: return arrive(from, std::move(state), std::move(conditions));
      case End::Kind::Input:
      case End::Kind::Choice: break;
    }
    if (end.questions > kMostQuestions || depth > 10 * kMostQuestions) return fail("a step that depends on too much", false);
    if (const auto within = object_of(end, conditions)) {
      const End then = executor_.give(state, end, *within);
      return settle(from, std::move(state), then, std::move(conditions), depth + 1);
    }
    for (const u128 value : values(end, conditions)) {
      State next = state;
      std::vector<Term> more = conditions;
      if (end.kind == End::Kind::Choice) more.push_back(store_.eq(end.term, store_.constant(end.term.width(), value)));
      const End then = executor_.give(next, end, value);
      settle(from, std::move(next), then, std::move(more), depth + 1);
    }
  }

  /// Of an address that may have more than a few values: the object in which it lies, if it surely does.
  std::optional<Within> object_of(const End& end, const std::vector<Term>& conditions) {
    if (end.kind != End::Kind::Choice || end.bytes == 0) return std::nullopt;
    std::vector<Term> work{end.term}, parts;
    while (!work.empty()) {
      const Term t = work.back();
      work.pop_back();
      if (t.is_constant()) parts.push_back(t);
      for (unsigned i = 0; t.op() == Op::Add && i < 2; ++i) work.push_back(t.kid(i));
    }
    for (Term part : parts) {
      const auto id = program_.object_at(part.value64());
      if (!id || program_.objects[*id].thread_local_) continue;
      const program::Object& object = program_.objects[*id];
      if (object.size < end.bytes || object.size <= kFewValues * end.bytes) continue;
      const unsigned width = end.term.width();
      const Within within{object.address, object.address + object.size - end.bytes};
      const Term offset = store_.sub(end.term, store_.constant(width, within.first));
      if (!possible(conditions, store_.ugt(offset, store_.constant(width, within.last - within.first)))) return within;
    }
    return std::nullopt;
  }

  std::vector<u128> values(const End& end, const std::vector<Term>& conditions) {
    if (end.kind == End::Kind::Input) return {0, 1};
    std::vector<u128> found;
    if (end.term.width() == 1) {
      for (u128 value : {0, 1})
        if (possible(conditions, store_.eq(end.term, store_.constant(1, value)))) found.push_back(value);
      return found;
    }
    const std::vector<uint64_t>& own = symbols_.addresses(end.term);
    const bool address = std::ranges::any_of(own, [](uint64_t a) { return Executor::is_own(a); });
    solver().push();
    for (Term c : conditions) solver_->add(c);
    solve::Result result = solver_->check();
    for (; result.sat() && found.size() < kMostValues; result = solver_->check()) {
      found.push_back(solver_->value(end.term));
      if (!address && Executor::is_own(found.back())) break;
      solver_->add(store_.ne(end.term, store_.constant(end.term.width(), found.back())));
    }
    solver_->pop();
    if (!result.unsat()) fail(fmt::format("an address or a size in a step from a place depends on what threads have, and {}", result.sat() ? "has too many values" : "which values it has could not be decided"), false);
    return found;
  }

  void arrive(uint32_t from, State state, std::vector<Term> conditions) {
    for (const auto& [address, object] : state.objects)
      if (object.shared) return fail("the address of an own object is shared", false);
    Way way;
    conditions.erase(conditions.begin(), conditions.begin() + static_cast<ptrdiff_t>(spots_[from].held.size()));
    way.conditions = std::move(conditions);
    if (state.threads[kThread].alive) way.to = spot_of(state, kThread);
    if (state.threads.size() > kThread + 1) way.born = spot_of(state, kThread + 1);
    if (!fine()) return;
    if (way.to != kEnded && !keeps_addresses(state, spots_[way.to])) return fail("the address of an own object is forgotten at " + where(spots_[way.to]), false);
    way.after = std::move(state);
    if (spots_[from].ways.size() >= kMostWays) return fail("too many ways through a step", false);
    spots_[from].ways.push_back(std::move(way));
  }

  /// Registers and own bytes that hold own addresses hold the same ones in whatever state is met at a place.
  bool keeps_addresses(const State& state, const Spot& spot) {
    const State there = any_state(spot);
    auto own = [&](Term t) { return std::ranges::any_of(symbols_.addresses(t), [](uint64_t a) { return Executor::is_own(a); }); };
    const Thread &now = state.threads[kThread], &then = there.threads[kThread];
    for (size_t k = 0; k < now.frames.size(); ++k)
      for (RegisterId reg = 0; reg < now.frames[k].registers.size(); ++reg) {
        auto symbol = now.frames[k].symbols.find(reg);
        if (symbol != now.frames[k].symbols.end() && own(symbol->second)) return false;
        const u128 value = now.frames[k].registers[reg];
        if (Executor::is_own(value) && (then.frames[k].symbols.contains(reg) || then.frames[k].registers[reg] != value)) return false;
      }
    for (const auto& [address, t] : state.symbols)
      if (own(t)) return false;
    for (const auto& [begin, object] : state.objects) {
      if (!object.alive || object.thread != kThread) continue;
      const Made& same = there.objects.at(begin);
      for (uint64_t i = 0; i + 4 <= object.bytes.size(); ++i) {
        if (!Executor::is_own(word(object.bytes.data() + i, 4))) continue;
        for (uint64_t b = i; b < i + 4; ++b)
          if (!same.known[b] || there.symbols.contains(begin + b) || same.bytes[b] != object.bytes[b]) return false;
      }
    }
    return true;
  }

  // Two threads

  void add_pair(uint32_t a, uint32_t b) {
    const auto pair = std::minmax(a, b);
    if (pairs_.insert(pair).second) pairs_to_do_.push_back(pair);
  }

  /// What each step from a place means for another thread.
  void meet(uint32_t from, uint32_t other) {
    if (spots_[other].atomic) return;
    while (next_ <= std::max(from, other) && fine()) follow(next_++);
    for (size_t w = 0; w < spots_[from].ways.size() && fine(); ++w) {
      const Way& way = spots_[from].ways[w];
      std::vector<Term> given = spots_[from].held;
      given.insert(given.end(), way.conditions.begin(), way.conditions.end());
      given.insert(given.end(), spots_[other].beside.begin(), spots_[other].beside.end());
      std::optional<bool> can;
      auto together = [&](uint32_t there) {
        if (pairs_.contains(std::minmax(there, other))) return;
        if (!can) can = possible(given, store_.truth());
        if (*can) add_pair(there, other);
      };
      if (way.to != kEnded) together(way.to);
      if (way.born) together(*way.born);
      if (can && !*can) continue;
      std::vector<Claim> claims;
      for (size_t f = 0; f < spots_[other].facts.size(); ++f)
        claims.push_back({other, f, after(spots_[other].facts[f], way.after, kThread, &spots_[other].others)});
      prove(given, std::move(claims), fmt::format("beside a step from {}", where(spots_[from])));
    }
  }

  // Questions

  std::vector<Claim> claims_of(uint32_t spot, const State& state, uint32_t thread) {
    std::vector<Claim> claims;
    for (size_t f = 0; f < spots_[spot].facts.size(); ++f) claims.push_back({spot, f, after(spots_[spot].facts[f], state, thread)});
    return claims;
  }

  void prove(const std::vector<Term>& given, std::vector<Claim> claims, const std::string& when) {
    const std::unordered_set<Term> known(given.begin(), given.end());
    std::erase_if(claims, [&](const Claim& c) { return c.now.is_true() || known.contains(c.now) || is_dropped(c); });
    for (const Claim& c : claims) {
      if (!pins_own(spots_[c.spot].facts[c.fact])) continue;
      if (!fits()) return fail(fmt::format("an address of an own object is not known at {} {}", where(spots_[c.spot]), when), false);
      dropped_[spots_[c.spot].place].insert(c.fact);
    }
    std::erase_if(claims, [&](const Claim& c) { return is_dropped(c); });
    while (!claims.empty() && fine()) {
      if (limits_.poll_now() != Stop::No) return fail(to_string(limits_.stopped()), false);
      ++outcome_.obligations;
      std::vector<Term> all;
      for (const Claim& c : claims) all.push_back(c.now);
      if (!fits()) {
        if (!possible(given, store_.bnot(store_.conjunction(all)))) return;
        const auto broken = std::ranges::find_if(claims, [&](const Claim& c) { return possible(given, store_.bnot(c.now)); });
        const Claim& c = broken != claims.end() ? *broken : claims.front();
        return fail(fmt::format("a fact at {} need not hold {}", where(spots_[c.spot]), when), !doubt_);
      }
      solver().push();
      for (Term t : given) solver_->add(t);
      solver_->add(store_.bnot(store_.conjunction(all)));
      const solve::Result result = solver_->check();
      std::vector<bool> holds;
      for (const Claim& c : claims) holds.push_back(result.sat() && solver_->value(c.now) != 0);
      solver_->pop();
      if (result.unsat()) return;
      for (size_t i = 0; i < claims.size(); ++i) {
        if (!result.sat()) holds[i] = !possible(given, store_.bnot(claims[i].now));
        if (!holds[i]) dropped_[spots_[claims[i].spot].place].insert(claims[i].fact);
      }
      if (std::ranges::find(holds, false) == holds.end()) {
        if (result.sat()) fail("the solver contradicts itself", false);
        return;
      }
      std::erase_if(claims, [&](const Claim& c) { return is_dropped(c); });
    }
  }

  bool is_dropped(const Claim& c) const {
    auto found = dropped_.find(spots_[c.spot].place);
    return found != dropped_.end() && found->second.contains(c.fact);
  }

  bool possible(std::vector<Term> conditions, Term more) {
    conditions.push_back(more);
    simplify_together(store_, conditions);
    if (std::ranges::any_of(conditions, [](Term t) { return t.is_false(); })) return false;
    std::erase_if(conditions, [](Term t) { return t.is_true(); });
    if (conditions.empty()) return true;
    std::ranges::sort(conditions, {}, &Term::id);
    std::vector<uint32_t> question;
    for (Term c : conditions) question.push_back(c.id());
    auto [known, fresh] = answers_.try_emplace(std::move(question), false);
    if (!fresh) return known->second;
    const solve::Result result = solver().check(conditions);
    doubt_ |= result.unknown();
    return known->second = !result.unsat();
  }

  solve::Solver& solver() {
    if (!solver_ || ++questions_ % kQuestionsPerSolver == 0) solver_ = fits() ? solve::make_z3(store_) : solve::make_sampled(store_, solve::make_cvc5(store_), kAskedTwice);
    solver_->set_budget({.seconds = std::min(fits() ? kSecondsPerFit : kSecondsPerQuestion, limits_.remaining())});
    return *solver_;
  }

  std::map<std::string, std::vector<Term>>& facts_;
  const Guess* candidates_;
  const program::Program& program_;
  Executor executor_;
  Symbols& symbols_;
  term::Store& store_;
  Limits& limits_;
  Outcome outcome_;
  std::map<uint64_t, Term> cells_;  ///< static bytes that facts mention
  std::deque<Spot> spots_;
  std::map<std::string, uint32_t> numbers_;
  std::set<std::pair<uint32_t, uint32_t>> pairs_;  ///< where two threads can be at once
  std::deque<std::pair<uint32_t, uint32_t>> pairs_to_do_;
  std::map<std::string, std::set<size_t>> dropped_;
  std::unique_ptr<solve::Solver> solver_;
  std::map<std::vector<uint32_t>, bool> answers_;
  uint32_t next_ = 0, names_ = 0;
  unsigned questions_ = 0;
  bool doubt_ = false;  ///< a question could not be decided, so not all that is found need be possible
};

/// Why this is not looked at in proofs by threads, if it is not.
std::string not_followed(const verdict::Specification& specification) {
  for (Property property : {Property::NoDataRace, Property::ValidMemtrack, Property::ValidMemcleanup, Property::Termination, Property::Ctl})
    if (specification.has(property)) return fmt::format("{} is not looked at in proofs by threads", verdict::name(property));
  return "";
}

}  // namespace

Outcome check_threads(const Proof& proof, const program::Program& program, const verdict::Specification& specification,
                      Limits& limits, const Progressed& progressed) {
  if (std::string problem = not_followed(specification); !problem.empty()) return {false, false, problem, 0};
  std::map<std::string, std::vector<Term>> facts;
  for (const PlaceFacts& place : proof.places)
    if (!facts.emplace(place.place, place.facts).second) return {false, true, "malformed: a place is there twice", 0};
  return Threads(facts, nullptr, program, specification, limits).run(progressed);
}

std::optional<Proof> fit_threads(const Guess& guess, const program::Program& program,
                                 const verdict::Specification& specification, Limits& limits, std::string& why) {
  why = not_followed(specification);
  if (!why.empty()) return std::nullopt;
  std::map<std::string, std::vector<Term>> facts;
  for (;;) {
    Threads threads(facts, &guess, program, specification, limits);
    const Outcome outcome = threads.run({});
    if (threads.dropped().empty()) {
      why = outcome.reason;
      if (!outcome.valid) return std::nullopt;
      Proof proof;
      proof.kind = Proof::Kind::Threads;
      for (const Spot& spot : threads.spots()) proof.places.push_back({spot.place, spot.facts});
      return proof;
    }
    for (const auto& [place, gone] : threads.dropped()) {
      std::vector<Term>& list = facts.at(place);
      for (auto it = gone.rbegin(); it != gone.rend(); ++it) list.erase(list.begin() + static_cast<ptrdiff_t>(*it));
    }
    if (limits.poll_now() != Stop::No) {
      why = to_string(limits.stopped());
      return std::nullopt;
    }
  }
}

}  // namespace whittle::proof
