#include "frontend/storage.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include "frontend/module_info.h"
#include "frontend/pieces.h"

namespace whittle::frontend {
namespace {

/// The end of `do ... while (1)` has a branch that no run takes.
bool never_taken(const llvm::BasicBlock& block, const llvm::BasicBlock* next) {
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) return false;
  auto* condition = llvm::dyn_cast<llvm::ConstantInt>(branch->getCondition());
  return condition && next == branch->getSuccessor(condition->isZero() ? 0 : 1);
}

bool is_lifetime_start(const llvm::Instruction& instruction) {
  auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return intrinsic && intrinsic->getIntrinsicID() == llvm::Intrinsic::lifetime_start;
}

/// Loaded and stored whole, and nothing else.
bool is_scalar_variable(const llvm::AllocaInst& alloca, const llvm::DataLayout& data) {
  unsigned width = scalar_width(alloca.getAllocatedType(), data);
  if (!alloca.isStaticAlloca() || alloca.isArrayAllocation() || width == 0) return false;
  for (const llvm::User* user : alloca.users()) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
      if (scalar_width(load->getType(), data) != width) return false;
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      if (store->getValueOperand() == &alloca || scalar_width(store->getValueOperand()->getType(), data) != width)
        return false;
    } else if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user);
               !intrinsic || !intrinsic->isLifetimeStartOrEnd()) {
      return false;
    }
  }
  return true;
}

}  // namespace

LocalStorage::LocalStorage(const llvm::Function& function, const llvm::DataLayout& data)
    : function_(function), data_(data) {
  find_variables();
  find_loops();
  find_private();
  find_next();
  solve_liveness();
  find_unset();
}

void LocalStorage::find_variables() {
  for (const llvm::Instruction& instruction : function_.getEntryBlock())
    if (auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction); alloca && is_scalar_variable(*alloca, data_)) {
      numbers_[alloca] = static_cast<unsigned>(variables_.size());
      variables_.push_back(alloca);
    }
}

const llvm::AllocaInst* LocalStorage::variable(const llvm::Value* pointer) const {
  return numbers_.contains(pointer) ? llvm::cast<llvm::AllocaInst>(pointer) : nullptr;
}

bool LocalStorage::is_unread(const llvm::AllocaInst* variable) const {
  return !declared_variable(variable) &&
         llvm::none_of(variable->users(), [](const llvm::User* user) { return llvm::isa<llvm::LoadInst>(user); });
}

const llvm::AllocaInst* LocalStorage::home(const llvm::Argument& argument) const {
  if (!argument.hasOneUse()) return nullptr;
  auto* store = llvm::dyn_cast<llvm::StoreInst>(*argument.user_begin());
  if (!store || store->getParent() != &function_.getEntryBlock()) return nullptr;
  const llvm::AllocaInst* alloca = variable(store->getPointerOperand());
  if (!alloca || is_unread(alloca)) return nullptr;
  // Nothing may look at the variable before.
  for (const llvm::User* user : alloca->users()) {
    auto* instruction = llvm::cast<llvm::Instruction>(user);
    if (instruction != store && instruction->getParent() == store->getParent() && instruction->comesBefore(store))
      return nullptr;
  }
  return alloca;
}

void LocalStorage::find_loops() {
  for (auto component = llvm::scc_begin(&function_); !component.isAtEnd(); ++component)
    if (component.hasCycle()) loops_.insert((*component).begin(), (*component).end());
}

void LocalStorage::find_private() {
  for (const llvm::BasicBlock& block : function_)
    for (const llvm::Instruction& instruction : block)
      if (auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
          alloca && !variable(alloca) && !escapes(*alloca))
        private_.insert(alloca);
}

bool LocalStorage::escapes(const llvm::AllocaInst& object) const {
  llvm::SmallVector<const llvm::Value*, 16> work{&object};
  llvm::DenseSet<const llvm::Value*> derived{&object};
  auto follow = [&](const llvm::Value* value) {
    if (derived.insert(value).second) work.push_back(value);
  };
  while (!work.empty()) {
    const llvm::Value* pointer = work.pop_back_val();
    for (const llvm::User* user : pointer->users()) {
      if (llvm::isa<llvm::LoadInst>(user) || llvm::isa<llvm::ICmpInst>(user)) continue;
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        if (store->getValueOperand() != pointer) continue;
        const llvm::AllocaInst* holder = variable(store->getPointerOperand());
        if (!holder) return true;
        for (const llvm::User* reader : holder->users())
          if (llvm::isa<llvm::LoadInst>(reader)) follow(reader);
      } else if (llvm::isa<llvm::GetElementPtrInst>(user) || llvm::isa<llvm::BitCastInst>(user) ||
                 llvm::isa<llvm::PHINode>(user) || llvm::isa<llvm::SelectInst>(user)) {
        follow(user);
      } else if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user);
                 !intrinsic || !(llvm::isa<llvm::MemIntrinsic>(intrinsic) || intrinsic->isLifetimeStartOrEnd() ||
                                 intrinsic->getIntrinsicID() == llvm::Intrinsic::vastart ||
                                 intrinsic->getIntrinsicID() == llvm::Intrinsic::vaend ||
                                 intrinsic->getIntrinsicID() == llvm::Intrinsic::vacopy)) {
        return true;
      }
    }
  }
  return false;
}

bool LocalStorage::is_private(const llvm::Value* pointer) const {
  while (auto* gep = llvm::dyn_cast<llvm::GEPOperator>(pointer)) pointer = gep->getPointerOperand();
  return private_.contains(pointer);
}

/// Declarations, writes and reads of variables by an instruction, in their order.
template <typename Declared, typename Written, typename Read>
void LocalStorage::for_each_use(const llvm::Instruction& instruction, Declared declared, Written written,
                                Read read) const {
  auto number = [&](const llvm::Value* storage, auto& f, const auto&... more) {
    if (auto found = numbers_.find(storage); found != numbers_.end()) f(found->second, more...);
  };
  for_each_declared(instruction, [&](const llvm::AllocaInst* storage) { number(storage, declared); });
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    number(load->getPointerOperand(), read, *load);
  } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    number(store->getPointerOperand(), written);
  } else if (is_lifetime_start(instruction)) {
    number(llvm::cast<llvm::CallBase>(instruction).getArgOperand(1), declared);
  }
}

/// Where a block leads to, as FunctionLowering::goto_block goes.
void LocalStorage::find_next() {
  for (const llvm::BasicBlock& block : function_) {
    auto& next = next_[&block];
    // A target, the block from which it is entered and how many condition blocks lie before it.
    auto follow = [&](auto& self, const llvm::BasicBlock& from, const llvm::BasicBlock& to, unsigned depth) -> void {
      if (depth == kConditionBlocks || !is_condition_block(to)) {
        if (!llvm::is_contained(next, &to)) next.push_back(&to);
        return;
      }
      auto* jump = llvm::cast<llvm::BranchInst>(to.getTerminator());
      auto* known = llvm::dyn_cast<llvm::ConstantInt>(
          llvm::cast<llvm::PHINode>(to.front()).getIncomingValueForBlock(&from));
      for (unsigned way = 0; way < 2; ++way)
        if (!known || known->isZero() == (way == 1)) self(self, to, *jump->getSuccessor(way), depth + 1);
    };
    for (const llvm::BasicBlock* to : llvm::successors(&block))
      if (!never_taken(block, to)) follow(follow, block, *to, 0);
  }
}

void LocalStorage::solve_liveness() {
  unsigned count = static_cast<unsigned>(variables_.size());
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BitVector> written;
  for (const llvm::BasicBlock& block : function_) {
    llvm::BitVector& reads = live_in_[&block];
    llvm::BitVector& writes = written[&block];
    reads.resize(count), writes.resize(count);
    auto write = [&](unsigned number) { writes.set(number); };
    auto read = [&](unsigned number, const llvm::LoadInst&) {
      if (!writes.test(number)) reads.set(number);
    };
    for (const llvm::Instruction& instruction : block) for_each_use(instruction, write, write, read);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::BasicBlock& block : llvm::reverse(function_)) {
      llvm::BitVector in(count);
      for (const llvm::BasicBlock* next : next_[&block]) in |= live_in_[next];
      in.reset(written[&block]);
      in |= live_in_[&block];
      if (in != live_in_[&block]) live_in_[&block] = std::move(in), changed = true;
    }
  }
}

void LocalStorage::find_unset() {
  unsigned count = static_cast<unsigned>(variables_.size());
  for (const llvm::BasicBlock& block : function_)
    unset_in_[&block].resize(count, true), unset_out_[&block].resize(count, true);
  auto pass = [&](const llvm::BasicBlock& block, auto found) {
    llvm::BitVector unset = unset_in_[&block];
    auto declare = [&](unsigned number) { unset.set(number); };
    auto write = [&](unsigned number) { unset.reset(number); };
    auto read = [&](unsigned number, const llvm::LoadInst& load) {
      if (unset.test(number)) found(load);
      unset.reset(number);
    };
    for (const llvm::Instruction& instruction : block) for_each_use(instruction, declare, write, read);
    return unset;
  };
  llvm::SmallVector<const llvm::BasicBlock*, 16> work{&function_.getEntryBlock()};
  llvm::DenseSet<const llvm::BasicBlock*> seen;
  while (!work.empty()) {
    const llvm::BasicBlock* block = work.pop_back_val();
    llvm::BitVector out = pass(*block, [](const llvm::LoadInst&) {});
    if (!seen.insert(block).second && out == unset_out_[block]) continue;
    for (const llvm::BasicBlock* next : next_[block]) {
      llvm::BitVector in = unset_in_[next];
      in &= out;
      if (in == unset_in_[next] && seen.contains(next)) continue;
      unset_in_[next] = std::move(in);
      work.push_back(next);
    }
    unset_out_[block] = std::move(out);
  }
  for (const llvm::BasicBlock& block : function_)
    pass(block, [&](const llvm::LoadInst& load) { asking_.insert(&load); });
}

std::vector<const llvm::AllocaInst*> LocalStorage::asked_between(const llvm::BasicBlock& from,
                                                                 const llvm::BasicBlock& to) const {
  llvm::BitVector open = unset_out_.find(&from)->second;
  open.reset(unset_in_.find(&to)->second);
  open &= live_in_.find(&to)->second;
  std::vector<const llvm::AllocaInst*> result;
  for (unsigned number : open.set_bits()) result.push_back(variables_[number]);
  return result;
}

bool LocalStorage::initialised_next(const llvm::AllocaInst& object, const llvm::Instruction& from) const {
  uint64_t size = data_.getTypeAllocSize(object.getAllocatedType()).getFixedValue();
  for (auto at = from.getIterator(); at != from.getParent()->end(); ++at) {
    if (!llvm::is_contained(at->operands(), &object)) continue;
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&*at))
      return store->getPointerOperand() == &object && store->getValueOperand() != &object &&
             data_.getTypeStoreSize(store->getValueOperand()->getType()).getFixedValue() >= size;
    if (auto* fill = llvm::dyn_cast<llvm::MemIntrinsic>(&*at)) {
      auto* length = llvm::dyn_cast<llvm::ConstantInt>(fill->getLength());
      auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(fill);
      return fill->getRawDest() == &object && !(transfer && transfer->getRawSource() == &object) && length &&
             length->getZExtValue() >= size && !(transfer && !open_bytes(*transfer, data_).empty());
    }
    return false;
  }
  return false;
}

bool is_condition_block(const llvm::BasicBlock& block) {
  auto* phi = llvm::dyn_cast<llvm::PHINode>(&block.front());
  if (!phi || !phi->hasOneUse() || !phi->getType()->isIntegerTy(1)) return false;
  auto* jump = llvm::dyn_cast_or_null<llvm::BranchInst>(phi->getNextNode());
  return jump && jump->isConditional() && jump->getCondition() == phi && jump->getSuccessor(0) != &block &&
         jump->getSuccessor(1) != &block && !jump->hasDbgRecords();
}

const llvm::DILocalVariable* declared_variable(const llvm::Value* storage) {
  for (llvm::DbgVariableRecord* record : llvm::findDVRDeclares(const_cast<llvm::Value*>(storage)))
    return record->getVariable();
  return nullptr;
}

const llvm::DILocalVariable* valued_variable(const llvm::Value* value) {
  llvm::SmallVector<llvm::DbgValueInst*, 1> intrinsics;
  llvm::SmallVector<llvm::DbgVariableRecord*, 1> records;
  llvm::findDbgValues(intrinsics, const_cast<llvm::Value*>(value), &records);
  for (llvm::DbgVariableRecord* record : records)
    if (record->getExpression()->getNumElements() == 0) return record->getVariable();
  return nullptr;
}

}  // namespace whittle::frontend
