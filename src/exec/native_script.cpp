#include "exec/native_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "exec/library_call.h"
#include "exec/machine.h"
#include "program/word_access.h"

namespace whittle::exec {

using program::Kind;

namespace {

constexpr uint64_t kCopied = 4096;  ///< bytes of one copy that are counted

class Scribe : Listener {
 public:
  Scribe(const std::shared_ptr<const Code>& code, const verdict::Counterexample& wanted, const NativeCalls& calls, Limits* limits)
      : machine_(code), program_(code->program()), wanted_(wanted), calls_(calls), limits_(limits), threads_(code->options().max_threads) {
    machine_.set_listener(this);
  }

  NativeScript run() {
    for (uint64_t round = 0;; ++round) {
      const Pause& pause = machine_.pause();
      if (pause.final() || (limits_ && round % 1024 == 0 && limits_->poll_now() != Stop::No)) break;
      machine_.set_budget(kPatience);
      if (pause.kind == PauseKind::Input)
        provide(pause);
      else if (pause.kind == PauseKind::Budget)
        machine_.resume();
      else if (!schedule())
        break;
      if (machine_.pause().kind == PauseKind::Budget) machine_.yield_here();
    }
    if (machine_.pause().kind == PauseKind::Violation) script_.violation = machine_.pause().violation;
    if (machine_.deadlocked()) script_.violation = machine_.deadlock_violation();
    look_at_violation();
    script_.threads = machine_.thread_count();
    for (uint32_t t = 0; t < threads_.size(); ++t) {
      const bool alive = t < machine_.thread_count() && machine_.alive(t) && machine_.ordinal(t) == threads_[t].ordinal;
      if (alive && threads_[t].unsettled) rest_after_[*threads_[t].unsettled] = last_moment(threads_[t]);
      settle(threads_[t], alive ? "rest" : "end", 0);
    }
    insert_moments_before_rest();
    if (any_) script_.turns.push_back({machine_.ordinal(last_), "", 0});
    return std::move(script_);
  }

 private:
  struct ThreadState {
    uint32_t ordinal = UINT32_MAX;
    std::vector<std::string> open;             ///< what it is about to do; counted once it is done
    std::map<std::string, uint64_t> counts;    ///< how often it has done what
    std::string last;                          ///< of counts: what it has done last
    bool in_the_middle = false;                ///< of a call: part of it is done
    program::FunctionId function = program::kNone;  ///< the statement that it went on with, if it has done no other since
    uint32_t edge = 0;
    program::FunctionId last_function = program::kNone;  ///< of the program: what it has done last
    program::SourcePosition last_position;
    Kind last_kind = Kind::Skip;
    std::optional<size_t> unsettled;           ///< a turn that ends at the next thing worth counting
  };

  struct Moment {
    std::string what;
    uint64_t count = 0;
  };
  static Moment last_moment(const ThreadState& state) {
    if (state.open.empty()) return {state.last, state.last.empty() ? 0 : state.counts.at(state.last)};
    auto known = state.counts.find(state.open.back());
    return {state.open.back(), (known == state.counts.end() ? 0 : known->second) + 1};
  }
  /// A thread does its last deed of the run before it rests.
  void insert_moments_before_rest() {
    std::vector<NativeScript::Turn> turns;
    for (size_t i = 0; i < script_.turns.size(); ++i) {
      if (auto found = rest_after_.find(i); found != rest_after_.end() && !found->second.what.empty())
        turns.push_back({script_.turns[i].thread, found->second.what, found->second.count});
      turns.push_back(script_.turns[i]);
    }
    script_.turns = std::move(turns);
  }

  /// Is it inside a call of the C library, or did such a call do the other half of a race?
  void look_at_violation() {
    if (!script_.violation) return;
    if (machine_.pause().kind == PauseKind::Violation) {
      if (auto call = library_call(machine_, machine_.pause().thread)) script_.library = call->name;
    }
    if (script_.violation->property != verdict::Property::NoDataRace || !script_.library.empty()) return;
    for (const auto& [where, name] : library_lines_)
      if (script_.violation->message.ends_with(" " + where)) script_.library = name;
  }

  void provide(const Pause& pause) {
    const size_t index = script_.counterexample.inputs.size();
    const u128 value = (index < wanted_.inputs.size() ? wanted_.inputs[index].value : 0) & mask128(pause.width);
    verdict::Input input{pause.width, value, pause.origin, "", pause.position.line};
    if (pause.position.file < program_.files.size()) input.file = program_.files[pause.position.file];
    script_.input_threads.push_back(machine_.ordinal(pause.thread));
    script_.counterexample.inputs.push_back(std::move(input));
    std::string format;
    bool asked = pause.input || pause.origin.starts_with("return value of ");
    if (auto call = library_call(machine_, pause.thread)) {
      if (pause.memory == 0) script_.counterexample.inputs.back().origin = call->name;
      format = call->format;
      asked = call->name.starts_with("klee_") || call->name.starts_with("__VERIFIER_");
    }
    script_.asked.push_back(asked);
    if (pause.memory != 0) hold(pause, value);
    script_.formats.push_back(std::move(format));
    machine_.provide(value);
  }

  void hold(const Pause& pause, u128 value) {
    const auto object = machine_.object_at(pause.memory);
    const auto made = object ? std::ranges::find(made_, object->address) : made_.end();
    if (made == made_.end()) return;
    script_.held.push_back({static_cast<size_t>(made - made_.begin()), pause.memory - object->address, pause.width / 8, value});
    script_.placed.insert(script_.counterexample.inputs.size() - 1);
  }

  uint32_t pick() {
    while (next_ < wanted_.schedule.size()) {
      const uint32_t thread = wanted_.schedule[next_++];
      if (machine_.enabled(thread)) return thread;
    }
    for (uint32_t i = 0; i < machine_.thread_count(); ++i) {
      const uint32_t thread = (last_ + i) % machine_.thread_count();
      if (machine_.enabled(thread)) return thread;
    }
    return UINT32_MAX;
  }

  bool schedule() {
    const uint32_t thread = pick();
    if (thread == UINT32_MAX) return false;
    if (any_ && thread != last_) end_turn(last_);
    any_ = true;
    last_ = thread;
    script_.counterexample.schedule.push_back(thread);
    ThreadState& state = state_of(thread);
    const Pending pending = machine_.pending(thread);
    if (pending.function != program::kNone && in_model(thread, pending.function)) state.in_the_middle = true;
    state.function = pending.function, state.edge = pending.edge;
    machine_.schedule(thread);
    return true;
  }

  /// A new thread may have the slot of one that ended.
  ThreadState& state_of(uint32_t thread) {
    ThreadState& state = threads_[thread];
    if (state.ordinal != machine_.ordinal(thread)) {
      state = {};
      state.ordinal = machine_.ordinal(thread);
    }
    return state;
  }

  void end_turn(uint32_t thread) {
    ThreadState& state = threads_[thread];
    NativeScript::Turn turn{state.ordinal, "", 0};
    if (!machine_.alive(thread) || machine_.ordinal(thread) != state.ordinal) {
      turn.until = "end";
    } else if (!machine_.enabled(thread)) {
      turn.until = "block";
    } else {
      stop_at(turn, thread, state);
    }
    script_.turns.push_back(turn);
    if (turn.until.empty()) state.unsettled = script_.turns.size() - 1;
  }

  /// The thread could go on, and stands before something visible.
  void stop_at(NativeScript::Turn& turn, uint32_t thread, ThreadState& state) {
    const Pending pending = machine_.pending(thread);
    if (pending.function == program::kNone) return;
    if (!in_model(thread, pending.function)) {
      // It went on with this statement, and still is there: part of it is done.
      if (pending.function == state.function && pending.edge == state.edge)
        script_.torn = program_.where(program_.functions[pending.function].edges[pending.edge].statement.position);
      const program::Statement& s = program_.functions[pending.function].edges[pending.edge].statement;
      if (pending.function == state.last_function && s.position == state.last_position && s.position.file < program_.files.size()) {
        script_.inside.push_back({program_.files[s.position.file], s.position.line, s.position.column});
        if (s.kind == state.last_kind) script_.torn = program_.where(s.position);  // an access that is not aligned
      }
      const std::string what = moment(thread, pending.function, pending.edge);
      if (what.empty()) return;
      turn.until = what;
      turn.count = state.counts[what] + 1;
      return;
    }
    const std::string call = call_of(thread);
    if (call.empty()) {
      if (auto library = library_call(machine_, thread); library && state.in_the_middle) script_.interrupted = library->name;
      return;
    }
    turn.until = (state.in_the_middle ? "a " : "c ") + call;
    turn.count = std::max<uint64_t>(state.counts["c " + call], 1);  // main's end is an exit() that it does not call
  }

  /// The call of the thread library that the thread is in, or nothing.
  std::string call_of(uint32_t thread) const {
    std::string name;
    for (uint32_t frame = machine_.frame_count(thread); frame-- > 0;) {
      const program::Function& function = program_.functions[machine_.frame(thread, frame).function];
      if (!function.runtime) break;
      name = machine_.frame(thread, frame).function == program_.entry ? "exit" : function.name;
    }
    return native_name(name);
  }
  std::string native_name(const std::string& name) const {
    auto found = calls_.moments.find(name);
    return found == calls_.moments.end() ? "" : found->second;
  }

  /// In words, what the statement of the program is about to do; nothing if a native run could not tell.
  std::string moment(uint32_t thread, program::FunctionId function, uint32_t edge) const {
    const program::Statement& s = program_.functions[function].edges[edge].statement;
    switch (s.kind) {
      case Kind::Call: {
        const std::string name = program_.functions[s.callee].runtime ? native_name(program_.functions[s.callee].name) : "";
        return name.empty() ? "" : "c " + name;
      }
      case Kind::AtomicBegin:
        return program_.functions[function].name.starts_with("__VERIFIER_atomic_") ? "" : "c __VERIFIER_atomic_begin";
      case Kind::Load: return place(thread, address_of(thread, s), "r ");
      case Kind::Store:
      case Kind::Fill: return place(thread, address_of(thread, s), "w ");
      case Kind::Copy: {
        const std::string written = place(thread, address_of(thread, s), "w ");
        if (!written.empty()) return written;
        const uint32_t frame = machine_.frame_count(thread) - 1;
        return place(thread, static_cast<uint64_t>(machine_.evaluate(thread, frame, s.operands[1])), "r ");
      }
      default: return program::updates_word(s.kind) ? place(thread, address_of(thread, s), "w ") : "";
    }
  }
  uint64_t address_of(uint32_t thread, const program::Statement& s) const {
    return static_cast<uint64_t>(machine_.evaluate(thread, machine_.frame_count(thread) - 1, s.operands[0]));
  }
  std::string place(uint32_t thread, uint64_t address, std::string_view how) const {
    const auto object = machine_.object_at(address);
    if (!object || object->constant) return "";
    switch (object->kind) {
      case ObjectInfo::Kind::Static: {
        const auto id = program_.object_at(address);
        if (!id || program_.objects[*id].runtime) return "";
        const program::Object& named = program_.objects[*id];
        const std::string file =
            named.position.file < program_.files.size() ? std::filesystem::path(program_.files[named.position.file]).filename() : "";
        return fmt::format("{}{}:{}+{}", how, file, named.name, address - object->address);
      }
      case ObjectInfo::Kind::Heap: return fmt::format("{}heap", how);
      case ObjectInfo::Kind::Stack: {
        const Machine::Area own = machine_.area(thread, ObjectInfo::Kind::Stack);
        return address >= own.begin && address < own.end ? "" : fmt::format("{}stack", how);
      }
      case ObjectInfo::Kind::ThreadLocal: break;
    }
    return "";
  }

  void statement(uint32_t thread, program::FunctionId function, uint32_t edge) override {
    ThreadState& state = state_of(thread);
    for (const std::string& what : state.open) ++state.counts[what], state.last = what;
    state.open.clear();
    if (const program::Statement& s = program_.functions[function].edges[edge].statement;
        s.kind == Kind::Return && program_.functions[function].runtime && calls_.makers.contains(program_.functions[function].name))
      made_.push_back(static_cast<uint64_t>(machine_.evaluate(thread, machine_.frame_count(thread) - 1, s.operands[0])));
    if (in_model(thread, function)) return;
    if (const uint32_t frames = machine_.frame_count(thread); frames > 1 && script_.callback.empty()) {
      const program::Function& caller = program_.functions[machine_.frame(thread, frames - 2).function];
      if (caller.runtime && caller.role == program::FunctionRole::None && !program_.functions[function].runtime && frames > 2 &&
          !program_.functions[machine_.frame(thread, frames - 3).function].runtime)
        script_.callback = caller.name;
    }
    state.in_the_middle = false;
    if (function != state.function || edge != state.edge) state.function = program::kNone;
    const program::Statement& s = program_.functions[function].edges[edge].statement;
    state.last_function = function, state.last_position = s.position, state.last_kind = s.kind;
    if (s.kind == Kind::Call && is_model(s.callee)) library_lines_[program_.where(s.position)] = program_.functions[s.callee].name;
    script_.constant = s.kind == Kind::Error || (s.kind == Kind::Check && s.operands[0].op() == term::Op::Constant);  // the last one counts
    script_.atomics = script_.atomics || s.atomic || program::updates_word(s.kind);
    if (std::string what = moment(thread, function, edge); !what.empty()) {
      settle(state, what, state.counts[what] + 1);
      if (s.kind != Kind::Copy && s.kind != Kind::Fill) state.open.push_back(std::move(what));
    }
    add_copied(thread, s, state.open);
  }
  /// A copy as a whole is natively one byte after the other.
  void add_copied(uint32_t thread, const program::Statement& s, std::vector<std::string>& open) const {
    if (s.kind != Kind::Copy && s.kind != Kind::Fill) return;
    const uint32_t frame = machine_.frame_count(thread) - 1;
    const auto size = static_cast<uint64_t>(machine_.evaluate(thread, frame, s.operands[2]));
    for (size_t side = 0; side < (s.kind == Kind::Copy ? 2u : 1u); ++side) {
      const auto address = static_cast<uint64_t>(machine_.evaluate(thread, frame, s.operands[side]));
      for (uint64_t i = 0; i < std::min(size, kCopied); ++i)
        if (std::string what = place(thread, address + i, side == 0 ? "w " : "r "); !what.empty()) open.push_back(std::move(what));
    }
  }
  /// Models that are done natively by libraries. Those that copy are done by replay.c, step by step.
  bool is_model(program::FunctionId function) const {
    const program::Function& f = program_.functions[function];
    return f.runtime && !calls_.copies.contains(f.name);
  }
  /// The same of the function that the thread is in: it may be a part of what the program has called.
  bool in_model(uint32_t thread, program::FunctionId function) const {
    if (!program_.functions[function].runtime) return false;
    program::FunctionId called = function;
    for (uint32_t frame = machine_.frame_count(thread); frame-- > 0;) {
      const program::FunctionId here = machine_.frame(thread, frame).function;
      if (!program_.functions[here].runtime) break;
      called = here;
    }
    return is_model(called);
  }
  void withdrawn(uint32_t thread) override { threads_[thread].open.clear(); }

  void settle(ThreadState& state, const std::string& until, uint64_t count) {
    if (!state.unsettled) return;
    script_.turns[*state.unsettled].until = until;
    script_.turns[*state.unsettled].count = count;
    state.unsettled.reset();
  }

  Machine machine_;
  const program::Program& program_;
  const verdict::Counterexample& wanted_;
  const NativeCalls& calls_;
  Limits* limits_;
  std::vector<ThreadState> threads_;
  NativeScript script_;
  std::map<size_t, Moment> rest_after_;  ///< by turn
  std::map<std::string, std::string> library_lines_;  ///< "a.c:12": what the C library was called for there
  std::vector<uint64_t> made_;  ///< objects of a harness
  size_t next_ = 0;
  uint32_t last_ = 0;
  bool any_ = false;
};

}  // namespace

NativeScript native_script(const std::shared_ptr<const Code>& code, const verdict::Counterexample& counterexample,
                           const NativeCalls& calls, Limits* limits) {
  NativeScript script = Scribe(code, counterexample, calls, limits).run();
  const program::Program& program = code->program();
  for (const program::Function& function : program.functions) {
    if (function.runtime) continue;
    for (const program::Edge& edge : function.edges) {
      if (edge.statement.kind != program::Kind::Call) continue;
      const program::Function& callee = program.functions[edge.statement.callee];
      if (callee.runtime && callee.role == program::FunctionRole::Threads && !calls.all.contains(callee.name)) script.unscheduled = callee.name;
    }
  }
  return script;
}

}  // namespace whittle::exec
