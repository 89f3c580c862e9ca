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
  solve_liveness();
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

void LocalStorage::solve_liveness() {
  unsigned count = static_cast<unsigned>(variables_.size());
  struct BlockLiveness {
    llvm::BitVector read, written, live_in;
  };
  llvm::DenseMap<const llvm::BasicBlock*, BlockLiveness> facts;
  for (const llvm::BasicBlock& block : function_) {
    BlockLiveness& fact = facts[&block];
    fact.read.resize(count), fact.written.resize(count), fact.live_in.resize(count);
    live_out_[&block].resize(count);
    auto write = [&](const llvm::Value* storage) {
      if (auto found = numbers_.find(storage); found != numbers_.end()) fact.written.set(found->second);
    };
    for (const llvm::Instruction& instruction : block) {
      for_each_declared(instruction, write);
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        auto found = numbers_.find(load->getPointerOperand());
        if (found != numbers_.end() && !fact.written.test(found->second)) fact.read.set(found->second);
      } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
        write(store->getPointerOperand());
      } else if (is_lifetime_start(instruction)) {
        write(llvm::cast<llvm::CallBase>(instruction).getArgOperand(1));
      }
    }
    fact.live_in = fact.read;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::BasicBlock& block : llvm::reverse(function_)) {
      llvm::BitVector& out = live_out_[&block];
      for (const llvm::BasicBlock* next : llvm::successors(&block))
        if (!never_taken(block, next)) out |= facts[next].live_in;
      llvm::BitVector in = out;
      BlockLiveness& fact = facts[&block];
      in.reset(fact.written);
      in |= fact.read;
      if (in != fact.live_in) fact.live_in = std::move(in), changed = true;
    }
  }
}

bool LocalStorage::read_first(const llvm::AllocaInst* variable, const llvm::Instruction& from) const {
  const llvm::BasicBlock& block = *from.getParent();
  for (auto at = from.getIterator(); at != block.end(); ++at) {
    bool declared = false;
    if (&*at != &from) for_each_declared(*at, [&](const llvm::AllocaInst* other) { declared |= other == variable; });
    if (declared) return false;
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&*at); load && load->getPointerOperand() == variable) return true;
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&*at); store && store->getPointerOperand() == variable)
      return false;
    if (&*at != &from && is_lifetime_start(*at) && llvm::cast<llvm::CallBase>(*at).getArgOperand(1) == variable)
      return false;
  }
  return live_out_.find(&block)->second.test(numbers_.find(variable)->second);
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
