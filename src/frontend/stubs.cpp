#include "frontend/stubs.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>

#include "base/error.h"
#include "base/nearest.h"

namespace whittle::frontend {
namespace {

/// Is the parameter declared as a pointer to something that the function may change?
bool may_write(const llvm::Function& function, const llvm::DISubprogram* subprogram, unsigned i) {
  const llvm::Argument& argument = *function.getArg(i);
  if (!argument.getType()->isPointerTy() || argument.hasByValAttr()) return false;
  if (argument.hasStructRetAttr() || !subprogram) return true;
  llvm::DITypeRefArray types = subprogram->getType()->getTypeArray();
  const unsigned first = function.hasStructRetAttr() ? 0 : 1;
  if (i + first >= types.size()) return true;
  auto* pointer = llvm::dyn_cast_or_null<llvm::DIDerivedType>(types[i + first]);
  while (pointer && pointer->getTag() == llvm::dwarf::DW_TAG_typedef)
    pointer = llvm::dyn_cast_or_null<llvm::DIDerivedType>(pointer->getBaseType());
  if (!pointer || pointer->getTag() != llvm::dwarf::DW_TAG_pointer_type) return true;
  const llvm::DIType* target = pointer->getBaseType();
  if (!target) return true;
  return target->getTag() != llvm::dwarf::DW_TAG_const_type && target->getTag() != llvm::dwarf::DW_TAG_subroutine_type;
}

/// Its parameters, a letter each: w if it may write there. The types are known as long as there is a body.
constexpr const char* kWrites = "whittle-writes";

std::string writes_of(const llvm::Function& function) {
  if (function.hasFnAttribute(kWrites)) return function.getFnAttribute(kWrites).getValueAsString().str();
  std::string writes;
  for (unsigned i = 0; i < function.arg_size(); ++i)
    writes += may_write(function, function.getSubprogram(), i) ? 'w' : '-';
  return writes;
}

void write_body(llvm::Module& module, llvm::Function& function, Stub::Kind kind) {
  const std::string writes = writes_of(function);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "stub", &function));
  llvm::FunctionCallee havoc = module.getOrInsertFunction("__whittle_havoc", builder.getVoidTy(), builder.getPtrTy());
  for (unsigned i = 0; i < function.arg_size(); ++i) {
    const bool result = function.getArg(i)->hasStructRetAttr();
    if (result ? kind != Stub::Kind::Zero : kind == Stub::Kind::HavocArguments && writes[i] == 'w')
      builder.CreateCall(havoc, {function.getArg(i)});
  }
  llvm::Type* type = function.getReturnType();
  if (type->isVoidTy()) {
    builder.CreateRetVoid();
  } else if (kind == Stub::Kind::Zero) {
    builder.CreateRet(llvm::Constant::getNullValue(type));
  } else {
    // A function of that name without a body is an input.
    llvm::FunctionCallee input = module.getOrInsertFunction("nondet_" + function.getName().str(), llvm::FunctionType::get(type, false));
    builder.CreateRet(builder.CreateCall(input));
  }
  function.setSubprogram(nullptr);
  function.removeFnAttr(llvm::Attribute::NoReturn);
}

const char* effect(Stub::Kind kind) {
  switch (kind) {
    case Stub::Kind::Any: return "returns any value, changes nothing";
    case Stub::Kind::HavocArguments: return "returns any value, and what its arguments point to has any value afterwards";
    case Stub::Kind::Zero: return "returns zero, changes nothing";
    case Stub::Kind::File: break;
  }
  return "is taken from another file";
}

}  // namespace

void drop_stubbed(llvm::Module& module, const std::vector<Stub>& stubs) {
  for (const Stub& stub : stubs)
    if (llvm::Function* function = module.getFunction(stub.function); function && !function->isDeclaration()) {
      const std::string writes = writes_of(*function);
      function->deleteBody();
      function->setComdat(nullptr);
      function->setSubprogram(nullptr);
      function->addFnAttr(kWrites, writes);
    }
}

void make_stubs(llvm::Module& module, const std::vector<Stub>& stubs, std::vector<std::string>& assumptions) {
  for (const Stub& stub : stubs) {
    llvm::Function* function = module.getFunction(stub.function);
    if (!function) {
      std::vector<std::string> names;
      for (const llvm::Function& other : module) names.push_back(other.getName().str());
      fail_usage("--stub {}: the program has no such function{}", stub.function, suggestion(stub.function, names));
    }
    assumptions.push_back("function `" + stub.function + "` " + effect(stub.kind) + (stub.kind == Stub::Kind::File ? ": " + stub.file : ""));
    if (stub.kind == Stub::Kind::File) {
      if (function->isDeclaration()) fail_usage("--stub {0}={1}: {1} does not define {0}", stub.function, stub.file);
      continue;
    }
    if (!function->isDeclaration()) fail_usage("--stub {}: it is defined twice", stub.function);
    write_body(module, *function, stub.kind);
  }
}

}  // namespace whittle::frontend
