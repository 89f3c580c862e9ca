#include "frontend/signal_points.h"

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <vector>

namespace whittle::frontend {
namespace {

bool calls_any(const llvm::Module& module, std::initializer_list<const char*> names) {
  return std::ranges::any_of(names, [&](const char* name) {
    const llvm::Function* function = module.getFunction(name);
    return function && function->isDeclaration() && !function->use_empty();
  });
}

/// Could a handler see, or change, what this pointer leads to?
class Shared {
 public:
  bool operator()(const llvm::Value* pointer) {
    const llvm::Value* object = llvm::getUnderlyingObject(pointer);
    if (auto* constant = llvm::dyn_cast<llvm::GlobalVariable>(object)) return !constant->isConstant();
    if (!llvm::isa<llvm::AllocaInst>(object)) return true;
    auto [known, added] = local_.try_emplace(object, false);
    if (added) known->second = llvm::PointerMayBeCaptured(object, /*ReturnCaptures=*/true, /*StoreCaptures=*/true);
    return known->second;
  }

 private:
  llvm::DenseMap<const llvm::Value*, bool> local_;
};

bool is_point(const llvm::Instruction& instruction, Shared& shared) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return shared(load->getPointerOperand());
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return shared(store->getPointerOperand());
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst, llvm::MemIntrinsic>(&instruction)) return true;
  auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (!call || llvm::isa<llvm::IntrinsicInst>(call) || call->isInlineAsm()) return call && call->isInlineAsm();
  const llvm::Function* callee = call->getCalledFunction();
  // Handlers of clang's checks stand alone in their blocks, where checks.h looks for them.
  return callee && callee->isDeclaration() && !callee->getName().starts_with("__ubsan_");
}

}  // namespace

bool has_arrivals(const llvm::Module& module, unsigned signals) {
  if (!calls_any(module, {"signal", "sigaction"})) return false;
  return signals > 0 || calls_any(module, {"alarm", "ualarm", "setitimer"});
}

void add_signal_points(llvm::Module& module) {
  llvm::FunctionCallee point = module.getOrInsertFunction("__whittle_signal_point", llvm::Type::getVoidTy(module.getContext()));
  for (llvm::Function& function : module) {
    Shared shared;
    std::vector<llvm::Instruction*> before;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (is_point(instruction, shared)) before.push_back(&instruction);
    for (llvm::Instruction* instruction : before)
      llvm::CallInst::Create(point, {}, "", instruction->getIterator())->setDebugLoc(instruction->getDebugLoc());
  }
}

}  // namespace whittle::frontend
