// Which local variables of a function become registers, where they hold nothing yet, and which stay private memory.
//
// Code that clang makes at -O0 keeps every local variable in an alloca. A scalar one whose address is only used to load
// and store it whole becomes one register of the automaton, written again and again: the automaton then reads like the
// C program, keeps its variables' names, and needs neither phis nor copies
// (docs/decisions/020-variables-are-registers.md).
#pragma once

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <vector>

namespace whittle::frontend {

class LocalStorage {
 public:
  LocalStorage(const llvm::Function& function, const llvm::DataLayout& data);

  /// The scalar variables, in the order of their allocas.
  const std::vector<const llvm::AllocaInst*>& variables() const { return variables_; }
  /// The variable that a pointer operand names, or null.
  const llvm::AllocaInst* variable(const llvm::Value* pointer) const;
  /// Is it one that the compiler stores for itself and never looks at (main's default result)?
  bool is_unread(const llvm::AllocaInst* variable) const;
  /// The variable that an argument is put into first thing, or null. The argument has no other use.
  const llvm::AllocaInst* home(const llvm::Argument& argument) const;
  /// Can the variable be read before it is written, going on before `instruction`?
  bool read_first(const llvm::AllocaInst* variable, const llvm::Instruction& instruction) const;
  /// Is the first thing done to an object after `instruction`, in its block, to write all of it?
  bool initialised_next(const llvm::AllocaInst& object, const llvm::Instruction& instruction) const;
  /// Does a pointer lead into a local object that no one else has the address of?
  bool is_private(const llvm::Value* pointer) const;
  /// Can the block be executed again after it was executed?
  bool in_loop(const llvm::BasicBlock& block) const { return loops_.contains(&block); }

 private:
  void find_variables();
  void find_loops();
  void find_private();
  bool escapes(const llvm::AllocaInst& object) const;
  void solve_liveness();

  const llvm::Function& function_;
  const llvm::DataLayout& data_;
  std::vector<const llvm::AllocaInst*> variables_;
  llvm::DenseMap<const llvm::Value*, unsigned> numbers_;
  llvm::DenseSet<const llvm::Value*> private_;
  llvm::DenseSet<const llvm::BasicBlock*> loops_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BitVector> live_out_;
};

/// The source variable that lives in an alloca or is an argument's memory, or null.
const llvm::DILocalVariable* declared_variable(const llvm::Value* storage);
/// The same for a value held by no alloca (optimised code).
const llvm::DILocalVariable* valued_variable(const llvm::Value* value);

/// Calls f(alloca) for each local variable whose declaration stands immediately before the instruction.
template <typename F>
void for_each_declared(const llvm::Instruction& instruction, F f) {
  for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange()))
    if (record.isDbgDeclare() && record.getVariable() && !record.getVariable()->isParameter())
      if (auto* storage = llvm::dyn_cast_or_null<llvm::AllocaInst>(record.getAddress())) f(storage);
}

}  // namespace whittle::frontend
