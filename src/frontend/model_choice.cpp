#include "frontend/model_choice.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

#include "base/error.h"

namespace whittle::frontend {
namespace {

constexpr const char* kComparisons[] = {"strcmp",      "strncmp",     "memcmp", "bcmp",    "strcasecmp",
                                        "strncasecmp", "strcoll",     "wcscmp", "wcsncmp", "wmemcmp",
                                        "wcscasecmp",  "wcsncasecmp", "wcscoll"};
/// What they return says whether they have failed.
constexpr const char* kPrinting[] = {"printf", "fprintf", "vprintf", "vfprintf", "dprintf",         "vdprintf",         "puts",   "fputs",          "fputs_unlocked",
                                     "fputc",  "putc",    "putchar", "fputc_unlocked", "putc_unlocked", "putchar_unlocked", "fwrite", "fwrite_unlocked", "fflush", "fclose"};
/// Their models look at the sign of what a comparison returns.
const llvm::StringSet<> kComparers = {"qsort", "qsort_r", "bsearch", "lfind", "lsearch"};

/// Does the program look at nothing but the sign of a value?
class SignOnly {
 public:
  bool holds(const llvm::Value& value) {
    if (!seen_.insert(&value).second) return true;
    for (const llvm::Use& use : value.uses())
      if (!fits(use)) return false;
    return true;
  }

 private:
  bool fits(const llvm::Use& use) {
    const llvm::User* user = use.getUser();
    if (auto* compare = llvm::dyn_cast<llvm::ICmpInst>(user)) return is_sign_test(*compare, use.getOperandNo());
    if (llvm::isa<llvm::SExtInst>(user) || llvm::isa<llvm::PHINode>(user)) return holds(*user);
    if (llvm::isa<llvm::SelectInst>(user)) return use.getOperandNo() != 0 && holds(*user);
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      auto* variable = llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand());
      return use.getOperandNo() == 0 && variable && variable_holds(*variable);
    }
    if (llvm::isa<llvm::ReturnInst>(user))
      return result_holds(*llvm::cast<llvm::Instruction>(user)->getFunction());
    return false;
  }

  static bool is_sign_test(const llvm::ICmpInst& compare, unsigned operand) {
    auto* other = llvm::dyn_cast<llvm::ConstantInt>(compare.getOperand(1 - operand));
    if (!other) return false;
    if (other->isZero()) return compare.isEquality() || compare.isSigned();
    llvm::CmpInst::Predicate predicate = operand == 0 ? compare.getPredicate() : compare.getSwappedPredicate();
    bool below_one = predicate == llvm::CmpInst::ICMP_SLT || predicate == llvm::CmpInst::ICMP_SGE;
    bool above_minus_one = predicate == llvm::CmpInst::ICMP_SGT || predicate == llvm::CmpInst::ICMP_SLE;
    return (other->isOne() && below_one) || (other->isMinusOne() && above_minus_one);
  }

  bool variable_holds(const llvm::AllocaInst& variable) {
    if (!seen_.insert(&variable).second) return true;
    for (const llvm::Use& use : variable.uses()) {
      auto* store = llvm::dyn_cast<llvm::StoreInst>(use.getUser());
      if (store && use.getOperandNo() == store->getPointerOperandIndex()) continue;
      auto* load = llvm::dyn_cast<llvm::LoadInst>(use.getUser());
      if (!load || load->getType() != variable.getAllocatedType() || !holds(*load)) return false;
    }
    return true;
  }

  bool result_holds(const llvm::Function& function) {
    if (!seen_.insert(&function).second) return true;
    if (function.getName() == "main") return false;
    for (const llvm::Use& use : function.uses()) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
      if (!call) return false;
      if (call->isCallee(&use)) {
        if (!holds(*call)) return false;
        continue;
      }
      const llvm::Function* receiver = call->getCalledFunction();
      if (!receiver || !receiver->isDeclaration() || !kComparers.contains(receiver->getName())) return false;
    }
    return true;
  }

  llvm::DenseSet<const llvm::Value*> seen_;
};

void choose_comparison(llvm::Module& module, llvm::Function& function) {
  std::vector<llvm::CallBase*> calls;
  for (llvm::User* user : function.users())
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(user);
        call && call->getCalledOperand() == &function && SignOnly().holds(*call))
      calls.push_back(call);
  if (calls.empty()) return;
  llvm::FunctionCallee simple =
      module.getOrInsertFunction("__whittle_sign_" + function.getName().str(), function.getFunctionType());
  for (llvm::CallBase* call : calls) call->setCalledOperand(simple.getCallee());
}

/// Calls whose result is used, and addresses, become those of the model that may fail.
void choose_printing(llvm::Module& module, llvm::Function& function) {
  std::vector<llvm::CallBase*> without_result;
  for (llvm::Use& use : function.uses())
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser()); call && call->isCallee(&use) && call->use_empty())
      without_result.push_back(call);
  if (function.hasNUses(static_cast<unsigned>(without_result.size()))) return;
  llvm::FunctionCallee failing =
      module.getOrInsertFunction("__whittle_failing_" + function.getName().str(), function.getFunctionType());
  function.replaceAllUsesWith(failing.getCallee());
  for (llvm::CallBase* call : without_result) call->setCalledOperand(&function);
}

/// Is every seed set at most once, and is it none that repeats the numbers of an unseeded program?
bool seeds_once(const llvm::Module& module) {
  unsigned calls = 0;
  for (const char* name : {"srand", "srandom"}) {
    const llvm::Function* function = module.getFunction(name);
    if (!function) continue;
    if (!function->isDeclaration()) return true;  // the program's own
    for (const llvm::User* user : function->users()) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call || call->getCalledOperand() != function || call->getFunction()->getName() != "main") return false;
      if (!call->getFunction()->use_empty() || call->arg_empty() || ++calls > 1) return false;
      if (auto* seed = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0)); seed && seed->isOne()) return false;
      llvm::SmallVector<llvm::BasicBlock*, 4> after(llvm::successors(const_cast<llvm::BasicBlock*>(call->getParent())));
      if (!after.empty() && llvm::isPotentiallyReachableFromMany(after, call->getParent(), nullptr)) return false;
    }
  }
  return true;
}

}  // namespace

void choose_models(llvm::Module& module) {
  for (const char* name : kComparisons)
    if (llvm::Function* function = module.getFunction(name); function && function->isDeclaration())
      choose_comparison(module, *function);
  for (const char* name : kPrinting)
    if (llvm::Function* function = module.getFunction(name); function && function->isDeclaration())
      choose_printing(module, *function);
  if (seeds_once(module)) return;
  for (const char* name : {"rand", "random"})
    if (llvm::Function* function = module.getFunction(name); function && function->isDeclaration())
      function->setName(std::string("__whittle_") + name + "_remembered");
}

void decide_uses(llvm::Module& module, const llvm::DenseSet<const llvm::GlobalValue*>& models) {
  llvm::Function* question = module.getFunction("__whittle_uses");
  if (!question) return;
  llvm::DenseSet<llvm::Function*> changed;
  while (!question->use_empty()) {
    auto* call = llvm::cast<llvm::CallInst>(*question->user_begin());
    llvm::StringRef name;
    if (!llvm::getConstantStringInfo(call->getArgOperand(0), name)) fail_internal("__whittle_uses without a name");
    const llvm::Function* model = module.getFunction(name);
    const bool used = model && models.contains(model) && !model->use_empty();
    call->replaceAllUsesWith(llvm::ConstantInt::getBool(call->getType(), used));
    llvm::BasicBlock* block = call->getParent();
    call->eraseFromParent();
    llvm::ConstantFoldTerminator(block, /*DeleteDeadConditions=*/true);
    changed.insert(block->getParent());
  }
  for (llvm::Function* function : changed) llvm::removeUnreachableBlocks(*function);
  question->eraseFromParent();
}

}  // namespace whittle::frontend
