#include "wp/precondition.h"

#include "semantics/apply.h"
#include "wp/effect.h"
#include "wp/forall.h"

namespace whittle::wp {

using program::Kind;
using program::Statement;

namespace {

/// On the way: a condition without which the path is left, or a variable that stands for any value.
struct Event {
  Term term;
  bool chosen = false;
};

/// An effect that writes down when its fresh variables came up.
class Choosing : public Effect {
 public:
  Choosing(Frames& frames, std::vector<Event>& events)
      : Effect(frames.program().terms()), frames_(frames), events_(events) {}
  Term fresh(unsigned width) override {
    Term any = frames_.any(count_++, width);
    events_.push_back({any, true});
    return any;
  }

 private:
  Frames& frames_;
  std::vector<Event>& events_;
  size_t count_ = 0;
};

class Walk {
 public:
  explicit Walk(Frames& frames)
      : program_(frames.program()), frames_(frames), store_(program_.terms()), effect_(frames, events_) {}

  void over(const Step& step) {
    step_ = &step, statement_ = &statement(step.function, step.edge);
    for (Term condition : step.demands) demand(now(condition));
    if (!step.skipped) over_statement();
  }

  /// Must hold for all states spoken of that come here.
  void demand(Term condition) {
    if (!condition.is_true()) demands_.push_back({condition, events_.size()});
  }
  Term at_end(Term condition) { return effect_.now(condition); }

  /// All that was demanded, latest first, as conditions on the state before the path.
  std::vector<Term> take() {
    std::vector<Term> conditions;
    for (; !demands_.empty(); demands_.pop_back()) {
      auto [condition, events] = demands_.back();
      for (size_t i = events; i-- > 0 && !condition.is_true();)
        condition = events_[i].chosen ? for_all(store_, condition, events_[i].term)
                                      : store_.implies(events_[i].term, condition);
      conditions.push_back(condition);
    }
    return conditions;
  }

  // What semantics::apply asks for

  Term now(Term t) {
    if (t.is_constant()) return t;
    return store_.substitute(
        t, [&](Term v) { return effect_.value(variable(program_.register_of(v).reg)); },
        [&](Term read) { return effect_.load(address(read.kid(0)), read.width() / 8); });
  }
  Term address(Term t) { return store_.constant(t.width(), step_->address); }
  Term arbitrary(const semantics::Assign& a) { return effect_.fresh(variable(a.target).width()); }
  void guard(Term condition) {
    if (condition.is_true()) return;
    if (step_->firm)
      demand(condition);
    else
      events_.push_back({condition, false});
  }
  void assign(program::RegisterId target, Term value) {
    effect_.assign(variable(target), step_->uninitialised ? effect_.fresh(value.width()) : value);
  }
  void write(Term address, Term value) { effect_.write(address, value); }
  void bulk(const semantics::Write& w) {
    Term to = address(w.address);
    if (w.kind == semantics::Write::Kind::Fill) return effect_.fill(to, now(w.value), step_->size);
    effect_.copy(to, store_.constant(to.width(), step_->source), step_->size);
  }

 private:
  struct Demanded {
    Term condition;
    size_t events = 0;  ///< before it
  };

  const Statement& statement(program::FunctionId function, uint32_t edge) const {
    return program_.functions[function].edges[edge].statement;
  }
  Term variable(program::RegisterId reg) { return frames_.variable(step_->frame, step_->function, reg); }
  void set(u128 value) {
    Term target = variable(statement_->targets[0]);
    effect_.assign(target, store_.constant(target.width(), value));
  }
  void over_statement();
  void allocate(const semantics::Meaning& meaning);
  void bytes(uint64_t address, const std::vector<uint8_t>& bytes);
  void enter(size_t first_argument);
  void leave();

  const program::Program& program_;
  Frames& frames_;
  term::Store& store_;
  std::vector<Event> events_;
  Choosing effect_;
  std::vector<Demanded> demands_;
  const Step* step_ = nullptr;
  const Statement* statement_ = nullptr;
};

void Walk::over_statement() {
  const Statement& s = *statement_;
  switch (s.kind) {
    case Kind::Check: return guard(now(s.operands[0]));
    case Kind::Call:
    case Kind::IndirectCall: return enter(s.kind == Kind::Call ? 0 : 1);
    case Kind::Return: return leave();
    case Kind::Spawn: enter(1); return set(step_->value);
    case Kind::ThreadLocal:
      if (step_->size != 0) bytes(static_cast<uint64_t>(step_->value), program_.objects[s.object].initial);
      return set(step_->value);
    case Kind::Shared:
    case Kind::Freed:
    case Kind::Self: return set(step_->value);
    default: {
      const semantics::Meaning& m = frames_.meanings().of(step_->function, step_->edge);
      return m.object ? allocate(m) : semantics::apply(m, *this);
    }
  }
}

void Walk::allocate(const semantics::Meaning& m) {
  Term to = address(variable(m.assigns[0].target));
  if (m.object->zeroed.is_true()) {
    effect_.fill(to, store_.constant(8, 0), step_->size);
  } else {
    effect_.write_any(to, step_->size);
  }
  assign(m.assigns[0].target, to);
}

void Walk::bytes(uint64_t address, const std::vector<uint8_t>& bytes) {
  for (size_t at = 0; at < bytes.size();) {
    const size_t n = std::min<size_t>(16, bytes.size() - at);
    u128 value = 0;
    for (size_t i = n; i-- > 0;) value = value << 8 | bytes[at + i];
    effect_.write(store_.constant(program_.pointer_width(), address + at),
                  store_.constant(static_cast<unsigned>(8 * n), value));
    at += n;
  }
}

/// Parameters are the arguments.
void Walk::enter(size_t first_argument) {
  std::vector<std::pair<Term, Term>> values;
  const uint32_t count = program_.functions[step_->callee].parameter_count;
  if (first_argument == 1) {
    Term function = now(statement_->operands[0]);
    guard(store_.eq(function, store_.constant(function.width(), program::Program::function_address(step_->callee))));
  }
  for (uint32_t i = 0; i < count; ++i) {
    Term parameter = frames_.variable(step_->callee_frame, step_->callee, i);
    const size_t k = first_argument + i;
    values.emplace_back(parameter, k < statement_->operands.size()
                                       ? store_.resize_unsigned(now(statement_->operands[k]), parameter.width())
                                       : effect_.fresh(parameter.width()));
  }
  for (auto [parameter, value] : values) effect_.assign(parameter, value);
}

/// The caller's target is the value returned.
void Walk::leave() {
  if (step_->caller == program::kNone) return;
  const Statement& call = statement(step_->caller, step_->call_edge);
  if (call.targets.empty()) return;
  Term received = frames_.variable(step_->caller_frame, step_->caller, call.targets[0]);
  effect_.assign(received, statement_->operands.empty()
                               ? effect_.fresh(received.width())
                               : store_.resize_unsigned(now(statement_->operands[0]), received.width()));
}

}  // namespace

std::vector<Term> precondition(Frames& frames, std::span<const Step> path, const std::vector<Term>& conditions) {
  Walk walk(frames);
  for (const Step& step : path) walk.over(step);
  for (size_t i = conditions.size(); i-- > 0;) walk.demand(walk.at_end(conditions[i]));
  return walk.take();
}

}  // namespace whittle::wp
