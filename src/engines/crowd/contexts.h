// Call stacks of all kinds of threads, and the registers that hold one and the same constant whenever they are read.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "engines/crowd/automaton.h"
#include "program/analysis/few_values.h"
#include "program/program.h"

namespace whittle::engines::crowd {

/// Are calls of it followed by what its role means, not by the body of the model?
bool is_known(const program::Function& function);
/// A model that threads wait in, or that has something run at another time, and that is not known here; it is followed if
/// all that it does is in its body.
bool needs_more(const program::Function& function);

/// Local objects have addresses from here on, the same in every thread: they must not be told to others.
/// Far apart, so that no offset leads from one to another.
constexpr uint64_t kPrivateBase = 0x6100'0000, kPrivateEnd = 0x7f00'0000, kPrivateSpacing = 0x0040'0000;
bool is_private(u128 address);
/// Is there a constant of that range in a term?
bool mentions(Term root, uint64_t begin, uint64_t end);

struct PrivateObject {
  uint64_t address = 0;
  uint64_t size = 0;
  uint32_t kind = 0;
  std::string name;
  const program::Object* original = nullptr;  ///< of a thread-local one: what it begins as
  uint32_t context = kNone;                   ///< whose local variable it is; none: lives as long as the thread
  uint32_t edge = kNone;                      ///< of that context's function: makes it
};

struct Context {
  uint32_t kind = 0;
  program::FunctionId function = 0;
  uint32_t parent = kNone;
  uint32_t call = kNone;                 ///< edge of the parent's function
  std::vector<Term> registers;           ///< the variables that stand for them here
  std::vector<Term> constants;           ///< a constant, or none
  std::vector<bool> may_point;           ///< to local objects
  std::map<std::pair<uint32_t, program::FunctionId>, uint32_t> callees;  ///< contexts, by edge and function
};

struct Start {
  std::string name;
  uint32_t context = 0;  ///< of the thread's function
};

class Contexts {
 public:
  explicit Contexts(const program::Program& program);

  const std::vector<Context>& all() const { return contexts_; }
  const std::vector<Start>& starts() const { return starts_; }  ///< by kind
  /// The kind of thread that an edge starts. Throws Refused, with the reason, if it is not followed.
  std::optional<uint32_t> kind_started(uint32_t context, uint32_t edge) const;
  /// What a call, or the start of a thread, leads to. Throws Refused, with the reason, if it is not followed.
  uint32_t callee(uint32_t context, uint32_t edge, program::FunctionId function) const;
  /// The functions that an edge may call.
  std::vector<program::FunctionId> called(uint32_t context, uint32_t edge) const;
  const PrivateObject& object(uint32_t context, uint32_t edge) const;  ///< of a StackAlloc; throws Refused
  const PrivateObject* object_at(uint64_t address) const;
  /// With constants in place of registers that hold one.
  Term fold(uint32_t context, Term operand) const;
  bool may_point(uint32_t context, Term operand) const;
  /// Is the address of a local object ever put into memory?
  bool pointers_in_memory() const { return pointers_in_memory_; }
  /// Has a context's function been entered and not left, while control is in another one?
  bool active(uint32_t context, uint32_t now) const;

 private:
  enum class Level : uint8_t { Nothing, Constant, Anything };
  uint32_t enter(uint32_t kind, program::FunctionId function, uint32_t parent, uint32_t call);
  bool start(uint32_t context, uint32_t edge, program::FunctionId routine);
  bool enter_callee(uint32_t context, uint32_t edge, program::FunctionId function);
  size_t stacks_below(program::FunctionId function);
  bool says_all(program::FunctionId function);
  bool keeps_something(Term operand) const;
  std::vector<program::FunctionId> called(program::FunctionId caller, const program::Statement& s) const;
  void expand(uint32_t context);
  bool pass();
  bool pass(uint32_t context, uint32_t edge);
  bool assign(uint32_t context, program::RegisterId reg, uint32_t from, Term operand);
  bool raise(uint32_t context, program::RegisterId reg, Level level, Term constant, bool pointer);
  uint64_t place(PrivateObject object);
  const program::Function& function(uint32_t context) const { return program_.functions[contexts_[context].function]; }

  const program::Program& program_;
  program::analysis::CallGraph calls_;
  mutable std::optional<program::analysis::PointsTo> points_;   ///< made when they are asked for
  mutable std::optional<program::analysis::FewValues> values_;
  std::unordered_map<program::FunctionId, size_t> sizes_;  ///< see stacks_below
  std::unordered_map<program::FunctionId, bool> says_all_;
  std::map<std::pair<uint32_t, uint32_t>, std::string> refused_;  ///< what edges lead to and is not followed, with the reason
  std::set<std::tuple<uint32_t, uint32_t, program::FunctionId>> refused_callees_;
  std::vector<Context> contexts_;
  std::vector<std::vector<Level>> levels_;
  std::vector<Start> starts_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> started_;
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> objects_;
  std::map<std::pair<uint32_t, program::ObjectId>, uint64_t> thread_locals_;
  std::map<uint64_t, PrivateObject> by_address_;
  uint64_t next_address_ = kPrivateBase;
  bool pointers_in_memory_ = false;
};

}  // namespace whittle::engines::crowd
