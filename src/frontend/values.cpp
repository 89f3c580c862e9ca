// Terms of values: when to fold an instruction into its user, and when to give it a register.
#include <algorithm>

#include "frontend/function_lowering.h"

namespace whittle::frontend {
namespace {

/// A term used more than once is folded only up to this size, any term only up to that one.
constexpr unsigned kSmall = 6;
constexpr unsigned kLarge = 64;

}  // namespace

const Layout* FunctionLowering::layout(const llvm::Type* type) {
  auto [entry, fresh] = layouts_.try_emplace(type);
  if (fresh) entry->second = layout_of(type, info_.data());
  if (entry->second) return &*entry->second;
  unsupported("value of type " + type_name(type));
  return nullptr;
}

FunctionLowering::Leaves FunctionLowering::leaves(const llvm::Value* value) {
  if (auto* constant = llvm::dyn_cast<llvm::Constant>(value)) return constant_leaves(constant);
  auto found = values_.find(value);
  assert(found != values_.end() && "a value is used before it was lowered");
  return found->second.leaves;
}

FunctionLowering::Leaves FunctionLowering::constant_leaves(const llvm::Constant* constant) {
  const Layout* parts = layout(constant->getType());
  if (!parts) return {};
  if (llvm::isa<llvm::UndefValue>(constant)) return Leaves(parts->size());  // poison is one of them
  if (constant->getType()->isAggregateType()) {
    Leaves all;
    if (constant->isNullValue()) {
      for (const Leaf& leaf : *parts) all.push_back(terms().constant(leaf.width, 0));
      return all;
    }
    unsigned count = constant->getType()->isStructTy()
                         ? constant->getType()->getStructNumElements()
                         : static_cast<unsigned>(constant->getType()->getArrayNumElements());
    for (unsigned i = 0; i < count; ++i) all.append(constant_leaves(constant->getAggregateElement(i)));
    return all;
  }
  if (is_wide(constant->getType())) {
    auto* integer = llvm::dyn_cast<llvm::ConstantInt>(constant);
    if (!integer) return unsupported("constant of type " + type_name(constant->getType())), Leaves{};
    Leaves limbs;
    for (unsigned i = 0; i < parts->size(); ++i)
      limbs.push_back(terms().constant((*parts)[i].width, integer->getValue().getRawData()[i]));
    return limbs;
  }
  unsigned width = parts->front().width;
  if (std::optional<u128> known = info_.constant(constant)) return {terms().constant(width, *known)};
  if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(constant); variable && variable->isThreadLocal()) {
    RegisterId target = fresh(info_.pointer_width());
    Statement statement = make(Kind::ThreadLocal, {target}, {});
    statement.object = *info_.id(*variable);
    emit(std::move(statement));
    return {var(target)};
  }
  unsupported(is_long_double(constant->getType()) ? "a long double constant that double cannot hold"
                                                  : "constant of type " + type_name(constant->getType()));
  return {terms().constant(width, 0)};
}

FunctionLowering::Term FunctionLowering::defined(Term leaf, unsigned width) {
  return leaf ? leaf : nondet(width, "undefined value", false);
}

FunctionLowering::Leaves FunctionLowering::defined(const llvm::Value* value) {
  Leaves parts = leaves(value);
  const Layout* expected = layout(value->getType());
  if (!expected) return parts;
  for (size_t i = 0; i < parts.size(); ++i) parts[i] = defined(parts[i], (*expected)[i].width);
  return parts;
}

FunctionLowering::Term FunctionLowering::scalar(const llvm::Value* value) {
  Leaves parts = defined(value);
  if (parts.size() == 1) return parts[0];
  unsupported("value of type " + type_name(value->getType()));
  return terms().falsity();
}

FunctionLowering::Term FunctionLowering::pack(llvm::ArrayRef<Term> leaves) {
  Term packed = leaves.front();
  for (Term leaf : leaves.drop_front()) packed = terms().concat(leaf, packed);
  return packed;
}

FunctionLowering::Leaves FunctionLowering::unpack(Term packed, const Layout& layout) {
  Leaves parts;
  unsigned low = 0;
  for (const Leaf& leaf : layout) {
    parts.push_back(terms().extract(packed, low, leaf.width));
    low += leaf.width;
  }
  return parts;
}

bool FunctionLowering::used_elsewhere(const llvm::Instruction& instruction) const {
  for (const llvm::Use& use : instruction.uses()) {
    auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
    const llvm::BasicBlock* where = phi ? phi->getIncomingBlock(use) : user->getParent();
    if (where != instruction.getParent()) return true;
  }
  return false;
}

bool FunctionLowering::still_needed(const llvm::Instruction& instruction, Current current) const {
  for (const llvm::User* user : instruction.users()) {
    auto* at = llvm::cast<llvm::Instruction>(user);
    if (llvm::isa<llvm::PHINode>(at) || at->getParent() != current_->getParent()) return true;
    if (at == current_ ? current == Current::Waiting : !at->comesBefore(current_)) return true;
  }
  return false;
}

void FunctionLowering::set_stable(const llvm::Instruction& instruction, Leaves value) {
  values_[&instruction] = Value{std::move(value), {}, 1};
}

void FunctionLowering::set_pure(const llvm::Instruction& instruction, Leaves value) {
  Value made;
  made.leaves = std::move(value);
  made.size = 1;
  for (const llvm::Value* operand : instruction.operands()) {
    auto found = values_.find(operand);
    if (found == values_.end()) continue;
    made.size = std::min(made.size + found->second.size, kLarge + 1);
    for (RegisterId reg : found->second.variables)
      if (!llvm::is_contained(made.variables, reg)) made.variables.push_back(reg);
  }
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    made.variables = {variable_registers_[llvm::cast<llvm::AllocaInst>(load->getPointerOperand())]};

  bool constant = llvm::all_of(made.leaves, [](Term leaf) { return !leaf || leaf.is_constant(); });
  bool many = !instruction.hasOneUse() && !instruction.use_empty();
  bool must = !made.variables.empty() && used_elsewhere(instruction);
  bool should = made.size > kLarge || (many && made.size > kSmall);
  bool variables = !made.variables.empty();
  values_[&instruction] = std::move(made);
  if (constant) {
    values_[&instruction].variables.clear();
  } else if (must || should) {
    Statement assign = make(Kind::Assign);
    save(instruction, assign);
    if (!assign.targets.empty()) emit(std::move(assign));
  } else if (variables) {
    pending_.push_back(&instruction);
  }
}

FunctionLowering::RegisterId FunctionLowering::result_register(const llvm::Instruction& instruction, unsigned width) {
  return named_register(width, valued_variable(&instruction));
}

/// Moves a value into registers of its own: the assignments are added to a statement that is still to be emitted.
void FunctionLowering::save(const llvm::Instruction& instruction, Statement& assign) {
  Value& value = values_[&instruction];
  for (Term& leaf : value.leaves) {
    if (!leaf || leaf.is_constant()) continue;
    RegisterId reg = value.leaves.size() == 1 ? result_register(instruction, leaf.width()) : fresh(leaf.width());
    assign.targets.push_back(reg);
    assign.operands.push_back(leaf);
    leaf = var(reg);
  }
  value.variables.clear();
  value.size = 1;
}

void FunctionLowering::keep_pending(RegisterId about_to_change, Statement* assign, Current current) {
  Statement own = make(Kind::Assign);
  std::vector<const llvm::Instruction*> left;
  for (const llvm::Instruction* instruction : pending_) {
    if (!still_needed(*instruction, current)) continue;
    if (llvm::is_contained(values_[instruction].variables, about_to_change)) {
      save(*instruction, assign ? *assign : own);
    } else {
      left.push_back(instruction);
    }
  }
  pending_ = std::move(left);
  if (!own.targets.empty()) emit(std::move(own));
}

void FunctionLowering::assign_variable(RegisterId reg, Term value) {
  if (value == var(reg)) return;
  Statement assign = make(Kind::Assign, {reg}, {value});
  keep_pending(reg, &assign);
  emit(std::move(assign));
}

/// The store that puts the value of an instruction into a variable, if the instruction may as well do that itself:
/// nothing else uses the value and nothing looks at the variable in between.
const llvm::StoreInst* FunctionLowering::direct_store(const llvm::Instruction& instruction, unsigned width) const {
  if (!instruction.hasOneUse()) return nullptr;
  auto* store = llvm::dyn_cast<llvm::StoreInst>(*instruction.user_begin());
  if (!store || store->getParent() != instruction.getParent() || store->getValueOperand() != &instruction)
    return nullptr;
  const llvm::AllocaInst* variable = storage_.variable(store->getPointerOperand());
  if (!variable || storage_.is_unread(variable) || scalar_width(variable->getAllocatedType(), info_.data()) != width)
    return nullptr;
  for (const llvm::Instruction* at = instruction.getNextNode(); at; at = at->getNextNode()) {
    if (at == store) return store;
    if (llvm::is_contained(at->operands(), variable)) return nullptr;
  }
  return nullptr;
}

}  // namespace whittle::frontend
