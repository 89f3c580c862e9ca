#include "frontend/disguise.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <vector>

namespace whittle::frontend {

namespace {

class Search {
 public:
  explicit Search(const llvm::Module& module) : data_(module.getDataLayout()) {}

  /// The user has a constant address of this object or function, `offset` bytes into it, as an operand.
  bool disguised(const llvm::User& user, const llvm::Value& address, const llvm::GlobalValue& object, int64_t offset) {
    if (auto* element = llvm::dyn_cast<llvm::GEPOperator>(&user)) {
      llvm::APInt more(data_.getIndexTypeSizeInBits(element->getType()), 0);
      if (element->getPointerOperand() != &address || !element->accumulateConstantOffset(data_, more)) return false;
      return moved(user, object, offset + more.getSExtValue());
    }
    const unsigned opcode = llvm::Operator::getOpcode(&user);
    if (llvm::isa<llvm::Function>(object) && llvm::Instruction::isBinaryOp(opcode)) return true;
    switch (opcode) {
      case llvm::Instruction::Add: {
        auto* more = llvm::dyn_cast<llvm::ConstantInt>(other(user, address));
        return more && moved(user, object, offset + more->getSExtValue());
      }
      case llvm::Instruction::Sub: {
        auto* less = llvm::dyn_cast<llvm::ConstantInt>(user.getOperand(1));
        if (less) return moved(user, object, offset - less->getSExtValue());
        return user.getOperand(1) == &address && llvm::isa<llvm::ConstantInt>(user.getOperand(0));
      }
      case llvm::Instruction::Mul:
      case llvm::Instruction::UDiv:
      case llvm::Instruction::SDiv:
      case llvm::Instruction::URem:
      case llvm::Instruction::SRem:
      case llvm::Instruction::Shl:
      case llvm::Instruction::LShr:
      case llvm::Instruction::AShr:
      case llvm::Instruction::Xor: return true;
      case llvm::Instruction::PtrToInt:
      case llvm::Instruction::IntToPtr:
      case llvm::Instruction::BitCast:
      case llvm::Instruction::AddrSpaceCast:
      case llvm::Instruction::Trunc:
      case llvm::Instruction::ZExt:
      case llvm::Instruction::SExt: return users(user, object, offset);
      default: return false;
    }
  }

  bool users(const llvm::Value& address, const llvm::GlobalValue& object, int64_t offset) {
    for (const llvm::User* user : address.users())
      if (disguised(*user, address, object, offset)) return true;
    return false;
  }

 private:
  static const llvm::Value* other(const llvm::User& user, const llvm::Value& one) {
    return user.getOperand(user.getOperand(0) == &one ? 1 : 0);
  }

  bool moved(const llvm::User& user, const llvm::GlobalValue& object, int64_t offset) {
    auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&object);
    if (!variable) return offset != 0 || users(user, object, offset);
    const auto size = static_cast<int64_t>(data_.getTypeAllocSize(variable->getValueType()));
    return offset < 0 || offset > size || users(user, object, offset);
  }

  const llvm::DataLayout& data_;
};

}  // namespace

bool disguises_addresses(const llvm::Module& module) {
  Search search(module);
  for (const llvm::GlobalVariable& variable : module.globals())
    if (!variable.isThreadLocal() && search.users(variable, variable, 0)) return true;
  for (const llvm::Function& function : module)
    if (search.users(function, function, 0)) return true;
  return false;
}

}  // namespace whittle::frontend
