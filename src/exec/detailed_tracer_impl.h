// What a run told for people is made from while it runs. Each .cpp file holds one concern:
//
//   detailed_tracer.cpp   the listener: statements as they come, and the trace at the end
//   traced_calls.cpp      calls and their rounds, parameters, results, the variables of each call
//   traced_memory.cpp     objects, what statements and models of the library write, what they read
//   traced_objects.cpp    objects that get their value piece by piece: from inputs, from an initialiser
//   explanation.cpp       violations in the program's words: who waits for whom, who freed it, who wrote it
#pragma once

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "exec/detailed_tracer.h"
#include "exec/naming.h"
#include "program/analysis/loops.h"

namespace whittle::exec {

constexpr uint64_t kFollowedBytes = 4096;  ///< of one write: what a read of a later byte saw is not told

using program::Kind;
using verdict::DetailedStep;

struct DetailedTracer::Impl {
  /// A statement that has been announced but whose effect is not known yet.
  struct Open {
    uint64_t step = 0;  ///< number of its step since the begin of the run
    bool shown = false;
    uint32_t frame = 0;
    program::FunctionId function = 0;
    uint32_t edge = 0;
    uint64_t address = 0;  ///< of what it stores or loads
    uint64_t size = 0;
    Through through;       ///< the pointer it goes through
    Stored stored;         ///< what its statement says of the place
    std::vector<uint8_t> before;  ///< what was there, if it stores
    struct Range {
      uint64_t address = 0, size = 0;
    };
    std::array<Range, 2> writes = {};  ///< all that it writes
    uint64_t writer = 0;               ///< number of the step that shows it: its own, or the user's call of the model; from 1
    std::vector<Range> by_model;       ///< of a call of a model: what it has written, by address
    program::FunctionId callee = program::kNone;  ///< of a call that has gone into a function
    bool asked = false;                           ///< of a call of a model: it took an input
  };
  /// A call that has not returned.
  struct Frame {
    uint32_t number = 0;  ///< in the run
    program::FunctionId function = program::kNone;
    bool begins = true;   ///< its parameters are still put where they belong
    std::map<program::RegisterId, uint32_t> variables = {};
    std::vector<uint32_t> scoped = {};  ///< those that are there now, and not for the whole call
    uint32_t around = 0;                ///< the round in which it was called
    program::FunctionId head = program::kNone;  ///< of a recursion that it is part of: the function that begins its rounds
    bool begins_round = false;                  ///< it is a call of that function
    bool leaf = true;                           ///< no call in it began a round of a recursion
    std::map<program::RegisterId, Through> loaded = {};  ///< pointers without a name of their own: where they were read from
    std::vector<uint32_t> rounds = {};  ///< of its loops, innermost last: numbers of rounds
    std::vector<uint32_t> loops = {};   ///< the same loops, by number in the function
    /// Where it builds the struct that it returns, and what was known of that object before.
    struct Result {
      uint64_t address = 0;
      uint32_t variable = 0;
      bool hidden = false;
    };
    std::optional<Result> result = {};
    Through part = {};  ///< where it builds the struct that it returns, if that is part of an object of its caller
    std::optional<std::pair<program::RegisterId, uint64_t>> last_load = {};  ///< the register, and from where
  };
  /// "mk returns {x = 1}", said in a note.
  struct Said {
    uint64_t step = 0;
    std::string text, value;
    program::TypeId type = program::kNoType;
    uint32_t frame = 0;                 ///< of the caller, and the register that got it
    program::RegisterId result = program::kNone;
    uint64_t begin = 0;                 ///< where its first piece was stored, if it is stored in pieces
    std::vector<uint64_t> pieces = {};  ///< steps that stored one
  };
  /// An object, or a piece of one, that gets its value from inputs stored one after the other.
  struct Filled {
    uint32_t frame = 0;
    program::SourcePosition at;  ///< of the call that fills it
    uint64_t begin = 0;
    Through through;
    std::vector<uint8_t> before;
    std::vector<uint64_t> asked = {};  ///< steps that asked for an input
    uint64_t stored = 0;               ///< the last step that stored one
  };
  /// An object of a call that gets its first value in pieces.
  struct Initialised {
    uint32_t frame = 0, round = 0, file = 0, line = 0;
    uint64_t object = 0;             ///< where it begins
    std::vector<uint64_t> steps = {};  ///< those that stored a piece
  };
  struct ThreadState {
    uint32_t ordinal = 0;
    bool started = false;
    std::optional<Open> last;
    std::vector<Open> calls;  ///< calls that have not returned, innermost last
    std::vector<Frame> frames;
    bool again = false;  ///< its last statement was withdrawn: it will come once more
    bool jumps = false;  ///< its last call was left by longjmp
    std::optional<Said> said = {};  ///< of the last struct that was returned
    std::optional<Open> input = {};  ///< the last statement, if it asked for an input
    std::optional<size_t> filled = {};  ///< the last of `filled`, while it may go on
    std::optional<Initialised> initialised = {};  ///< while more pieces may come
    std::optional<Open> withdrawn = {};           ///< the last statement, if it will come once more
    std::vector<verdict::Change> given = {};      ///< memory that got a value because that statement reads it
  };

  Machine& machine;
  const program::Program& program;
  Naming naming;
  size_t max_steps;
  uint64_t untold;              ///< statements before the first that is told
  uint64_t untold_steps = 0;
  std::deque<DetailedStep> steps;
  uint64_t dropped = 0;
  std::vector<ThreadState> threads;
  std::vector<std::string> lanes;
  std::map<uint32_t, std::string> begins_with;  ///< by number of a thread, also of one that has not run
  /// Which step wrote a byte last. Not of objects that no other thread and no other call can look at.
  std::unordered_map<uint64_t, uint64_t> writers;
  uint32_t frame_count = 0, loop_count = 0;
  std::vector<verdict::Variable> variables{{}};
  std::vector<program::Extent> scopes{{}};      ///< by variable
  std::vector<verdict::Round> rounds{{}};
  std::map<uint64_t, uint32_t> objects;         ///< variables by where their objects begin
  std::map<uint64_t, bool> hidden;              ///< objects on stacks, by where they begin: is it the compiler's own?
  std::vector<uint32_t> freed;                  ///< since the last step
  struct KnownLoops {
    program::analysis::Loops loops;
    std::vector<bool> of_source;  ///< by loop: the front end has not made it for one call
  };
  std::unordered_map<program::FunctionId, KnownLoops> loops_of;
  std::vector<Filled> filled;

  DetailedStep* step(uint64_t number) {
    return number >= dropped && number - dropped < steps.size() ? &steps[number - dropped] : nullptr;
  }
  const program::Edge& edge(const Open& open) const { return program.functions[open.function].edges[open.edge]; }
  const program::Type& type(program::TypeId id) const { return program.types[id]; }
  std::string c(term::Term t) const { return program::to_c(program, t); }

  /// Of `%1 = load head`: head.
  const Through* loaded_from(uint32_t thread, uint32_t frame, program::RegisterId reg) const {
    if (frame >= threads[thread].frames.size()) return nullptr;
    const auto& loaded = threads[thread].frames[frame].loaded;
    const auto found = loaded.find(reg);
    return found == loaded.end() ? nullptr : &found->second;
  }
  /// The only pointer of the source that the address depends on.
  Through through(uint32_t thread, uint32_t frame, term::Term address) const {
    Through found;
    for (term::Term variable : term::variables(address)) {
      const auto ref = program.register_of(variable);
      const program::Register& r = program.functions[ref.function].registers[ref.reg];
      if (r.name == "...") return {};
      const Through* loaded = r.name.empty() ? loaded_from(thread, frame, ref.reg) : nullptr;
      if (!loaded && (program.types[r.type].kind != program::Type::Kind::Pointer || r.name.empty())) continue;
      if (!found.name.empty()) return {};
      found = {loaded ? loaded->name : r.name, loaded ? loaded->type : r.type, static_cast<uint64_t>(machine.register_value(thread, frame, ref.reg))};
    }
    if (found.name.empty() && frame < threads[thread].frames.size()) {
      const Through& part = threads[thread].frames[frame].part;
      const uint64_t at = part.name.empty() ? 0 : static_cast<uint64_t>(machine.evaluate(thread, frame, address));
      if (!part.name.empty() && at >= part.value && at - part.value < type(part.type).size) return part;
    }
    return found;
  }
  std::string place(uint32_t thread, uint32_t frame, term::Term address, uint64_t size) const {
    uint64_t value = static_cast<uint64_t>(machine.evaluate(thread, frame, address));
    if (auto named = naming.place(through(thread, frame, address), value, size)) return named->text;
    if (machine.object_at(value)) return naming.place(value, size).text;
    return "*(" + c(address) + ")";
  }
  std::string target(const program::Function& f, const program::Statement& s, size_t i = 0) const {
    if (s.targets.size() <= i) return "";
    const program::Register& reg = f.registers[s.targets[i]];
    return (reg.name.empty() ? c(reg.variable) : reg.name) + " = ";
  }
  std::string list(const program::Statement& s, size_t first = 0) const {
    std::string text;
    for (size_t i = first; i < s.operands.size(); ++i) text += (i == first ? "" : ", ") + c(s.operands[i]);
    return text;
  }
  std::string text(uint32_t thread, uint32_t frame, const program::Function& f, const program::Location& location,
                   const program::Statement& s) const;
  void complete(uint32_t thread, Open& open);
  void follow_frames(uint32_t thread, ThreadState& state, uint32_t frame, program::FunctionId function);
  void enter(uint32_t thread, uint32_t index, ThreadState& state);
  void leave(const Frame& frame);
  bool recurs(const std::vector<Frame>& frames, program::FunctionId function) const;
  void follow_rounds(ThreadState& state, program::FunctionId function, program::LocationId location);
  uint32_t add_round(verdict::Round round);
  bool is_hidden(uint64_t address) const;
  /// How an object without a name is used. `type`: of a pointer to it, if one is seen.
  struct Nameless {
    bool only_copied = true;
    program::TypeId type = program::kNoType;
  };
  Nameless uses_of(program::FunctionId function, program::RegisterId reg) const;
  Stored stored(uint32_t thread, const Open& open) const;
  bool begins_call(uint32_t thread, Frame& frame, const program::Function& f, const program::Statement& s) const;
  uint32_t variable(uint32_t thread, uint32_t frame, program::RegisterId reg);
  uint32_t variable(uint64_t address);
  void belongs(verdict::Change& change, uint64_t address);
  void touch(uint32_t variable);
  void end_scopes(DetailedStep& step, Frame& frame, const program::SourcePosition& at);
  std::optional<std::string> result_text(const program::Function& callee, u128 value) const;
  DetailedStep& result_of(DetailedStep& of, uint32_t round);
  std::vector<Open::Range> joined(std::vector<Open::Range> pieces) const;
  void follow_thread(uint32_t thread, const Open& open);
  void follow_objects(uint32_t thread, const Open& open);
  void follow_writes(uint32_t thread, ThreadState& state, Open& open) const;
  std::vector<verdict::Change> written(uint32_t thread, const Open& call);
  Through argument_at(uint32_t thread, const Open& call, uint64_t address) const;
  void add_read(DetailedStep& to, uint32_t thread, const Open& open);
  void follow_pointer(const Open& open);
  void follow_copy(uint32_t thread, const Open& open);
  void begin_access(uint32_t thread, Open& open) const;
  const Open* user_call(uint32_t thread) const;
  std::string library_object(uint64_t address) const;
  std::string holder(uint32_t thread, uint64_t address, bool mutex) const;
  std::string waiting(uint32_t thread) const;
  void explain_race(verdict::Violation& violation, uint32_t thread) const;
  void explain_lock(verdict::Violation& violation, uint32_t thread) const;
  std::string user_position(const ThreadState& state, const program::Statement& here) const;
  void changed(DetailedStep& to, uint32_t thread, uint32_t frame, const program::Function& f, program::RegisterId reg, const program::Statement* by = nullptr);
  bool uses_result(const Said& said, uint32_t frame, std::span<const term::Term> operands) const;
  void entered(uint32_t thread, const Open& call, uint32_t frame, const program::Function& callee);
  void returned(DetailedStep& to, uint32_t thread, const Open& call);
  bool stores_result(uint32_t thread, const Open& open) const;
  void withdraw_result(ThreadState& state);
  void join_pieces(DetailedStep& to, uint32_t thread, const Open& open);
  void fill(DetailedStep& to, uint32_t thread, const Open& open);
  bool has_union(program::TypeId id) const;
  void initialise(DetailedStep& to, uint32_t thread, const Open& open);
  bool is_of_front_end(const program::Function& f, const program::analysis::Loop& loop) const;
  void returned_struct(DetailedStep& to, uint32_t thread, const Open& call, uint32_t round);
  void begin_lane(ThreadState& state, const program::Function& f) {
    if (state.started) return;
    if (lanes.size() <= state.ordinal) lanes.resize(state.ordinal + 1);
    lanes[state.ordinal] = source_name(f);
    state.started = true;
  }
  void drop() {
    while (steps.size() > max_steps) steps.pop_front(), ++dropped;
  }
};

/// Structs of more than 16 bytes are built where the caller says, in the first parameter.
bool returns_in_memory(const program::Program& program, const program::Function& f);
/// "checking = 150 was written by thread 1 at bank.c:12", for what the failing line read from another thread.
void tell_what_was_seen(verdict::DetailedTrace& trace);

}  // namespace whittle::exec
