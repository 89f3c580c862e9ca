// What each kind of statement does to the conditions behind it.
#include "wp/precondition.h"

#include <fmt/format.h>

#include <cassert>
#include <memory>

#include "wp/state.h"

namespace whittle::wp {

using program::Kind;
using program::Statement;

namespace {

/// memory[address ...] := a value that is known as a term.
class ValueWrite final : public Write {
 public:
  ValueWrite(term::Store& store, Term to, uint64_t at, Term value) : store_(store), value_(value) {
    address = to, concrete = at, size = value.width() / 8;
  }
  Term inside(uint64_t offset, unsigned bytes) override {
    return store_.extract(value_, static_cast<unsigned>(8 * offset), 8 * bytes);
  }

 private:
  term::Store& store_;
  Term value_;
};

/// memory[address ...] := memory[source ...], as it was before.
class CopyWrite final : public Write {
 public:
  CopyWrite(Conditions& conditions, Term to, uint64_t at, Term source, uint64_t source_at, uint64_t bytes)
      : conditions_(conditions), source_(source), source_at_(source_at) {
    address = to, concrete = at, size = bytes;
  }
  Term inside(uint64_t offset, unsigned bytes) override {
    term::Store& s = conditions_.store;
    return conditions_.read(s.add(source_, s.constant(source_.width(), offset)), 8 * bytes, source_at_ + offset);
  }

 private:
  Conditions& conditions_;
  Term source_;
  uint64_t source_at_;
};

/// memory[address ...] := one byte, again and again.
class FillWrite final : public Write {
 public:
  FillWrite(term::Store& store, Term to, uint64_t at, Term byte, uint64_t bytes) : store_(store), byte_(byte) {
    address = to, concrete = at, size = bytes;
  }
  Term inside(uint64_t, unsigned bytes) override {
    Term value = byte_;
    for (unsigned i = 1; i < bytes; ++i) value = store_.concat(byte_, value);
    return value;
  }

 private:
  term::Store& store_;
  Term byte_;
};

/// memory[address ...] := known bytes.
class BytesWrite final : public Write {
 public:
  BytesWrite(term::Store& store, Term to, uint64_t at, const std::vector<uint8_t>& bytes)
      : store_(store), bytes_(bytes) {
    address = to, concrete = at, size = bytes.size();
  }
  Term inside(uint64_t offset, unsigned bytes) override {
    u128 value = 0;
    for (unsigned i = bytes; i-- > 0;) value = value << 8 | bytes_[offset + i];
    return store_.constant(8 * bytes, value);
  }

 private:
  term::Store& store_;
  const std::vector<uint8_t>& bytes_;
};

/// Fresh memory: any bytes, but the same ones at every read.
class FreshWrite final : public Write {
 public:
  FreshWrite(term::Store& store, Term to, uint64_t at, uint64_t bytes) : store_(store) {
    address = to, concrete = at, size = bytes;
  }
  Term inside(uint64_t offset, unsigned bytes) override {
    Term value;
    for (unsigned i = 0; i < bytes; ++i) {
      Term& byte = bytes_[offset + i];
      if (!byte) byte = store_.variable(8, fmt::format("fresh{}", offset + i));
      value = value ? store_.concat(byte, value) : byte;
    }
    return value;
  }
  const std::unordered_map<uint64_t, Term>& bytes() const { return bytes_; }

 private:
  term::Store& store_;
  std::unordered_map<uint64_t, Term> bytes_;
};

class Walk {
 public:
  Walk(Frames& frames, const Goal& goal, const Options& options, uint32_t length)
      : program_(frames.program()),
        frames_(frames),
        options_(options),
        meanings_(frames.meanings()),
        store_(program_.terms()),
        conditions_(store_, goal, length) {}

  void back(uint32_t index, const Step& step) {
    index_ = index, step_ = &step, statement_ = &statement(step);
    if (!step.skipped) over_statement(step);
    for (Term demand : step.demands)
      conditions_.add_predicate(index, frames_.in_frame(step.frame, step.function, demand));
  }
  Precondition take() { return std::move(conditions_.result); }

 private:
  using Registers = std::unordered_map<Term, Term>;

  const Statement& statement(const Step& step) const {
    return program_.functions[step.function].edges[step.edge].statement;
  }
  Term in_frame(Term t) { return frames_.in_frame(step_->frame, step_->function, t); }
  Term operand(size_t i) { return in_frame(statement_->operands[i]); }
  /// Where memory is accessed.
  Term address(Term over_registers, uint64_t was) {
    return step_->pinned ? store_.constant(over_registers.width(), was) : in_frame(over_registers);
  }
  /// A term over registers and memory of the state before the step.
  Term before(Term t) {
    if (!t.has_reads()) return in_frame(t);
    return store_.substitute(
        t, [&](Term variable) { return in_frame(variable); },
        [&](Term read) {
          Term at = step_->pinned ? store_.constant(read.kid(0).width(), step_->address) : read.kid(0);
          return conditions_.read(at, read.width(), step_->address);
        });
  }
  Term target(size_t i) { return frames_.variable(step_->frame, step_->function, statement_->targets[i]); }
  bool wanted() {
    if (conditions_.has_reads()) return true;
    for (size_t i = 0; i < statement_->targets.size(); ++i)
      if (conditions_.mentions(target(i))) return true;
    return false;
  }
  void set(size_t i, Term value) {
    if (conditions_.mentions(target(i))) conditions_.move(index_, {{target(i), value}}, nullptr);
  }
  void guard(Term condition) {
    if (step_->firm && options_.assumption == Options::Assumption::Implies)
      return conditions_.add_predicate(index_, condition);
    conditions_.add_guard(index_, condition, options_.assumption == Options::Assumption::Implies);
  }
  /// An operand that decided what memory was touched must have been what it was.
  void pin(Term t, u128 value) { conditions_.add_alias(index_, store_.eq(t, store_.constant(t.width(), value))); }

  void over_statement(const Step& step);
  void effect(const semantics::Meaning& meaning);
  std::unique_ptr<Write> written(const semantics::Write& write);
  void arbitrary(Term variable, bool always_approximate);
  void allocate(const semantics::NewObject& object);
  void enter(size_t first_argument);
  void leave();

  const program::Program& program_;
  Frames& frames_;
  const Options& options_;
  semantics::Meanings& meanings_;
  term::Store& store_;
  Conditions conditions_;
  uint32_t index_ = 0;
  const Step* step_ = nullptr;
  const Statement* statement_ = nullptr;
};

void Walk::over_statement(const Step& step) {
  const Statement& s = *statement_;
  switch (s.kind) {
    case Kind::Check:
      if (options_.checks) guard(operand(0));
      return;
    case Kind::Call:
    case Kind::IndirectCall: return enter(s.kind == Kind::Call ? 0 : 1);
    case Kind::Return: return leave();
    case Kind::Spawn: set(0, store_.constant(target(0).width(), step.value)); return enter(1);
    case Kind::ThreadLocal:
      if (step.size != 0 && conditions_.has_reads()) {
        Term address = store_.constant(target(0).width(), step.value);
        BytesWrite write(store_, address, static_cast<uint64_t>(step.value), program_.objects[s.object].initial);
        conditions_.move(index_, {}, &write);
      }
      [[fallthrough]];
    case Kind::Shared:
    case Kind::Freed:
    case Kind::Self: return set(0, store_.constant(target(0).width(), step.value));
    default: return effect(meanings_.of(step.function, step.edge));
  }
}

/// The terms of a meaning speak of the state before the statement; assigns and writes happen at once.
void Walk::effect(const semantics::Meaning& m) {
  if (m.object) return allocate(*m.object);
  if (wanted()) {
    Registers registers;
    std::vector<Term> open;
    for (const semantics::Assign& assign : m.assigns) {
      Term variable = frames_.variable(step_->frame, step_->function, assign.target);
      if (!conditions_.mentions(variable)) continue;
      using enum semantics::Assign::Source;
      if (assign.source == Value && !step_->uninitialised)
        registers[variable] = before(assign.value);
      else
        arbitrary(variable, assign.source == Machine);
    }
    std::unique_ptr<Write> write = m.writes.empty() || !conditions_.has_reads() ? nullptr : written(m.writes[0]);
    if (!registers.empty() || write) conditions_.move(index_, registers, write.get());
    if (write && m.writes[0].size) pin(in_frame(m.writes[0].size), step_->size);
  }
  if (m.guard) guard(in_frame(m.guard));
  if (m.wait) guard(before(m.wait));
}

std::unique_ptr<Write> Walk::written(const semantics::Write& w) {
  switch (w.kind) {
    case semantics::Write::Kind::Value:
      return std::make_unique<ValueWrite>(store_, address(w.address, step_->address), step_->address, before(w.value));
    case semantics::Write::Kind::Copy:
      return std::make_unique<CopyWrite>(conditions_, address(w.address, step_->address), step_->address,
                                         address(w.value, step_->source), step_->source, step_->size);
    case semantics::Write::Kind::Fill: break;
  }
  return std::make_unique<FillWrite>(store_, address(w.address, step_->address), step_->address, in_frame(w.value),
                                     step_->size);
}

/// `always_approximate`: the value is not arbitrary, but how it comes about is not modelled here.
void Walk::arbitrary(Term variable, bool always_approximate) {
  if (!conditions_.mentions(variable)) return;
  if (options_.nondet == Options::Nondet::Keep && !always_approximate) {
    Term input = store_.variable(variable.width(), fmt::format("input{}", index_));
    conditions_.result.inputs.push_back({index_, input});
    return conditions_.move(index_, {{variable, input}}, nullptr);
  }
  conditions_.forall(index_, variable, always_approximate);
}

void Walk::allocate(const semantics::NewObject& object) {
  if (!wanted()) return;
  Term address = store_.constant(target(0).width(), step_->address);
  if (object.zeroed.is_true()) {
    FillWrite write(store_, address, step_->address, store_.constant(8, 0), step_->size);
    conditions_.move(index_, {{target(0), address}}, &write);
  } else {
    FreshWrite write(store_, address, step_->address, step_->size);
    conditions_.move(index_, {{target(0), address}}, &write);
    for (auto [offset, byte] : write.bytes()) {
      if (options_.nondet == Options::Nondet::Keep)
        conditions_.result.inputs.push_back({index_, byte});
      else
        conditions_.forall(index_, byte, false);
    }
  }
  pin(in_frame(object.size), step_->size);
}

/// Parameters are the arguments.
void Walk::enter(size_t first_argument) {
  Registers registers;
  const uint32_t count = program_.functions[step_->callee].parameter_count;
  std::vector<Term> missing;
  for (uint32_t i = 0; i < count; ++i) {
    Term parameter = frames_.variable(step_->callee_frame, step_->callee, i);
    if (!conditions_.mentions(parameter)) continue;
    const size_t k = first_argument + i;
    if (k >= statement_->operands.size())
      missing.push_back(parameter);
    else
      registers[parameter] = store_.resize_unsigned(operand(k), parameter.width());
  }
  if (!registers.empty()) conditions_.move(index_, registers, nullptr);
  for (Term parameter : missing) arbitrary(parameter, true);
  if (first_argument == 1) {
    Term function = operand(0);
    guard(store_.eq(function, store_.constant(function.width(), program::Program::function_address(step_->callee))));
  }
}

/// The caller's target is the value returned.
void Walk::leave() {
  if (step_->caller == program::kNone) return;
  const Statement& call = program_.functions[step_->caller].edges[step_->call_edge].statement;
  if (call.targets.empty()) return;
  Term received = frames_.variable(step_->caller_frame, step_->caller, call.targets[0]);
  if (!conditions_.mentions(received)) return;
  if (statement_->operands.empty()) return arbitrary(received, true);
  conditions_.move(index_, {{received, store_.resize_unsigned(operand(0), received.width())}}, nullptr);
}

}  // namespace

bool Precondition::approximate() const {
  for (const auto* list : {&predicate, &guards, &aliases})
    for (const Conjunct& c : *list)
      if (c.approximate) return true;
  return false;
}

Term Precondition::conjunction(term::Store& store, const std::vector<Conjunct>& conjuncts) {
  Term all = store.truth();
  for (const Conjunct& c : conjuncts) all = store.band(all, c.term);
  return all;
}

Term Precondition::all(term::Store& store) const {
  return store.band(conjunction(store, aliases), store.band(conjunction(store, guards), conjunction(store, predicate)));
}

Precondition precondition(Frames& frames, std::span<const Step> path, const Goal& goal, const Options& options) {
  Walk walk(frames, goal, options, static_cast<uint32_t>(path.size()));
  for (size_t i = path.size(); i-- > 0;) walk.back(static_cast<uint32_t>(i), path[i]);
  return walk.take();
}

}  // namespace whittle::wp
