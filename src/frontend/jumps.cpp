#include "frontend/jumps.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <array>

namespace whittle::frontend {
namespace {

constexpr std::array<llvm::StringRef, 4> kSetjmp = {"setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp"};

const llvm::Function* callee_of(const llvm::CallBase& call) {
  return llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
}

bool is_setjmp(const llvm::CallBase& call) {
  const llvm::Function* callee = callee_of(call);
  return callee && callee->isDeclaration() && call.arg_size() >= 1 &&
         std::find(kSetjmp.begin(), kSetjmp.end(), callee->getName()) != kSetjmp.end();
}

/// Functions that can return with a jump under way.
class JumpGraph {
 public:
  JumpGraph(const llvm::Module& module, const llvm::GlobalVariable* target) {
    if (!target) return;
    // Whoever mentions the target sets it.
    for (const llvm::User* user : target->users())
      if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(user)) jumping_.insert(instruction->getFunction());
    for (const llvm::Function* function : jumping_) by_pointer_ |= function->hasAddressTaken();
    for (bool changed = true; changed;) {
      changed = false;
      for (const llvm::Function& function : module) {
        if (function.isDeclaration() || jumping_.contains(&function) || !calls_jumping(function)) continue;
        jumping_.insert(&function);
        by_pointer_ |= function.hasAddressTaken();
        changed = true;
      }
    }
  }

  bool may_jump(const llvm::CallBase& call) const {
    if (call.isInlineAsm()) return false;
    const llvm::Function* callee = callee_of(call);
    return callee ? jumping_.contains(callee) : by_pointer_;
  }
  const llvm::DenseSet<const llvm::Function*>& jumping() const { return jumping_; }

 private:
  bool calls_jumping(const llvm::Function& function) const {
    for (const llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && may_jump(*call)) return true;
    return false;
  }

  llvm::DenseSet<const llvm::Function*> jumping_;
  bool by_pointer_ = false;  ///< may a call through a pointer jump?
};

class FunctionRewriter {
 public:
  FunctionRewriter(llvm::Function& function, llvm::GlobalVariable* target, llvm::GlobalVariable* value, bool is_entry)
      : function_(function), target_(target), value_(value), is_entry_(is_entry), builder_(function.getContext()) {}

  void run(const JumpGraph& graph) {
    std::vector<llvm::CallInst*> jumps, returns;
    for (llvm::Instruction& instruction : llvm::instructions(function_))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
        if (is_setjmp(*call))
          jumps.push_back(call);
        else if (graph.may_jump(*call))
          returns.push_back(call);
      }
    if (jumps.empty() && (returns.empty() || !target_)) return;
    make_slots(jumps.size());
    for (size_t i = 0; i < jumps.size(); ++i) rewrite_setjmp(*jumps[i], i);
    if (returns.empty() || !target_) return;
    unwind_ = llvm::BasicBlock::Create(function_.getContext(), "unwind", &function_);
    for (llvm::CallInst* call : returns) look_after(*call);
    make_unwind();
  }

 private:
  llvm::Type* pointer() { return builder_.getPtrTy(); }
  llvm::Value* byte(size_t i) {
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), frame_, i);
  }
  /// The address of this thread's variable.
  llvm::Value* own(llvm::GlobalVariable* variable) {
    return variable->isThreadLocal() ? static_cast<llvm::Value*>(builder_.CreateThreadLocalAddress(variable)) : variable;
  }

  void make_slots(size_t count) {
    if (count == 0) return;
    builder_.SetInsertPoint(&*function_.getEntryBlock().getFirstInsertionPt());
    frame_ = builder_.CreateAlloca(llvm::ArrayType::get(builder_.getInt8Ty(), count), nullptr, "setjmp");
    for (size_t i = 0; i < count; ++i) slots_.push_back(builder_.CreateAlloca(builder_.getInt32Ty(), nullptr, "jumped"));
  }

  void rewrite_setjmp(llvm::CallInst& call, size_t i) {
    llvm::BasicBlock* before = call.getParent();
    llvm::BasicBlock* after = before->splitBasicBlock(call.getIterator(), "after.setjmp");
    builder_.SetInsertPoint(before->getTerminator());
    builder_.SetCurrentDebugLocation(call.getDebugLoc());
    fill_buffer(call, i);
    builder_.CreateStore(builder_.getInt32(0), slots_[i]);
    builder_.SetInsertPoint(&call);
    llvm::Value* result = builder_.CreateLoad(builder_.getInt32Ty(), slots_[i]);
    if (!call.getType()->isVoidTy()) call.replaceAllUsesWith(builder_.CreateIntCast(result, call.getType(), true));
    call.eraseFromParent();
    continuations_.push_back(after);
  }

  /// struct jump of runtime/src/jumps.c.
  void fill_buffer(const llvm::CallInst& call, size_t i) {
    llvm::Value* buffer = call.getArgOperand(0);
    auto member = [&](unsigned offset) { return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), buffer, offset); };
    builder_.CreateStore(byte(i), buffer);
    // sigsetjmp(buffer, save). A program without signals has no mask.
    llvm::GlobalVariable* mask = function_.getParent()->getNamedGlobal("__whittle_blocked_signals");
    const bool saves = mask && call.arg_size() == 2 && call.getArgOperand(1)->getType()->isIntegerTy(32);
    if (saves) builder_.CreateStore(builder_.CreateLoad(builder_.getInt64Ty(), own(mask)), member(8));
    builder_.CreateStore(saves ? call.getArgOperand(1) : builder_.getInt32(0), member(16));
  }

  void look_after(llvm::CallInst& call) {
    call.removeFnAttr(llvm::Attribute::NoReturn);
    llvm::BasicBlock* before = call.getParent();
    llvm::BasicBlock* after = before->splitBasicBlock(std::next(call.getIterator()), "after.call");
    // A block of its own: that a jump passes here is no statement of the source.
    llvm::BasicBlock* look = llvm::BasicBlock::Create(function_.getContext(), "look", &function_, after);
    before->getTerminator()->setSuccessor(0, look);
    builder_.SetInsertPoint(look);
    builder_.SetCurrentDebugLocation(nowhere());
    llvm::Value* target = builder_.CreateLoad(pointer(), own(target_));
    builder_.CreateCondBr(builder_.CreateIsNotNull(target), unwind_, after);
  }

  void make_unwind() {
    builder_.SetInsertPoint(unwind_);
    builder_.SetCurrentDebugLocation(nowhere());
    llvm::Value* target = continuations_.empty() ? nullptr : builder_.CreateLoad(pointer(), own(target_));
    for (size_t i = 0; i < continuations_.size(); ++i) {
      llvm::BasicBlock* here = llvm::BasicBlock::Create(function_.getContext(), "jumped.here", &function_);
      llvm::BasicBlock* further = llvm::BasicBlock::Create(function_.getContext(), "further", &function_);
      builder_.CreateCondBr(builder_.CreateICmpEQ(target, byte(i)), here, further);
      builder_.SetInsertPoint(here);
      builder_.CreateStore(llvm::Constant::getNullValue(pointer()), own(target_));
      builder_.CreateStore(builder_.CreateLoad(builder_.getInt32Ty(), own(value_)), slots_[i]);
      builder_.CreateBr(continuations_[i]);
      builder_.SetInsertPoint(further);
    }
    if (is_entry_) return refuse();
    llvm::Type* type = function_.getReturnType();
    if (type->isVoidTy())
      builder_.CreateRetVoid();
    else
      builder_.CreateRet(llvm::Constant::getNullValue(type));
  }

  void refuse() {
    llvm::Module& module = *function_.getParent();
    llvm::FunctionCallee unsupported =
        module.getOrInsertFunction("__whittle_unsupported", builder_.getVoidTy(), pointer());
    builder_.CreateCall(unsupported, {builder_.CreateGlobalString("longjmp to a setjmp of another thread")});
    builder_.CreateUnreachable();
  }

  llvm::DebugLoc nowhere() {
    llvm::DISubprogram* subprogram = function_.getSubprogram();
    return subprogram ? llvm::DebugLoc(llvm::DILocation::get(function_.getContext(), 0, 0, subprogram)) : llvm::DebugLoc();
  }

  llvm::Function& function_;
  llvm::GlobalVariable *target_, *value_;
  bool is_entry_;
  llvm::IRBuilder<> builder_;
  llvm::Value* frame_ = nullptr;
  std::vector<llvm::Value*> slots_;
  std::vector<llvm::BasicBlock*> continuations_;
  llvm::BasicBlock* unwind_ = nullptr;
};

/// Where threads start: nothing is left to return to.
llvm::DenseSet<const llvm::Function*> thread_entries(const llvm::Module& module) {
  llvm::DenseSet<const llvm::Function*> result;
  for (const char* name : {"__whittle_spawn", "__whittle_thread_create"}) {
    const llvm::Function* starter = module.getFunction(name);
    if (!starter) continue;
    for (const llvm::User* user : starter->users())
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(user))
        for (const llvm::Use& argument : call->args())
          if (auto* function = llvm::dyn_cast<llvm::Function>(argument->stripPointerCastsAndAliases())) result.insert(function);
  }
  return result;
}

}  // namespace

bool lower_jumps(LinkedModule& linked, const std::string& entry) {
  llvm::Module& module = *linked.module;
  llvm::GlobalVariable* target = module.getNamedGlobal("__whittle_jump_target");
  llvm::GlobalVariable* value = module.getNamedGlobal("__whittle_jump_value");
  if (!value) target = nullptr;
  const bool sets = std::any_of(kSetjmp.begin(), kSetjmp.end(), [&](llvm::StringRef name) { return module.getFunction(name); });
  if (!target && !sets) return false;
  // One thread needs no variable of its own.
  if (target && !module.getFunction("__whittle_spawn"))
    for (llvm::GlobalVariable* variable : {target, value}) variable->setThreadLocalMode(llvm::GlobalValue::NotThreadLocal);
  JumpGraph graph(module, target);
  for (const llvm::Function* jumping : graph.jumping())
    module.getFunction(jumping->getName())->removeFnAttr(llvm::Attribute::NoReturn);
  llvm::DenseSet<const llvm::Function*> entries = thread_entries(module);
  entries.insert(module.getFunction(entry));
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) FunctionRewriter(function, target, value, entries.contains(&function)).run(graph);
  return target != nullptr && sets;
}

}  // namespace whittle::frontend
