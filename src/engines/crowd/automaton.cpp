#include "engines/crowd/automaton.h"

#include <fmt/format.h>

#include <algorithm>

#include "engines/crowd/contexts.h"
#include "engines/crowd/scopes.h"
#include "program/word_access.h"
#include "semantics/apply.h"
#include "semantics/demand.h"
#include "wp/effect.h"

namespace whittle::engines::crowd {

using program::Edge;
using program::FunctionRole;
using program::Kind;
using program::Statement;
using verdict::Property;

namespace {

constexpr size_t kMostSteps = 4000;
constexpr size_t kMostNodes = 400;
constexpr size_t kMostPaths = 50'000;
constexpr uint32_t kDeepest = 8;

struct ControlPoint {
  uint32_t context = 0;
  program::LocationId location = 0;
  uint32_t depth = 0;  ///< of atomic sections
  uint32_t phase = 0;  ///< of a call that is made in two steps
  auto operator<=>(const ControlPoint&) const = default;
};

/// Thrown where a memory object turns out not to be made of cells.
struct Untrackable {
  uint64_t address;
};

}  // namespace

/// Follows each node's statements symbolically up to the next nodes.
class Builder {
 public:
  Builder(const program::Program& program, const verdict::Specification& specification, const Contexts& contexts,
          const std::set<uint64_t>& untracked, const std::vector<bool>& unique, Automaton& out, Limits& limits)
      : program_(program),
        specification_(specification),
        contexts_(contexts),
        untracked_(untracked),
        unique_(unique),
        meanings_(program),
        out_(out),
        limits_(limits) {}

  /// The cells found by an earlier attempt: a local object that begins anew must know all of its cells.
  void expect(const std::map<uint64_t, unsigned>& cells) {
    for (auto [address, width] : cells)
      cell(*target_at(address), terms().constant(program_.pointer_width(), address), width);
  }
  std::map<uint64_t, unsigned> cells() const {
    std::map<uint64_t, unsigned> found;
    for (auto [address, variable] : cells_)
      if (!untracked_.contains(target_at(address)->address)) found[address] = variable.width();
    return found;
  }

  void build() {
    for (uint32_t kind = 0; kind < contexts_.starts().size(); ++kind) {
      const Start& start = contexts_.starts()[kind];
      const Context& context = contexts_.all()[start.context];
      ThreadKind made{start.name, 0, {}, kind == 0};
      const program::Function& function = function_of(start.context);
      if (function.parameter_count > 0 && !context.constants[0]) made.parameter = context.registers[0];
      if (kind > 0 && kind < unique_.size() && unique_[kind]) {
        made.number = terms().variable(program_.pointer_width(), made.name + "'s number");
        made.over = terms().variable(1, made.name + " is over");
        Variable number{made.number, kNone, made.name + "'s number", {}};
        number.identity = true;
        declare(std::move(number));
        declare({made.over, kNone, made.name + " is over", terms().constant(1, 0)});
      }
      out_.kinds_.push_back(made);
    }
    for (uint32_t kind = 0; kind < out_.kinds_.size(); ++kind) {
      uint32_t context = contexts_.starts()[kind].context;
      out_.kinds_[kind].entry = node({context, function_of(context).entry, 0, 0});
    }
    for (uint32_t n = 0; n < out_.nodes_.size(); ++n) {
      State state(terms());
      state.place = places_[n];
      walk(std::move(state), n, true);
    }
  }

 private:
  struct State {
    explicit State(term::Store& terms) : effect(terms) {}
    ControlPoint place;
    wp::Effect effect;  ///< of the step up to here, on registers and cells
    uint32_t birth = kNone;
    Term argument;
    std::vector<ControlPoint> heads;  ///< of loops, passed in this step
  };

  term::Store& terms() const { return program_.terms(); }
  const program::Function& function_of(uint32_t context) const {
    return program_.functions[contexts_.all()[context].function];
  }
  const Context& context(const State& s) const { return contexts_.all()[s.place.context]; }

  uint32_t node(const ControlPoint& place) {
    auto [found, fresh] = numbers_.try_emplace(place, static_cast<uint32_t>(places_.size()));
    if (!fresh) return found->second;
    if (places_.size() >= kMostNodes) throw Refused{"there are too many places where threads can stand"};
    places_.push_back(place);
    Node made;
    made.kind = contexts_.all()[place.context].kind;
    made.atomic = place.depth > 0;
    const program::Function& function = function_of(place.context);
    const program::Location& location = function.locations[place.location];
    if (location.edge_count > 0) made.where = function.edges[location.first_edge].statement.position;
    made.stack = stack_of(place);
    out_.nodes_.push_back(std::move(made));
    return found->second;
  }

  std::vector<std::pair<program::FunctionId, program::LocationId>> stack_of(const ControlPoint& place) const {
    std::vector<std::pair<program::FunctionId, program::LocationId>> stack;
    program::LocationId at = place.location;
    for (uint32_t c = place.context; c != kNone; c = contexts_.all()[c].parent) {
      stack.emplace(stack.begin(), contexts_.all()[c].function, at);
      if (const uint32_t parent = contexts_.all()[c].parent; parent != kNone) at = function_of(parent).edges[contexts_.all()[c].call].from;
    }
    return stack;
  }

  /// Can a thread be noticed, or notice others, in the statement that it stands before?
  bool visible(const ControlPoint& place) const {
    const program::Function& function = function_of(place.context);
    const program::Location& location = function.locations[place.location];
    if (location.edge_count != 1) return false;
    const Statement& s = function.edges[location.first_edge].statement;
    switch (s.kind) {
      case Kind::AtomicBegin: return true;
      case Kind::Call:
        switch (program_.functions[s.callee].role) {
          case FunctionRole::CreateThread:
          case FunctionRole::JoinThread:
          case FunctionRole::InitMutex:
          case FunctionRole::LockMutex:
          case FunctionRole::UnlockMutex:
          case FunctionRole::WaitCondition: return true;
          case FunctionRole::DestroyMutex:
          case FunctionRole::UseCondition: return races_;
          default: return false;
        }
      case Kind::Output: return false;
      default:
        return std::ranges::any_of(semantics::accesses(s),
                                   [&](const semantics::Access& access) { return others_reach(place, s, access); });
    }
  }

  bool others_reach(const ControlPoint& place, const Statement& s, const semantics::Access& access) const {
    const bool fixed = access.size_operand == semantics::Access::kFixed;
    if (fixed && s.local) return false;
    Term address = contexts_.fold(place.context, s.operands[access.address]);
    if (!address.is_constant()) return true;
    if (is_private(address.value())) return false;
    if (!fixed) return true;
    auto object = program_.object_at(address.value64());
    return !object || !program_.objects[*object].constant;
  }

  bool is_node(const ControlPoint& place) const { return place.phase > 0 || (place.depth == 0 && visible(place)); }
  /// A loop in which no thread can be noticed: a thread that comes round within one step stands there.
  bool comes_round(State& s) const {
    if (!function_of(s.place.context).locations[s.place.location].loop_head) return false;
    if (std::ranges::find(s.heads, s.place) != s.heads.end()) return true;
    s.heads.push_back(s.place);
    return false;
  }

  // Values

  Term operand(const State& s, Term t) const {
    const Context& c = context(s);
    return terms().substitute(t, [&](Term v) {
      program::RegisterId reg = program_.register_of(v).reg;
      return c.constants[reg] ? c.constants[reg] : s.effect.value(local(s.place.context, reg));
    });
  }
  Term local(uint32_t context, program::RegisterId reg) const {
    Term variable = contexts_.all()[context].registers[reg];
    if (!out_.numbers_.contains(variable)) {
      const program::Register& source = function_of(context).registers[reg];
      Variable made{variable, contexts_.all()[context].kind, source.name.empty() ? "tmp" : source.name, {}};
      made.function = contexts_.all()[context].function;
      made.reg = reg;
      declare(std::move(made));
    }
    return variable;
  }
  void declare(Variable variable) const {
    out_.numbers_[variable.term] = out_.variables_.size();
    out_.variables_.push_back(std::move(variable));
  }
  void assign(State& s, program::RegisterId reg, Term t) { assign_in(s, s.place.context, reg, t); }
  void assign_in(State& s, uint32_t context, program::RegisterId reg, Term t) {
    if (contexts_.all()[context].constants[reg]) return;
    s.effect.assign(local(context, reg), terms().resize_unsigned(t, contexts_.all()[context].registers[reg].width()));
  }
  Term open(unsigned width) const { return terms().variable(width, "any"); }

  // Memory

  struct Target {
    uint64_t address = 0, size = 0;
    bool shared = false, constant = false;
    std::string name;
    uint32_t kind = kNone;
    const program::Object* object = nullptr;
  };
  std::optional<Target> target_at(uint64_t address) const {
    if (is_private(address)) {
      const PrivateObject* object = contexts_.object_at(address);
      if (!object) return std::nullopt;
      return Target{object->address, object->size, false, false, object->name, object->kind, object->original};
    }
    auto id = program_.object_at(address);
    if (!id) return std::nullopt;
    const program::Object& object = program_.objects[*id];
    if (object.thread_local_) throw Refused{object.name + " is thread-local"};
    return Target{object.address, object.size, true, object.constant, object.name, kNone, &object};
  }

  /// Models make their accesses in atomic sections, but for those that give an object its first value, or give the caller one.
  bool is_atomic(const State& s, const Statement& statement) const {
    if (s.place.depth > 0 || statement.atomic || program::updates_word(statement.kind) || statement.kind == Kind::Await) return true;
    if (statement.kind != Kind::Call) return false;
    const program::Function& callee = program_.functions[statement.callee];
    return callee.role != FunctionRole::CreateThread && callee.role != FunctionRole::JoinThread &&
           std::ranges::any_of(callee.edges, [](const Edge& edge) {
             return edge.statement.kind == Kind::AtomicBegin || edge.statement.kind == Kind::Await;
           });
  }

  /// The object that an address leads into; that it does is to be proved.
  Target resolve(State& s, uint32_t from, Term address, uint64_t bytes, bool write, const Statement& statement) {
    std::optional<Target> target;
    std::vector<Term> work{address};
    while (!work.empty() && !target) {
      Term t = work.back();
      work.pop_back();
      if (t.is_constant()) {
        target = target_at(t.value64());
      } else if (t.op() == term::Op::Add || t.op() == term::Op::Sub) {
        for (unsigned i = 0; i < t.arity(); ++i) work.push_back(t.kid(i));
      }
    }
    if (!target) throw Refused{fmt::format("an address at {} is not followed", program_.where(statement.position))};
    if (const PrivateObject* object = target->shared ? nullptr : contexts_.object_at(target->address);
        object && object->context != kNone && !contexts_.active(object->context, s.place.context))
      throw Refused{fmt::format("{} is used at {} after its function returned", target->name,
                                program_.where(statement.position))};
    unsigned width = address.width();
    uint64_t last = target->size >= bytes ? target->size - bytes : 0;
    Term offset = terms().sub(address, terms().constant(width, target->address));
    Term bad = target->size < bytes ? terms().truth() : terms().ugt(offset, terms().constant(width, last));
    if (statement.align > 1)
      bad = terms().bor(bad, terms().ne(terms().band(address, terms().constant(width, statement.align - 1)),
                                        terms().constant(width, 0)));
    if (write && target->constant) bad = terms().truth();
    danger(s, from, bad, fmt::format("an access goes outside of {}", target->name), statement);
    if (races_ && target->shared && !target->constant)
      out_.nodes_[from].accesses.push_back({terms().conjunction(s.effect.guards()), address, bytes, target->address, write,
                                            is_atomic(s, statement), target->name, statement.position});
    if (!address.is_constant() && !untracked_.contains(target->address)) throw Untrackable{target->address};
    return *target;
  }

  /// The variable for a piece of memory; none: not tracked.
  Term cell(const Target& target, Term address, unsigned width) {
    if (untracked_.contains(target.address)) return {};
    uint64_t at = address.value64(), bytes = width / 8;
    auto after = cells_.lower_bound(at);
    if (after != cells_.end() && after->first == at && after->second.width() == width) return after->second;
    bool clash = after != cells_.end() && after->first < at + bytes;
    if (after != cells_.begin()) {
      auto before = std::prev(after);
      clash |= before->first + before->second.width() / 8 > at;
    }
    if (clash) throw Untrackable{target.address};
    std::string name = target.name;
    if (at != target.address || width / 8 != target.size) name += fmt::format("+{}", at - target.address);
    Term variable = terms().variable(width, name);
    Variable made{variable, target.shared ? kNone : target.kind, name, {}};
    made.address = at;
    if (const PrivateObject* own = target.shared ? nullptr : contexts_.object_at(at); own && own->context != kNone) {
      made.function = contexts_.all()[own->context].function;
      made.edge = own->edge;
      made.address = at - own->address;
    } else if (own && own->original) {
      made.thread_local_ = static_cast<program::ObjectId>(own->original - program_.objects.data());
      made.offset = at - own->address;
    }
    if (target.object) made.initial = initial(*target.object, at - target.address, width);
    declare(std::move(made));
    cells_[at] = variable;
    return variable;
  }

  Term initial(const program::Object& object, uint64_t offset, unsigned width) const {
    u128 bits = 0;
    for (unsigned i = 0; i < width / 8; ++i)
      if (offset + i < object.initial.size()) bits |= u128{object.initial[offset + i]} << (8 * i);
    return terms().constant(width, bits);
  }

  Term load(State& s, uint32_t from, Term address, unsigned width, const Statement& statement) {
    Target target = resolve(s, from, address, width / 8, false, statement);
    if (target.constant && target.shared && address.is_constant() && target.size >= width / 8 &&
        address.value64() - target.address <= target.size - width / 8)
      return initial(*target.object, address.value64() - target.address, width);
    Term variable = cell(target, address, width);
    return variable ? s.effect.value(variable) : open(width);
  }

  void store(State& s, uint32_t from, Term address, Term stored, bool pointer, const Statement& statement) {
    Target target = resolve(s, from, address, stored.width() / 8, true, statement);
    if (target.shared && (pointer || mentions_private(stored)))
      throw Refused{fmt::format("the address of a local variable is shared at {}", program_.where(statement.position))};
    if (Term variable = cell(target, address, stored.width())) s.effect.assign(variable, stored);
  }

  static bool mentions_private(Term t) { return mentions(t, kPrivateBase, kPrivateEnd); }

  void danger(State& s, uint32_t from, Term condition, std::string what, const Statement& statement) {
    if (condition.is_false()) return;
    Term path = terms().conjunction(s.effect.guards());
    out_.nodes_[from].dangers.push_back({terms().band(path, condition), std::move(what), statement.position});
    if (!condition.is_true()) s.effect.guard(terms().bnot(condition));
  }

  // Statements

  void arrive(const State& s, uint32_t from, uint32_t to) {
    if (out_.steps_.size() >= kMostSteps) throw Refused{"there are too many ways through a step"};
    Transition step;
    step.from = from;
    step.to = to;
    step.conditions = s.effect.guards();
    for (const auto& [variable, now] : s.effect.values())
      if (now != variable) step.changes.emplace(variable, now);
    step.birth = s.birth;
    step.argument = s.argument;
    out_.nodes_[from].steps.push_back(static_cast<uint32_t>(out_.steps_.size()));
    out_.steps_.push_back(std::move(step));
  }

  void walk(State s, uint32_t from, bool first) {
    if (++paths_ > kMostPaths || limits_.poll_now() != Stop::No)
      throw Refused{"there are too many ways through a step"};
    for (;; first = false) {
      if ((!first && is_node(s.place)) || comes_round(s)) return arrive(s, from, node(s.place));
      const program::Function& function = function_of(s.place.context);
      const program::Location& location = function.locations[s.place.location];
      if (location.edge_count == 0) return;
      if (location.edge_count > 1) {
        for (uint32_t e = location.first_edge; e < location.first_edge + location.edge_count; ++e) {
          Term condition = operand(s, function.edges[e].statement.operands[0]);
          if (condition.is_false()) continue;
          State next = s;
          next.effect.guard(condition);
          next.place.location = function.edges[e].to;
          walk(std::move(next), from, false);
        }
        return;
      }
      if (!follow(s, from, location.first_edge)) return;
    }
  }

  /// What is not followed is taken for a danger: the proof shows that no thread comes there.
  bool follow(State& s, uint32_t from, uint32_t e) {
    try {
      return step(s, from, e);
    } catch (const Refused& refused) {
      danger(s, from, terms().truth(), refused.why, function_of(s.place.context).edges[e].statement);
      return false;
    }
  }

  /// Executes one edge; false: the path ends here.
  bool step(State& s, uint32_t from, uint32_t e) {
    const Edge& edge = function_of(s.place.context).edges[e];
    const Statement& statement = edge.statement;
    auto arg = [&](size_t i) { return operand(s, statement.operands[i]); };
    switch (statement.kind) {
      case Kind::Skip:
      case Kind::Fence:
      case Kind::Yield: break;
      case Kind::Output:
        if (!arg(2).is_constant()) throw Refused{"output of variable length"};
        if (arg(2).is_constant(0)) break;
        if (const Target text = resolve(s, from, arg(1), arg(2).value64(), false, statement); races_ && text.shared && !text.constant)
          throw Refused{fmt::format("output of what all threads share at {}", program_.where(statement.position))};
        break;
      case Kind::Assume: {
        Term condition = arg(0);
        if (!condition.is_true() && changes_shared(s)) {
          // The thread stays here forever, but others see what it did.
          State stuck = s;
          stuck.effect.guard(terms().bnot(condition));
          arrive(stuck, from, kNone);
        }
        if (condition.is_false()) return false;
        s.effect.guard(condition);
        break;
      }
      case Kind::Check:
        if (semantics::treatment(specification_, statement.property) == semantics::Treatment::Ignored) break;
        danger(s, from, terms().bnot(arg(0)), statement.text, statement);
        break;
      case Kind::Error:
      case Kind::Unsupported: danger(s, from, terms().truth(), statement.text, statement); return false;
      case Kind::StackAlloc: {
        const PrivateObject& object = contexts_.object(s.place.context, e);
        for (auto at = cells_.lower_bound(object.address);
             at != cells_.end() && at->first < object.address + object.size; ++at)
          s.effect.assign(at->second, open(at->second.width()));
        for (const auto& [variable, now] : s.effect.values())
          if (mentions(now, object.address, object.address + std::max<uint64_t>(object.size, 1)))
            throw Refused{fmt::format("an address of an earlier {} is kept", object.name)};
        break;
      }
      case Kind::ThreadLocal: break;  // a constant
      case Kind::Shared: {            // there are always others
        Term address = arg(0);
        bool alone = s.place.depth > 0 || (address.is_constant() && is_private(address.value()));
        assign(s, statement.targets[0], terms().boolean(!alone));
        break;
      }
      case Kind::StackSave:
        assign(s, statement.targets[0], terms().constant(width_of(s, statement.targets[0]), 0));
        break;
      case Kind::StackRestore:
        if (!nothing_outlives(program_, function_of(s.place.context), e))
          throw Refused{"locals end before their function does"};
        break;
      case Kind::Copy:
      case Kind::Fill: block(s, from, statement); break;
      case Kind::Self: assign(s, statement.targets[0], self(context(s).kind, width_of(s, statement.targets[0]))); break;
      case Kind::Await: await(s, from, e, statement); break;
      case Kind::AtomicBegin:
        if (++s.place.depth > kDeepest) throw Refused{"atomic sections are nested too deeply"};
        break;
      case Kind::AtomicEnd:
        if (s.place.depth == 0) throw Refused{"an atomic section ends that did not begin"};
        --s.place.depth;
        break;
      case Kind::Call:
        if (const auto& callee = program_.functions[statement.callee]; is_known(callee))
          return known_call(s, from, e, callee.role);
        return call(s, e, contexts_.callee(s.place.context, e, statement.callee), 0);
      case Kind::IndirectCall: return indirect_call(s, from, e);
      case Kind::Return: return leave(s, from, statement);
      case Kind::ThreadExit: return finish(s, from);
      case Kind::Halt: return arrive(s, from, kNone), false;  // before the end others saw what this step did
      default: effect(s, from, e, statement); break;
    }
    s.place.location = edge.to;
    s.place.phase = 0;
    return true;
  }

  Term self(uint32_t kind, unsigned width) {
    Term& variable = out_.kinds_[kind].self;
    if (!variable) {
      variable = terms().variable(width, "self");
      Variable made{variable, kind, "self", {}};
      made.identity = true;
      declare(std::move(made));
    }
    return terms().resize_unsigned(variable, width);
  }

  void await(State& s, uint32_t from, uint32_t e, const Statement& statement) {
    // One that does not hold would let others run.
    if (s.place.depth > 0) throw Refused{fmt::format("a thread waits in an atomic section at {}", program_.where(statement.position))};
    out_.blocks_ = true;
    Cells cells{*this, s, from, statement, false};
    s.effect.guard(cells.now(meanings_.of(context(s).function, e).wait));
    ++s.place.depth;
  }

  void effect(State& s, uint32_t from, uint32_t e, const Statement& statement) {
    const semantics::Meaning& m = meanings_.of(context(s).function, e);
    using enum semantics::Assign::Source;
    const bool followed = !m.wait && !m.object && !(m.assigns.empty() && m.writes.empty()) &&
                          std::ranges::none_of(m.assigns, [](const auto& a) { return a.source == Machine; });
    if (!followed)
      throw Refused{
          fmt::format("{} at {} is not followed", program::name(statement.kind), program_.where(statement.position))};
    bool pointer = false;
    for (size_t i = 1; i < statement.operands.size() && !m.writes.empty(); ++i)
      pointer |= contexts_.may_point(s.place.context, statement.operands[i]);
    Cells cells{*this, s, from, statement, pointer};
    semantics::apply(m, cells);
  }

  /// A state whose memory is cells, for semantics::apply.
  struct Cells {
    Builder& builder;
    State& s;
    uint32_t from;
    const Statement& statement;
    bool pointer;  ///< what is written may be one

    Term now(Term t) {
      return builder.terms().substitute(
          t, [&](Term variable) { return builder.operand(s, variable); },
          [&](Term read) { return builder.load(s, from, read.kid(0), read.width(), statement); });
    }
    Term address(Term t) { return builder.operand(s, t); }
    Term arbitrary(const semantics::Assign& a) { return builder.open(builder.width_of(s, a.target)); }
    void guard(Term condition) { s.effect.guard(condition); }
    void assign(program::RegisterId target, Term value) { builder.assign(s, target, value); }
    void write(Term address, Term value) { builder.store(s, from, address, value, pointer, statement); }
    void bulk(const semantics::Write&) { throw Refused{"a copy in one step"}; }
  };

  bool changes_shared(const State& s) const {
    return s.birth != kNone || std::ranges::any_of(s.effect.values(), [&](const auto& change) {
             return change.first != change.second && out_.variable(change.first)->kind == kNone;
           });
  }

  unsigned width_of(const State& s, program::RegisterId reg) const { return context(s).registers[reg].width(); }

  /// Shared memory that is copied or filled as a block is not tracked; cells of local objects are.
  void block(State& s, uint32_t from, const Statement& statement) {
    const bool copy = statement.kind == Kind::Copy;
    const Term size = operand(s, statement.operands[2]), to = operand(s, statement.operands[0]);
    if (!size.is_constant() || size.value() == 0)
      throw Refused{fmt::format("a block of variable size at {}", program_.where(statement.position))};
    const Target target = resolve(s, from, to, size.value64(), true, statement);
    std::optional<Target> source;
    if (copy) source = resolve(s, from, operand(s, statement.operands[1]), size.value64(), false, statement);
    for (const Target& shared : {target, source.value_or(target)})
      if (shared.shared && !shared.constant && !untracked_.contains(shared.address))
        throw Untrackable{shared.address};
    if (target.shared || untracked_.contains(target.address)) return;
    const uint64_t begin = to.value64(), end = begin + size.value64();
    std::vector<std::pair<uint64_t, Term>> filled;
    for (auto at = cells_.lower_bound(target.address); at != cells_.end() && at->first < end; ++at) {
      const uint64_t after = at->first + at->second.width() / 8;
      if (after <= begin) continue;
      if (at->first < begin || after > end) throw Untrackable{target.address};
      filled.emplace_back(at->first - begin, at->second);
    }
    std::vector<Term> values;  // all are read before the first is written
    for (auto [offset, variable] : filled)
      values.push_back(source ? copied(s, from, *source, offset, variable.width(), statement) : open(variable.width()));
    for (size_t i = 0; i < filled.size(); ++i) s.effect.assign(filled[i].second, values[i]);
  }

  /// What a copy finds at an offset from where it begins to read.
  Term copied(State& s, uint32_t from, const Target& source, uint64_t offset, unsigned width,
              const Statement& statement) {
    if (untracked_.contains(source.address)) return open(width);
    const Term begin = operand(s, statement.operands[1]);
    return load(s, from, terms().add(begin, terms().constant(begin.width(), offset)), width, statement);
  }

  /// One way for each function that may be called.
  bool indirect_call(State& s, uint32_t from, uint32_t e) {
    const Statement& statement = function_of(s.place.context).edges[e].statement;
    const Term address = operand(s, statement.operands[0]);
    std::string why = fmt::format("the function called at {} is not known", program_.where(statement.position));
    for (program::FunctionId f : contexts_.called(s.place.context, e)) {
      const Term this_one = terms().eq(address, terms().constant(address.width(), program::Program::function_address(f)));
      if (this_one.is_false()) continue;
      State next = s;
      next.effect.guard(this_one);
      try {
        call(next, e, contexts_.callee(s.place.context, e, f), 1);
      } catch (const Refused& refused) {
        why = refused.why;
        continue;
      }
      walk(std::move(next), from, false);
      s.effect.guard(terms().bnot(this_one));
      if (this_one.is_true()) return false;
    }
    throw Refused{why};
  }

  bool call(State& s, uint32_t e, uint32_t callee, size_t first) {
    const Statement& statement = function_of(s.place.context).edges[e].statement;
    const program::Function& body = function_of(callee);
    std::vector<Term> arguments;
    for (size_t i = first; i < statement.operands.size(); ++i) arguments.push_back(operand(s, statement.operands[i]));
    for (uint32_t i = 0; i < body.parameter_count; ++i)
      assign_in(s, callee, i, i < arguments.size() ? arguments[i] : open(contexts_.all()[callee].registers[i].width()));
    s.place.context = callee;
    s.place.location = body.entry;
    s.place.phase = 0;
    return true;
  }

  /// The thread is over, and may be waited for no longer.
  bool finish(State& s, uint32_t from) {
    if (s.place.depth > 0) throw Refused{"a thread ends in an atomic section"};
    if (const Term over = out_.kinds_[context(s).kind].over) s.effect.assign(over, terms().constant(1, 1));
    return arrive(s, from, kNone), false;
  }

  bool leave(State& s, uint32_t from, const Statement& statement) {
    const Context& here = context(s);
    if (here.parent == kNone) {
      return finish(s, from);
    }
    const Edge& call = function_of(here.parent).edges[here.call];
    if (!call.statement.targets.empty()) {
      program::RegisterId target = call.statement.targets[0];
      Term result = statement.operands.empty() ? open(contexts_.all()[here.parent].registers[target].width())
                                               : operand(s, statement.operands[0]);
      assign_in(s, here.parent, target, result);
    }
    s.place.context = here.parent;
    s.place.location = call.to;
    s.place.phase = 0;
    return true;
  }

  bool known_call(State& s, uint32_t from, uint32_t e, FunctionRole what) {
    const Edge& edge = function_of(s.place.context).edges[e];
    const Statement& statement = edge.statement;
    auto arg = [&](size_t i) { return operand(s, statement.operands[i]); };
    auto result = [&](Term t) {
      if (!statement.targets.empty()) assign(s, statement.targets[0], t);
    };
    Term zero = terms().constant(32, 0), one = terms().constant(32, 1);
    switch (what) {
      case FunctionRole::CreateThread: {
        auto kind = contexts_.kind_started(s.place.context, e);
        Term routine = arg(2);
        uint32_t expected = kind ? contexts_.all()[contexts_.starts()[*kind].context].function : kNone;
        if (!kind || !routine.is_constant() || program_.function_at(routine.value64()) != expected)
          throw Refused{fmt::format("the thread started at {} is not known", program_.where(statement.position))};
        if (contexts_.may_point(s.place.context, statement.operands[3]) || mentions_private(arg(3)))
          throw Refused{
              fmt::format("the address of a local variable is shared at {}", program_.where(statement.position))};
        if (s.birth != kNone) throw Refused{"two threads are started at once"};
        if (!arg(1).is_constant(0)) throw Refused{"a thread has attributes"};
        Statement aligned = statement;
        aligned.align = static_cast<uint8_t>(program_.pointer_width() / 8);
        // The new thread may run before its number is stored: others may see the former value, and then this one.
        const Target target = resolve(s, from, arg(0), program_.pointer_width() / 8, true, aligned);
        const Term number = out_.kinds_[*kind].number;
        const bool seen = target.shared && !untracked_.contains(target.address);
        if (!seen || s.place.phase == 1) {
          store(s, from, arg(0), number ? number : open(program_.pointer_width()), false, aligned);
          result(zero);
        }
        if (s.place.phase == 1) break;
        if (seen) {
          s.birth = *kind;
          s.argument = arg(3);
          s.place.phase = 1;
          return true;
        }
        s.birth = *kind;
        s.argument = arg(3);
        break;
      }
      case FunctionRole::JoinThread: join(s, from, statement); break;
      case FunctionRole::Exit: return arrive(s, from, kNone), false;
      case FunctionRole::ExitThread: return finish(s, from);
      case FunctionRole::UseCondition:
        out_.blocks_ = true;
        resolve(s, from, arg(0), pointee_size(statement, 0), true, statement);
        result(open(32));
        break;
      case FunctionRole::DestroyMutex:
        mutex(s, from, 0, statement);
        result(open(32));
        break;
      case FunctionRole::InitMutex:
        if (!arg(1).is_constant(0)) throw Refused{"a mutex has attributes"};
        s.effect.assign(mutex(s, from, 0, statement), zero);
        result(zero);
        break;
      case FunctionRole::LockMutex: {
        Term m = mutex(s, from, 0, statement), free = terms().eq(s.effect.value(m), zero);
        if (free.is_false()) return false;
        s.effect.guard(free);
        s.effect.assign(m, one);
        result(zero);
        break;
      }
      case FunctionRole::UnlockMutex:
        release(s, mutex(s, from, 0, statement));
        result(open(32));
        break;
      case FunctionRole::WaitCondition: {
        Term m = mutex(s, from, 1, statement);
        resolve(s, from, arg(0), pointee_size(statement, 0), true, statement);
        if (s.place.phase == 0) {
          release(s, m);
          s.place.phase = 1;
          return true;
        }
        s.effect.guard(terms().eq(s.effect.value(m), zero));
        s.effect.assign(m, one);
        result(zero);
        break;
      }
      default: break;
    }
    s.place.location = edge.to;
    s.place.phase = 0;
    return true;
  }

  /// Threads of which there is only one are waited for; of others it is not known which is meant.
  void join(State& s, uint32_t from, const Statement& statement) {
    // One that does not hold would let others run.
    if (s.place.depth > 0) throw Refused{"a thread is waited for in an atomic section"};
    out_.blocks_ = out_.joins_ = true;
    const Term thread = operand(s, statement.operands[0]), result = operand(s, statement.operands[1]);
    for (const ThreadKind& kind : out_.kinds_)
      if (kind.number) {
        const Term this_one = terms().eq(thread, kind.number), over = s.effect.value(kind.over);
        s.effect.guard(terms().implies(this_one, terms().eq(over, terms().constant(1, 1))));
      }
    if (!result.is_constant(0)) {
      Statement aligned = statement;
      aligned.align = static_cast<uint8_t>(program_.pointer_width() / 8);
      const Target target = resolve(s, from, result, program_.pointer_width() / 8, true, aligned);
      // It is stored later than the thread is found to be over.
      if (target.shared && !untracked_.contains(target.address)) throw Untrackable{target.address};
      store(s, from, result, open(program_.pointer_width()), false, aligned);
    }
    if (!statement.targets.empty()) assign(s, statement.targets[0], open(32));
  }

  /// Who does not hold a mutex may fail to release it.
  void release(State& s, Term mutex) {
    s.effect.assign(mutex, terms().ite(open(1), terms().constant(32, 0), s.effect.value(mutex)));
  }

  /// The size of what a parameter of a model is declared to point to.
  uint64_t pointee_size(const Statement& call, program::RegisterId parameter) const {
    const program::Function& callee = program_.functions[call.callee];
    const uint64_t size = program_.pointee_size(callee, parameter);
    if (size == 0) throw Refused{fmt::format("the size of what {} is given is not known", callee.name)};
    return size;
  }

  Term mutex(State& s, uint32_t from, program::RegisterId parameter, const Statement& statement) {
    const Term address = operand(s, statement.operands[parameter]);
    if (s.place.depth > 0) throw Refused{"a mutex in an atomic section"};
    out_.blocks_ = true;
    if (!address.is_constant())
      throw Refused{fmt::format("the mutex at {} is not known", program_.where(statement.position))};
    Target target = resolve(s, from, address, pointee_size(statement, parameter), true, statement);
    if (!target.shared || address.value64() % 8 % (program_.pointer_width() / 8) != 0)
      throw Refused{"a mutex is a local variable, or lies where none can be"};
    Term variable = cell(target, address, 32);
    if (!variable) throw Refused{fmt::format("{} is used as more than a mutex", target.name)};
    if (!initial(*target.object, address.value64() - target.address, 32).is_constant(0) ||
        std::ranges::any_of(target.object->initial, [](uint8_t byte) { return byte != 0; }))
      throw Refused{fmt::format("the mutex {} has attributes", target.name)};
    return variable;
  }

  const program::Program& program_;
  const verdict::Specification& specification_;
  const Contexts& contexts_;
  const std::set<uint64_t>& untracked_;
  const std::vector<bool>& unique_;  ///< by kind, as an earlier attempt found out; empty: not known yet
  semantics::Meanings meanings_;
  const bool races_ = specification_.has(Property::NoDataRace);
  Automaton& out_;
  std::vector<ControlPoint> places_;
  std::map<ControlPoint, uint32_t> numbers_;
  std::map<uint64_t, Term> cells_;
  Limits& limits_;
  size_t paths_ = 0;
};

Automaton::Automaton(const program::Program& program, const verdict::Specification& specification, Limits& limits,
                     bool sections) {
  Contexts contexts(program);
  if (contexts.pointers_in_memory()) throw Refused{"the address of a local variable is put into memory"};
  std::set<uint64_t> untracked;
  std::map<uint64_t, unsigned> cells;
  std::vector<bool> unique;
  for (;;) {
    kinds_.clear();
    nodes_.clear();
    steps_.clear();
    variables_.clear();
    numbers_.clear();
    blocks_ = false;
    Builder builder(program, specification, contexts, untracked, unique, *this, limits);
    try {
      builder.expect(cells);
      builder.build();
      std::map<uint64_t, unsigned> found = builder.cells();
      if (found != cells) {
        cells = std::move(found);
        continue;
      }
      find_unique();
      std::vector<bool> now;
      for (const ThreadKind& kind : kinds_) now.push_back(kind.unique);
      if (!joins_ || now == unique) break;
      unique = std::move(now);
    } catch (const Untrackable& object) {
      untracked.insert(object.address);
      cells.clear();
    }
  }
  find_live();
  if (!sections) return;
  merge_sections(program.terms());
  find_live();
}

Automaton::~Automaton() = default;

const Variable* Automaton::variable(Term term) const {
  auto found = numbers_.find(term);
  return found == numbers_.end() ? nullptr : &variables_[found->second];
}

}  // namespace whittle::engines::crowd
