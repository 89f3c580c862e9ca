#include "frontend/vectors.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>

#include <algorithm>

namespace whittle::frontend {

namespace {

constexpr uint64_t kLongestValue = 128;  // bits

}  // namespace

bool is_long_vector(const llvm::Type* type, const llvm::DataLayout& data) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector && data.getTypeSizeInBits(const_cast<llvm::FixedVectorType*>(vector)) > kLongestValue;
}

namespace {

/// llvm.smax on vectors of any length, llvm.sqrt: the scalarizer makes one of each element, which is known.
bool is_operation_on_elements(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call && call->getType()->isVectorTy() && llvm::isTriviallyVectorizable(call->getIntrinsicID());
}

bool has_what_is_split(const llvm::Function& function) {
  const llvm::DataLayout& data = function.getParent()->getDataLayout();
  return std::ranges::any_of(llvm::instructions(function), [&](const llvm::Instruction& instruction) {
    return is_operation_on_elements(instruction) || is_long_vector(instruction.getType(), data) ||
           std::ranges::any_of(instruction.operands(), [&](const llvm::Use& use) { return is_long_vector(use->getType(), data); });
  });
}

}  // namespace

void split_long_vectors(llvm::Module& module) {
  llvm::FunctionAnalysisManager analyses;
  analyses.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
  analyses.registerPass([] { return llvm::DominatorTreeAnalysis(); });
  analyses.registerPass([] { return llvm::TargetIRAnalysis(); });
  llvm::ScalarizerPassOptions options;
  options.ScalarizeVariableInsertExtract = true;
  options.ScalarizeLoadStore = true;
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && has_what_is_split(function)) {
      llvm::ScalarizerPass(options).run(function, analyses);
      analyses.clear();
    }
}

}  // namespace whittle::frontend
