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
  /// Where variables without a value get one, as late as that can be told (docs/decisions/175-values-when-read.md): before a
  /// load that always finds its variable without a value, ...
  bool asks(const llvm::LoadInst& load) const { return asking_.contains(&load); }
  /// ... and on the way from one block to another where others come with a value and it may be read.
  std::vector<const llvm::AllocaInst*> asked_between(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const;
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
  template <typename Declared, typename Written, typename Read>
  void for_each_use(const llvm::Instruction& instruction, Declared declared, Written written, Read read) const;
  void find_next();
  void solve_liveness();
  void find_unset();

  const llvm::Function& function_;
  const llvm::DataLayout& data_;
  std::vector<const llvm::AllocaInst*> variables_;
  llvm::DenseMap<const llvm::Value*, unsigned> numbers_;
  llvm::DenseSet<const llvm::Value*> private_;
  llvm::DenseSet<const llvm::BasicBlock*> loops_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::SmallVector<const llvm::BasicBlock*, 2>> next_;  ///< past condition blocks
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BitVector> live_in_;  ///< may be read before it is written
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BitVector> unset_in_, unset_out_;  ///< never written since its declaration
  llvm::DenseSet<const llvm::LoadInst*> asking_;
};

/// `while (a && b)` puts the outcome into a phi, alone in its block with a branch on it. Who comes to such a block goes on to
/// where the outcome leads, through at most so many.
bool is_condition_block(const llvm::BasicBlock& block);
inline constexpr unsigned kConditionBlocks = 8;

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
