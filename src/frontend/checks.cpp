#include "frontend/checks.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

namespace whittle::frontend {
namespace {

using llvm::Instruction;

constexpr llvm::StringLiteral kChecked = "whittle-checked";

bool is_sanitizers(const Instruction& instruction) {
  return instruction.hasMetadata(llvm::LLVMContext::MD_nosanitize);
}

/// The call of a handler for arithmetic in the block where a failed check leads, or null.
llvm::CallInst* handler_in(llvm::BasicBlock& block) {
  for (Instruction& instruction : block) {
    if (!is_sanitizers(instruction)) return nullptr;
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (call && call->getCalledFunction() && call->getCalledFunction()->getName().starts_with("__ubsan_handle_"))
      return call;
  }
  return nullptr;
}

/// "add", ..., from the name of a handler; empty if it is none for arithmetic. A negation is a subtraction from 0.
llvm::StringRef operation_of(llvm::StringRef handler) {
  handler.consume_front("__ubsan_handle_");
  handler.consume_back("_abort");
  return llvm::StringSwitch<llvm::StringRef>(handler)
      .Case("add_overflow", "add")
      .Cases("sub_overflow", "negate_overflow", "sub")
      .Case("mul_overflow", "mul")
      .Case("divrem_overflow", "div")
      .Case("shift_out_of_bounds", "shift")
      .Default("");
}

struct IntegerType {
  unsigned width = 0;
  bool is_signed = false;
};

/// Reads a type descriptor of the sanitizer: { i16 kind, i16 2 * log2(width) + signed, name }.
IntegerType type_of(const llvm::Constant* descriptor) {
  auto* variable = llvm::cast<llvm::GlobalVariable>(descriptor->stripPointerCasts());
  auto word = [&](unsigned i) {
    return llvm::cast<llvm::ConstantInt>(variable->getInitializer()->getAggregateElement(i))->getZExtValue();
  };
  return {1u << (word(1) >> 1), (word(1) & 1) != 0};
}

/// An operand as it was before it was made fit for the handler: widened, or put into memory if it is too wide.
llvm::Value* operand(llvm::Value* given, unsigned width) {
  if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(given))
    return llvm::ConstantInt::get(llvm::IntegerType::get(given->getContext(), width),
                                  constant->getValue().zextOrTrunc(width));
  auto* cast = llvm::dyn_cast<llvm::CastInst>(given);
  if (cast && is_sanitizers(*cast)) {
    if (llvm::isa<llvm::ZExtInst>(cast)) return cast->getOperand(0);
    auto* object = llvm::cast<llvm::AllocaInst>(cast->getOperand(0)->stripPointerCasts());
    for (llvm::User* user : object->users())
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) return store->getValueOperand();
  }
  // A constant without a value, as 32 >> 32 has none: widening left no trace.
  return llvm::isa<llvm::UndefValue>(given) ? llvm::PoisonValue::get(llvm::IntegerType::get(given->getContext(), width))
                                            : given;
}

/// The phi that joins the check of what is shifted, made only for signed left shifts, with that of the amount; or null.
llvm::PHINode* base_check(const llvm::BranchInst& branch) {
  auto* phi = llvm::dyn_cast<llvm::PHINode>(&branch.getParent()->front());
  return phi && is_sanitizers(*phi) ? const_cast<llvm::PHINode*>(phi) : nullptr;
}

/// Takes out the block that computes a check of what is shifted.
void remove_base_check(llvm::PHINode& phi) {
  llvm::BasicBlock* join = phi.getParent();
  llvm::BasicBlock* check = phi.getIncomingBlock(phi.getIncomingBlock(0)->getSingleSuccessor() ? 0 : 1);
  llvm::BasicBlock* fork = check->getSinglePredecessor();
  phi.replaceAllUsesWith(llvm::PoisonValue::get(phi.getType()));
  phi.eraseFromParent();
  Instruction* old = fork->getTerminator();
  llvm::Value* condition = llvm::cast<llvm::BranchInst>(old)->getCondition();
  llvm::BranchInst::Create(join, old->getIterator())->setDebugLoc(old->getDebugLoc());
  old->eraseFromParent();
  llvm::RecursivelyDeleteTriviallyDeadInstructions(condition);
  llvm::DeleteDeadBlock(check);
  llvm::MergeBlockIntoPredecessor(join);
}

/// `{sum, flag} = sadd.with.overflow` becomes a plain sum once nothing looks at the flag.
void simplify_sum(llvm::WithOverflowInst& whole) {
  llvm::IRBuilder<> builder(&whole);
  llvm::Value* plain = builder.CreateBinOp(whole.getBinaryOp(), whole.getLHS(), whole.getRHS());
  for (llvm::User* user : llvm::make_early_inc_range(whole.users())) {
    auto* part = llvm::cast<llvm::ExtractValueInst>(user);
    if (part->getIndices()[0] != 0) continue;
    part->replaceAllUsesWith(plain);
    part->eraseFromParent();
  }
  if (whole.use_empty()) whole.eraseFromParent();
}

void replace(llvm::BranchInst& branch, llvm::BasicBlock& failing, llvm::CallInst& handler, llvm::StringRef operation) {
  llvm::Module& module = *branch.getModule();
  auto* data = llvm::cast<llvm::GlobalVariable>(handler.getArgOperand(0)->stripPointerCasts())->getInitializer();
  IntegerType left = type_of(data->getAggregateElement(1u));
  IntegerType right = operation == "shift" ? type_of(data->getAggregateElement(2u)) : left;
  bool negation = handler.arg_size() == 2;
  llvm::Value* a = negation ? llvm::ConstantInt::get(llvm::IntegerType::get(module.getContext(), left.width), 0)
                            : operand(handler.getArgOperand(1), left.width);
  llvm::Value* b = operand(handler.getArgOperand(negation ? 1 : 2), right.width);
  llvm::PHINode* base = operation == "shift" ? base_check(branch) : nullptr;

  // Only a left shift of a signed value looks at more than the amount: every other one can be taken for one to the right.
  std::string name = (kCheckPrefix + (operation != "shift" ? operation : base ? "shl" : "shr")).str();
  name += left.is_signed ? ".s" : ".u";
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), /*isVarArg=*/true);
  llvm::IRBuilder<> builder(&branch);
  builder.SetCurrentDebugLocation(branch.getDebugLoc());
  builder.CreateCall(module.getOrInsertFunction(name, type), {a, b});

  llvm::BasicBlock* go_on = branch.getSuccessor(branch.getSuccessor(0) == &failing ? 1 : 0);
  llvm::Value* condition = branch.getCondition();
  builder.CreateBr(go_on);
  branch.eraseFromParent();
  llvm::SmallVector<llvm::AllocaInst*> places;  // of operands that were put into memory
  for (Instruction& instruction : failing)
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      if (auto* place = llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand())) places.push_back(place);
  llvm::DeleteDeadBlock(&failing);
  for (llvm::AllocaInst* place : places)
    if (place->use_empty()) place->eraseFromParent();
  llvm::MergeBlockIntoPredecessor(go_on);
  if (base) remove_base_check(*base);
  llvm::RecursivelyDeleteTriviallyDeadInstructions(condition);
}

void gather_checks_of(llvm::Function& function) {
  llvm::SmallVector<llvm::BranchInst*> branches;
  for (llvm::BasicBlock& block : function)
    if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
        branch && branch->isConditional() && is_sanitizers(*branch))
      branches.push_back(branch);
  for (llvm::BranchInst* branch : branches)
    for (llvm::BasicBlock* next : {branch->getSuccessor(0), branch->getSuccessor(1)}) {
      llvm::CallInst* handler = next->getSinglePredecessor() ? handler_in(*next) : nullptr;
      llvm::StringRef operation = handler ? operation_of(handler->getCalledFunction()->getName()) : "";
      if (operation.empty()) continue;
      replace(*branch, *next, *handler, operation);
      break;
    }
  llvm::SmallVector<llvm::WithOverflowInst*> sums;
  for (llvm::BasicBlock& block : function)
    for (Instruction& instruction : block)
      if (auto* sum = llvm::dyn_cast<llvm::WithOverflowInst>(&instruction); sum && is_sanitizers(*sum))
        sums.push_back(sum);
  for (llvm::WithOverflowInst* sum : sums) simplify_sum(*sum);
}

}  // namespace

std::vector<std::string> check_flags() {
  return {"-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero", "-fno-sanitize-recover=all",
          // A function cannot be taken out of this: what it does is as undefined as elsewhere.
          "-Dno_sanitize(...)=__unused__", "-D__no_sanitize__(...)=__unused__"};
}

void gather_checks(llvm::Module& module) {
  for (llvm::Function& function : module) gather_checks_of(function);
}

void mark_checked(llvm::Module& module) {
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) function.addFnAttr(kChecked);
}

bool is_checked(const llvm::Function& function) { return function.hasFnAttribute(kChecked); }

}  // namespace whittle::frontend
