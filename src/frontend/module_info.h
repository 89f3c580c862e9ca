// What lowering needs to know of the whole module: which functions and variables the entry can reach, their numbers
// and addresses, values of constants, and how values are cut into bit-vectors.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>

#include <optional>
#include <string>
#include <vector>

#include "base/int128.h"
#include "frontend/debug_info.h"
#include "frontend/frontend.h"
#include "frontend/modules.h"
#include "frontend/weak_cas.h"
#include "program/program.h"

namespace whittle::frontend {

/// One bit-vector of a (possibly aggregate) value. A vector of up to 128 bits is one leaf, element 0 in the low bits.
struct Leaf {
  const llvm::Type* type = nullptr;
  unsigned width = 0;
  unsigned memory_width = 0;  ///< bits it takes in memory, a multiple of 8
  uint64_t offset = 0;        ///< bytes from the start of the value in memory
};
using Layout = llvm::SmallVector<Leaf, 1>;

/// The scalars that a value of this type is made of, or nothing if there is one that has no bit-vector.
std::optional<Layout> layout_of(const llvm::Type* type, const llvm::DataLayout& data);
/// Bits of a scalar or vector type, 0 if it is none that we have.
unsigned scalar_width(const llvm::Type* type, const llvm::DataLayout& data);
/// The bit pattern of a floating-point constant, in its own format.
u128 bits_of(const llvm::ConstantFP& constant);
/// "x86_fp80", "i256", ...
std::string type_name(const llvm::Type* type);

class ModuleInfo {
 public:
  ModuleInfo(const LinkedModule& linked, const Options& options, program::Program& program);

  const llvm::Module& module() const { return *linked_.module; }
  const llvm::DataLayout& data() const { return data_; }
  const Options& options() const { return options_; }
  program::Program& program() { return program_; }
  DebugInfo& debug() { return debug_; }
  unsigned pointer_width() const { return program_.pointer_width(); }

  /// The function to start with. Throws Error (bad input) if there is none.
  const llvm::Function& entry() const { return *entry_; }
  /// Functions in the order of their numbers. Some have no body: those whose address is taken.
  const std::vector<const llvm::Function*>& functions() const { return functions_; }
  std::optional<program::FunctionId> id(const llvm::Function& function) const;
  std::optional<program::ObjectId> id(const llvm::GlobalVariable& variable) const;
  /// Variables declared somewhere but defined nowhere.
  const std::vector<const llvm::GlobalVariable*>& undefined_variables() const { return undefined_; }
  /// Functions that a pointer can lead to.
  const std::vector<program::FunctionId>& address_taken() const { return address_taken_; }
  /// Can the program start a second thread?
  bool concurrent() const { return concurrent_; }
  /// ... and notice that memory which was freed is given again: does the user's code look at addresses?
  bool reuses() const { return reuses_; }
  /// Is the function's result looked at by the models only (which keep what a thread returns)?
  bool result_is_ignored(const llvm::Function& function) const;
  /// Does the program ask, where it joins threads, for what they return?
  bool results_are_joined() const;

  bool is_runtime(const llvm::GlobalValue& value) const { return linked_.runtime.contains(&value); }
  bool is_error_function(llvm::StringRef name) const;
  /// Without a body, or with one that is not to be looked at (error functions).
  bool opaque(const llvm::Function& function) const;

  /// The value of a scalar constant; nothing for undef, thread-local variables, labels and what we do not have.
  std::optional<u128> constant(const llvm::Constant* constant) const;

  /// A number for a label whose address is taken, different from all other addresses.
  u128 label_address(const llvm::BasicBlock& block) const;

  /// Adds "function `f` has no body ...", once.
  void assume_no_body(const llvm::Function& function);
  void assume(std::string assumption);
  /// Compare-and-exchange operations lowered so far that may fail for no reason.
  std::vector<WeakCas>& weak_cas() { return weak_cas_; }

 private:
  void find_entry();
  void reach(const llvm::GlobalValue* value);
  void reach_all();
  void reach_operands(const llvm::User& user);
  bool calls_primitive(llvm::StringRef name) const;
  bool compares_addresses() const;
  bool uses(llvm::StringRef model) const;
  program::FunctionRole role(llvm::StringRef name) const;
  void number();
  void make_functions();
  void make_objects();
  void make_main_arguments();
  void fill_objects();
  void fill(const llvm::Constant& constant, uint64_t offset, std::vector<uint8_t>& bytes) const;
  std::optional<u128> expression(const llvm::ConstantExpr& expression) const;

  const LinkedModule& linked_;
  const Options& options_;
  program::Program& program_;
  llvm::DataLayout data_;
  DebugInfo debug_;
  const llvm::Function* entry_ = nullptr;
  std::vector<const llvm::GlobalValue*> work_;
  llvm::DenseSet<const llvm::GlobalValue*> reached_;
  std::vector<const llvm::Function*> functions_;
  std::vector<const llvm::GlobalVariable*> variables_;
  std::vector<const llvm::GlobalVariable*> undefined_;
  llvm::DenseMap<const llvm::Function*, program::FunctionId> function_ids_;
  llvm::DenseMap<const llvm::GlobalVariable*, program::ObjectId> object_ids_;
  std::vector<program::FunctionId> address_taken_;
  std::vector<WeakCas> weak_cas_;
  bool concurrent_ = false, reuses_ = false;
  mutable llvm::DenseMap<const llvm::BasicBlock*, uint64_t> labels_;  ///< numbered when first asked for
};

/// The function or variable that an alias, a cast of one, ... stands for; null if it is none.
const llvm::GlobalValue* resolve(const llvm::Value* value);

}  // namespace whittle::frontend
