// The symbolic machine: the concrete one under a model of its inputs, with terms for whatever depends on them.
//
//   SymbolicMachine s(program, code);
//   s.reset();
//   while (!s.pause().final()) {
//     if (s.pause().kind == PauseKind::Input) {
//       Term x = terms.variable(s.pause().width, s.pause().origin);
//       s.provide(x, model[x]);
//     } else if (s.pause().kind == PauseKind::Budget) s.resume();
//     else s.schedule(some enabled thread);
//   }
//   for (const Fork& fork : s.forks()) ...     // the path condition, in order
//
// There is one semantics: the concrete machine's. This class listens to it, keeps terms over input variables for
// registers and memory, and writes down as a Fork whatever the run took for granted about inputs. To see the other side
// of a fork, load() the snapshot of the last scheduling point (or reset()), set_model() to a model of all conditions
// before the fork and the negation of its own, and run again: the machine takes the other side by itself.
//
// A load or store at an address that depends on inputs is resolved inside the object that the model points to: a choice
// between those of its elements that the address may mean (term/ranges.h), or the address of this model if they are too
// many. Freed, null and outside are the other side of that Fork; there is none where ranges show that it stays inside. Two runs of one schedule whose inputs satisfy the same forks pass the same statements and meet the same pauses.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "exec/machine.h"
#include "exec/overlay.h"
#include "program/analysis/liveness.h"
#include "semantics/access.h"
#include "semantics/meaning.h"
#include "term/ranges.h"

namespace whittle::exec {

/// A place where the run depends on inputs, and what this run took for granted there.
struct Fork {
  enum class Kind : uint8_t {
    Branch,   ///< the side taken
    Check,    ///< the check holds; or it does not, and the pause is a Violation (or what docs/machine.md says)
    Assume,   ///< the assumption holds; or it does not, and the pause is Pruned
    Await,    ///< whether a thread is blocked
    Address,  ///< the access goes into this object (and to elements as the statement sees them)
    Size,     ///< of an allocation or a copy: this one
    Target,   ///< of a call or a thread start: this one
    Value,    ///< of something that only the concrete machine can do: this one
  };
  Kind kind = Kind::Branch;
  uint32_t thread = 0;
  program::FunctionId function = program::kNone;
  uint32_t edge = program::kNone;
  program::SourcePosition position;
  term::Term condition;    ///< over input variables; true under the model of this run
  uint64_t statement = 0;  ///< announced so many before it, since reset() or load()
};

/// What a statement is about to write, for all models.
struct Effect {
  struct Bytes {
    uint64_t address = 0;
    uint64_t size = 0;
    term::Term value;  ///< none: what the machine writes, whatever the model
  };
  std::vector<std::pair<Overlay::Register, term::Term>> registers;  ///< no term: as Bytes::value
  std::vector<Bytes> memory;
};

/// Hears before each statement what it is about to write.
class WriteListener {
 public:
  virtual void writes(const Effect& effect) = 0;

 protected:
  ~WriteListener() = default;
};

class SymbolicMachine : private Listener {
 public:
  SymbolicMachine(const program::Program& program, std::shared_ptr<const Code> code);
  SymbolicMachine(const SymbolicMachine&) = delete;
  SymbolicMachine& operator=(const SymbolicMachine&) = delete;

  /// To look inside, to set limits and sinks. Running, states and listeners go through the methods below.
  Machine& machine() { return machine_; }
  const Machine& machine() const { return machine_; }
  const program::Program& program() const { return program_; }
  semantics::Meanings& meanings() { return semantics_; }

  // Running, as Machine
  void reset();  ///< and forgets everything
  const Pause& pause() const { return machine_.pause(); }
  const Pause& schedule(uint32_t thread);
  const Pause& resume();
  /// As Machine::approach, if nothing on the way depends on inputs, ends or takes long. False: nothing happened.
  bool approach(uint32_t thread);
  /// At an Input pause: the value stands for `variable` (a variable of the pause's width, new or any other term over
  /// inputs); `value` is what it is worth in the model.
  const Pause& provide(term::Term variable, u128 value);

  std::span<const Fork> forks() const { return forks_; }  ///< since reset(), load() or forget_forks()
  void forget_forks();
  /// At a scheduling point: whether each thread at an Await is blocked becomes part of the path condition. Without it,
  /// enabled() is about the model only.
  void fork_awaits();

  // States. A snapshot may be loaded any number of times, also under another model.
  struct Snapshot {
    std::vector<uint8_t> bytes;
    Overlay overlay;
  };
  Snapshot save();
  void save(Snapshot& into);  ///< the same, without allocating anew
  void load(const Snapshot& snapshot);
  /// The same symbolic state under another model: all terms are evaluated anew. The model must satisfy all conditions
  /// on the way here. At scheduling, Input and Budget pauses.
  using Model = std::function<u128(term::Term variable)>;
  void set_model(const Model& model);

  // Looking inside, symbolically: a constant where nothing depends on inputs
  term::Term register_term(uint32_t thread, uint32_t frame, program::RegisterId reg) const;
  term::Term evaluate(uint32_t thread, uint32_t frame, term::Term over_registers) const;
  /// 1 to 16 bytes inside one live object; no term if they are not, or not initialised.
  term::Term memory_term(uint64_t address, unsigned bytes) const;
  /// Do these bytes lie inside one live object, aligned, and not constant if they are written?
  bool valid(const semantics::Access& access, uint64_t address) const;
  bool symbolic(uint64_t address, uint64_t size) const { return overlay_.touches(address, size); }
  bool symbolic_register(uint32_t thread, uint32_t frame, program::RegisterId reg) const {
    return static_cast<bool>(overlay_.reg({thread, frame, reg}));
  }
  /// Another term for a register, or bytes of memory: where several paths meet. It is worth what the machine holds.
  void set_register_term(const Overlay::Register& cell, term::Term value) { overlay_.set_reg(cell, value); }
  void set_memory_term(uint64_t address, term::Term value) { overlay_.store(address, value); }
  /// Nothing depends on inputs now: the machine runs at full speed.
  bool empty() const { return overlay_.empty(); }
  const Overlay& overlay() const { return overlay_; }
  /// As Machine::pending; an address that depends on inputs gives the whole object that the model points
  /// into.
  Pending pending(uint32_t thread);

  /// Hears what a Listener of the machine would hear (and slows it down), and Listener::executed. Null: no one.
  void set_observer(Listener* observer);
  /// Null: no one. Needs an observer.
  void set_write_listener(WriteListener* listener) { write_listener_ = listener; }

  /// As Machine::set_access_log; an access at an address that depends on inputs adds the whole object.
  void set_access_log(std::vector<Pending::Range>* log);

  /// Addresses in shared objects are those of the model, each a Fork: for who compares addresses of threads concretely.
  /// So it is in any case where data races are checked.
  void pin_shared_addresses() { pin_shared_ = true; }
  /// All addresses are those of the model.
  void pin_addresses() { pin_all_ = true; }

 private:
  using Cell = Overlay::Register;
  void statement(uint32_t thread, program::FunctionId function, uint32_t edge) override;
  void withdrawn(uint32_t thread) override;
  void references(const std::function<void(uint64_t)>& visit) override;

  // What the statement announced last does, once it is known to have been executed
  void settle();
  void drop();           ///< it was not
  void apply();
  const Pause& after();  ///< a call of the machine
  void tidy();
  void listen();
  bool live(const Cell& cell);

  term::Store& terms() const { return program_.terms(); }
  bool depends(term::Term operand) const { return depends(operand, thread_, frame_); }
  bool depends(term::Term operand, uint32_t thread, uint32_t frame) const;
  term::Term value(term::Term operand) const { return evaluate(thread_, frame_, operand); }
  uint64_t concrete(term::Term operand) const;
  const std::vector<program::RegisterId>& registers_of(term::Term operand) const;
  void expose(term::Term stored);

  // symbolic_statements.cpp: what one statement does
  void begin(const program::Statement& s);
  void fork(Fork::Kind kind, term::Term condition);
  uint64_t pin(Fork::Kind kind, size_t operand);
  void pin_all(Fork::Kind kind);
  void pin_pointers();
  void assign(program::RegisterId target, term::Term value);  ///< no term: what the machine says
  term::Term fit(term::Term value, unsigned width) { return terms().resize_unsigned(value, width); }
  /// Memory that the statement accesses.
  struct Located {
    uint64_t at = 0;  ///< under this model
    uint32_t bytes = 0;
    term::Term offset;  ///< from `object`, if it depends on inputs and stays a term
    uint64_t object = 0;
    term::Elements elements;  ///< where it may be under other models; none: only there
    std::vector<bool> has_value;  ///< by element; it is not at one that has none
    bool spread() const { return elements.count != 0; }
  };
  Located locate(const semantics::Access& access);
  term::Term loaded(const Located& memory) const;
  term::Term value(term::Term t, const Located& memory) const;
  void store(const Located& memory, term::Term value);
  void begin_guard(const program::Function& function);
  void begin_effect(const semantics::Meaning& meaning);
  void settle_exchange(const Located& memory);
  void begin_bulk(const semantics::Write& write);
  void begin_call(program::FunctionId callee, size_t first);
  void begin_return();
  void fork_unless_constant(Fork::Kind kind, term::Term condition);
  term::Term await_condition(uint32_t thread, uint32_t frame, term::Term wait, uint64_t address) const;

  const program::Program& program_;
  Machine machine_;
  semantics::Meanings semantics_;
  Overlay overlay_;
  std::vector<Fork> forks_;
  std::vector<Pending::Range>* log_ = nullptr;
  Listener* observer_ = nullptr;
  WriteListener* write_listener_ = nullptr;
  bool pin_shared_ = false, pin_all_ = false, check_races_ = false;
  bool keep_registers_ = false;  ///< dead registers count, too (memory that variables in scope point to)
  uint64_t announced_ = 0;

  // The statement announced last, if it is not settled; `current_` only if it may do something to terms
  bool open_ = false;
  const program::Statement* current_ = nullptr;
  uint32_t thread_ = 0, frame_ = 0, edge_ = 0;
  program::FunctionId function_ = program::kNone;
  size_t forks_before_ = 0;
  Effect effect_;
  uint64_t copied_from_ = 0;  ///< a Copy of bytes some of which depend on inputs, from here to effect_.memory[0]
  std::vector<Pending::Range> ranges_;                      ///< whole objects that it may access
  std::vector<std::pair<uint32_t, term::Term>> arguments_;  ///< of a function or thread that starts
  term::Ranges values_;                                     ///< of terms over inputs
  term::Term provided_;                                     ///< at an Input for a register: its term

  mutable std::unordered_map<term::Term, std::vector<program::RegisterId>> operand_registers_;
  std::unordered_map<program::FunctionId, std::unique_ptr<program::analysis::Liveness>> liveness_;
  std::unordered_map<uint64_t, BitSet> during_call_;  ///< by function and edge
};

}  // namespace whittle::exec
