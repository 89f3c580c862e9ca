// Vectors that are longer than a value, as parameters and results: a parameter for each element, and a result in memory of the caller.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "frontend/vectors.h"

namespace whittle::frontend {
namespace {

llvm::FixedVectorType* long_vector(llvm::Type* type, const llvm::DataLayout& data) {
  return is_long_vector(type, data) ? llvm::cast<llvm::FixedVectorType>(type) : nullptr;
}

/// A function type without long vectors: a parameter for each element, and first one that says where the result goes.
class Signature {
 public:
  Signature(llvm::FunctionType& old, const llvm::AttributeList& attributes, const llvm::DataLayout& data) {
    llvm::SmallVector<llvm::Type*, 8> parameters;
    llvm::SmallVector<llvm::AttributeSet, 8> of_parameters;
    result = long_vector(old.getReturnType(), data);
    changed = result != nullptr;
    if (result) parameters.push_back(llvm::PointerType::getUnqual(old.getContext())), of_parameters.emplace_back();
    for (unsigned i = 0; i < old.getNumParams(); ++i) {
      llvm::FixedVectorType* vector = long_vector(old.getParamType(i), data);
      vectors.push_back(vector);
      changed |= vector != nullptr;
      parameters.append(vector ? vector->getNumElements() : 1, vector ? vector->getElementType() : old.getParamType(i));
      of_parameters.append(vector ? vector->getNumElements() : 1, vector ? llvm::AttributeSet() : attributes.getParamAttrs(i));
    }
    if (!changed) return;
    type = llvm::FunctionType::get(result ? llvm::Type::getVoidTy(old.getContext()) : old.getReturnType(), parameters, old.isVarArg());
    kept = llvm::AttributeList::get(old.getContext(), attributes.getFnAttrs(), result ? llvm::AttributeSet() : attributes.getRetAttrs(), of_parameters);
  }

  bool changed;
  llvm::FixedVectorType* result;                            ///< null: as it was
  llvm::SmallVector<llvm::FixedVectorType*, 8> vectors;     ///< of each old parameter; null: as it was
  llvm::FunctionType* type = nullptr;
  llvm::AttributeList kept;
};

void change_function(llvm::Function& old, const Signature& signature) {
  llvm::Function* changed = llvm::Function::Create(signature.type, old.getLinkage(), old.getAddressSpace(), "", old.getParent());
  changed->takeName(&old);
  changed->copyAttributesFrom(&old);
  changed->setAttributes(signature.kept);
  changed->copyMetadata(&old, 0);
  old.setSubprogram(nullptr);
  changed->setIsNewDbgInfoFormat(old.IsNewDbgInfoFormat);
  changed->splice(changed->begin(), &old);
  unsigned at = signature.result ? 1 : 0;
  llvm::IRBuilder<> builder(old.getContext());
  if (!changed->empty()) builder.SetInsertPoint(&changed->getEntryBlock(), changed->getEntryBlock().begin());
  for (unsigned i = 0; i < signature.vectors.size(); ++i) {
    llvm::FixedVectorType* vector = signature.vectors[i];
    const unsigned first = at;
    at += vector ? vector->getNumElements() : 1;
    if (changed->empty()) continue;
    llvm::Value* value = changed->getArg(first);
    if (vector) value = llvm::PoisonValue::get(vector);
    for (unsigned k = 0; vector && k < vector->getNumElements(); ++k) value = builder.CreateInsertElement(value, changed->getArg(first + k), uint64_t{k});
    old.getArg(i)->replaceAllUsesWith(value);
  }
  if (signature.result)
    for (llvm::BasicBlock& block : *changed)
      if (auto* ret = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) {
        builder.SetInsertPoint(ret);
        builder.CreateStore(ret->getReturnValue(), changed->getArg(0));
        builder.CreateRetVoid();
        ret->eraseFromParent();
      }
  old.replaceAllUsesWith(changed);
  old.eraseFromParent();
}

void change_call(llvm::CallInst& old, const Signature& signature) {
  llvm::IRBuilder<> builder(&old);
  llvm::SmallVector<llvm::Value*, 16> arguments;
  if (signature.result) {
    llvm::BasicBlock& entry = old.getFunction()->getEntryBlock();
    arguments.push_back(new llvm::AllocaInst(signature.result, 0, "result", entry.begin()));
  }
  for (unsigned i = 0; i < old.arg_size(); ++i) {
    llvm::FixedVectorType* vector = i < signature.vectors.size() ? signature.vectors[i] : nullptr;
    if (!vector) arguments.push_back(old.getArgOperand(i));
    for (unsigned k = 0; vector && k < vector->getNumElements(); ++k) arguments.push_back(builder.CreateExtractElement(old.getArgOperand(i), uint64_t{k}));
  }
  llvm::CallInst* changed = builder.CreateCall(signature.type, old.getCalledOperand(), arguments);
  changed->setAttributes(signature.kept);
  changed->setCallingConv(old.getCallingConv());
  changed->setDebugLoc(old.getDebugLoc());
  old.replaceAllUsesWith(signature.result ? static_cast<llvm::Value*>(builder.CreateLoad(signature.result, arguments[0])) : changed);
  old.eraseFromParent();
}

}  // namespace

void pass_long_vectors_as_elements(llvm::Module& module) {
  const llvm::DataLayout& data = module.getDataLayout();
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (function.isIntrinsic()) continue;
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (!call || call->isInlineAsm() || (call->getCalledFunction() && call->getCalledFunction()->isIntrinsic())) continue;
      Signature signature(*call->getFunctionType(), call->getAttributes(), data);
      if (signature.changed) change_call(*call, signature);
    }
    Signature signature(*function.getFunctionType(), function.getAttributes(), data);
    if (signature.changed) change_function(function, signature);
  }
}

}  // namespace whittle::frontend
