// Loads, stores, stack objects and atomic operations.
#include "frontend/atomic_order.h"
#include "frontend/function_lowering.h"

#include "program/c_text.h"

namespace whittle::frontend {

namespace {

/// No access asks for more alignment than its own size: that is what C demands.
uint8_t access_alignment(uint64_t align, unsigned width) {
  uint64_t size = 1;
  while (2 * size <= width / 8 && size < 16) size *= 2;
  return static_cast<uint8_t>(std::min(align, size));
}

std::optional<program::Rmw> rmw_operation(llvm::AtomicRMWInst::BinOp operation) {
  using Op = llvm::AtomicRMWInst;
  switch (operation) {
    case Op::Xchg: return program::Rmw::Exchange;
    case Op::Add: return program::Rmw::Add;
    case Op::Sub: return program::Rmw::Sub;
    case Op::And: return program::Rmw::And;
    case Op::Nand: return program::Rmw::Nand;
    case Op::Or: return program::Rmw::Or;
    case Op::Xor: return program::Rmw::Xor;
    case Op::Max: return program::Rmw::Max;
    case Op::Min: return program::Rmw::Min;
    case Op::UMax: return program::Rmw::UMax;
    case Op::UMin: return program::Rmw::UMin;
    default: return std::nullopt;
  }
}

}  // namespace

void FunctionLowering::lower_alloca(const llvm::AllocaInst& alloca) {
  if (storage_.variable(&alloca)) return;
  llvm::Type* type = alloca.getAllocatedType();
  if (!type->isSized()) return unsupported("object of type " + type_name(type));
  Term one = pointer_constant(info_.data().getTypeAllocSize(type).getFixedValue());
  Term count = scalar(alloca.getArraySize());
  if (!alive()) return;
  allocate(alloca, terms().mul(one, terms().resize_unsigned(count, info_.pointer_width())));
}

void FunctionLowering::allocate(const llvm::AllocaInst& alloca, Term size) {
  const llvm::DILocalVariable* source = declared_variable(&alloca);
  RegisterId object = address_register(source);
  Statement statement = make(Kind::StackAlloc, {object}, {size});
  statement.text = source ? source->getName().str() : alloca.getName().str();
  statement.align = static_cast<uint8_t>(std::min<uint64_t>(alloca.getAlign().value(), 128));
  if (source && !statement.position.known())
    statement.position = info_.debug().position(source->getFile(), source->getLine());
  emit(std::move(statement));
  set_stable(alloca, {var(object)});
}

FunctionLowering::Statement FunctionLowering::access(Kind kind, Term address, unsigned width, uint64_t align,
                                                     bool local, Atomic atomic) const {
  Statement statement = make(kind, {}, {address});
  statement.width = static_cast<uint16_t>(width);
  statement.align = access_alignment(align, width);
  statement.local = local;
  statement.atomic = atomic.has_value();
  if (atomic) statement.text = program::text_of(*atomic);
  return statement;
}

void FunctionLowering::load_into(RegisterId target, Term address, unsigned width, uint64_t align, bool local,
                                 Atomic atomic) {
  Statement statement = access(Kind::Load, address, width, align, local, atomic);
  statement.targets = {target};
  emit(std::move(statement));
}

void FunctionLowering::store_to(Term address, Term value, uint64_t align, bool local, Atomic atomic) {
  Statement statement = access(Kind::Store, address, value.width(), align, local, atomic);
  statement.operands.push_back(value);
  emit(std::move(statement));
}

void FunctionLowering::load_scalar(RegisterId target, Term address, unsigned width, const ScalarAccess& access) {
  if (access.atomic || !may_tear(access.local))
    return load_into(target, address, width, access.align, access.local, access.atomic);
  Term value;
  for (const Pieces& pieces : scalar_pieces(access.pointer, width, access.align))
    for (uint64_t i = 0; i < pieces.count; ++i) {
      uint64_t offset = pieces.offset + i * pieces.size;
      if (pieces.size * 8 == width) return load_into(target, address, width, access.align, access.local);
      RegisterId part = fresh(8 * pieces.size);
      load_into(part, terms().add(address, pointer_constant(offset)), 8 * pieces.size, pieces.size, access.local);
      // Padding between members has any value: 0 will do.
      Term placed = terms().shl(terms().zext(var(part), width), terms().constant(width, 8 * offset));
      value = value ? terms().bor(value, placed) : placed;
    }
  emit(make(Kind::Assign, {target}, {value}));
}

void FunctionLowering::store_scalar(Term address, Term value, const ScalarAccess& access) {
  if (access.atomic || !may_tear(access.local))
    return store_to(address, value, access.align, access.local, access.atomic);
  for (const Pieces& pieces : scalar_pieces(access.pointer, value.width(), access.align))
    for (uint64_t i = 0; i < pieces.count; ++i) {
      uint64_t offset = pieces.offset + i * pieces.size;
      if (pieces.size * 8 == value.width()) return store_to(address, value, access.align, access.local);
      value = settled(value);
      address = settled(address);
      store_to(terms().add(address, pointer_constant(offset)),
               terms().extract(value, static_cast<unsigned>(8 * offset), 8 * pieces.size), pieces.size, access.local);
    }
}

void FunctionLowering::lower_load(const llvm::LoadInst& load) {
  const Layout* parts = layout(load.getType());
  if (!parts) return;
  if (const llvm::AllocaInst* variable = storage_.variable(load.getPointerOperand())) {
    if (storage_.asks(load)) {
      keep_pending(variable_registers_[variable], nullptr, Current::Waiting);
      make_arbitrary(*variable);
    }
    return set_pure(load, {var(variable_registers_[variable])});
  }

  Term address = scalar(load.getPointerOperand());
  if (!alive()) return;
  ScalarAccess access{load.getPointerOperand(), load.getAlign().value(), storage_.is_private(load.getPointerOperand()),
                      load.isAtomic() ? Atomic(order_of(load.getOrdering())) : Atomic()};
  if (parts->size() == 1 && parts->front().width == parts->front().memory_width) {
    const Leaf& leaf = parts->front();
    if (const llvm::StoreInst* store = direct_store(load, leaf.width)) {
      RegisterId target = variable_registers_[llvm::cast<llvm::AllocaInst>(store->getPointerOperand())];
      keep_pending(target, nullptr);
      load_scalar(target, address, leaf.width, access);
      done_stores_.insert(store);
      return;
    }
  }
  Leaves value;
  const uint64_t align = access.align;
  for (const Leaf& leaf : *parts) {
    RegisterId target = parts->size() == 1 ? result_register(load, leaf.memory_width) : fresh(leaf.memory_width);
    access.align = llvm::MinAlign(align, leaf.offset);
    // Memory holds whole bytes: an i1 is one, an i24 three.
    load_scalar(target, terms().add(address, pointer_constant(leaf.offset)), leaf.memory_width, access);
    value.push_back(from_memory(leaf, var(target)));
    if (!alive()) return;
  }
  set_stable(load, std::move(value));
}

void FunctionLowering::lower_store(const llvm::StoreInst& store) {
  if (done_stores_.contains(&store)) return;
  const Layout* parts = layout(store.getValueOperand()->getType());
  if (!parts) return;
  if (const llvm::AllocaInst* variable = storage_.variable(store.getPointerOperand())) {
    if (storage_.is_unread(variable)) return;
    Term value = scalar(store.getValueOperand());
    if (alive()) assign_variable(variable_registers_[variable], value);
    return;
  }
  Term address = scalar(store.getPointerOperand());
  Leaves value = leaves(store.getValueOperand());
  if (!alive()) return;
  ScalarAccess access{store.getPointerOperand(), store.getAlign().value(),
                      storage_.is_private(store.getPointerOperand()),
                      store.isAtomic() ? Atomic(order_of(store.getOrdering())) : Atomic()};
  const uint64_t align = access.align;
  // Traces tell by it which member of a union is meant.
  const bool real = store.getValueOperand()->getType()->isFloatingPointTy() && !access.atomic && !may_tear(access.local);
  for (size_t i = 0; i < parts->size(); ++i) {
    const Leaf& leaf = (*parts)[i];
    access.align = llvm::MinAlign(align, leaf.offset);
    const Term at = terms().add(address, pointer_constant(leaf.offset)), stored = to_memory(leaf, defined(value[i], leaf.width), leaf.memory_width);
    if (!real) {
      store_scalar(at, stored, access);
      continue;
    }
    Statement statement = this->access(Kind::Store, at, stored.width(), access.align, access.local, {});
    statement.text = program::kFloatText;
    statement.operands.push_back(stored);
    emit(std::move(statement));
  }
}

void FunctionLowering::lower_rmw(const llvm::AtomicRMWInst& rmw) {
  const Layout* parts = layout(rmw.getType());
  if (!parts) return;
  unsigned width = parts->front().width;
  if (width % 8 != 0) return unsupported("atomic operation on " + std::to_string(width) + " bits");
  Term address = scalar(rmw.getPointerOperand()), value = scalar(rmw.getValOperand());
  if (!alive()) return;
  bool local = storage_.is_private(rmw.getPointerOperand());
  const Order order = order_of(rmw.getOrdering());
  if (std::optional<program::Rmw> operation = rmw_operation(rmw.getOperation())) {
    Statement statement = access(Kind::AtomicRmw, address, width, rmw.getAlign().value(), local, order);
    statement.operands.push_back(value);
    statement.rmw = *operation;
    if (!rmw.use_empty()) {
      RegisterId old = result_register(rmw, width);
      statement.targets = {old};
      set_stable(rmw, {var(old)});
    }
    return emit(std::move(statement));
  }
  using Op = llvm::AtomicRMWInst;
  if (rmw.getOperation() != Op::FAdd && rmw.getOperation() != Op::FSub)
    return unsupported("atomic operation " + Op::getOperationName(rmw.getOperation()).str());
  if (order != Order::Both) return unsupported("atomic operation on a float with a weaker order than memory_order_acq_rel");
  RegisterId old = result_register(rmw, width);
  emit(make(Kind::AtomicBegin));
  load_into(old, address, width, rmw.getAlign().value(), local, order);
  store_to(address, terms().fop(rmw.getOperation() == Op::FAdd ? term::Op::FAdd : term::Op::FSub, var(old), value),
           rmw.getAlign().value(), local, order);
  emit(make(Kind::AtomicEnd));
  set_stable(rmw, {var(old)});
}

void FunctionLowering::lower_cas(const llvm::AtomicCmpXchgInst& cas) {
  const Layout* parts = layout(cas.getType());
  if (!parts) return;
  unsigned width = parts->front().width;
  if (width % 8 != 0) return unsupported("atomic operation on " + std::to_string(width) + " bits");
  Term address = scalar(cas.getPointerOperand()), expected = scalar(cas.getCompareOperand()),
       value = scalar(cas.getNewValOperand());
  if (!alive()) return;
  RegisterId old = fresh(width), success = fresh(1);
  Statement statement = access(Kind::AtomicCas, address, width, cas.getAlign().value(),
                               storage_.is_private(cas.getPointerOperand()), order_of(cas.getSuccessOrdering()));
  statement.text = program::text_of(order_of(cas.getSuccessOrdering()), order_of(cas.getFailureOrdering()));
  statement.operands.push_back(expected);
  statement.operands.push_back(value);
  statement.targets = {old, success};
  emit(std::move(statement));
  if (cas.isWeak()) info_.weak_cas().push_back({id_, success});
  set_stable(cas, {var(old), var(success)});
}

/// A fence for signal handlers orders nothing between threads.
void FunctionLowering::lower_fence(const llvm::FenceInst& fence) {
  if (fence.getSyncScopeID() == llvm::SyncScope::SingleThread) return;
  Statement statement = make(Kind::Fence);
  statement.text = program::text_of(order_of(fence.getOrdering()));
  emit(std::move(statement));
}

/// Makes an object what it was when it was new, by copying a new one over it.
void FunctionLowering::forget(const llvm::AllocaInst& object) {
  if (!values_.contains(&object) || !object.isStaticAlloca()) return;
  Term size = pointer_constant(info_.data().getTypeAllocSize(object.getAllocatedType()).getFixedValue());
  RegisterId mark = fresh(info_.pointer_width()), blank = fresh(info_.pointer_width());
  const llvm::DILocalVariable* source = declared_variable(&object);
  if (source) position_ = info_.debug().position(source->getFile(), source->getLine());
  emit(make(Kind::StackSave, {mark}, {}));
  Statement statement = make(Kind::StackAlloc, {blank}, {size});
  statement.text = source ? source->getName().str() : object.getName().str();
  emit(std::move(statement));
  copy(values_[&object].leaves[0], var(blank), size, storage_.is_private(&object));
  emit(make(Kind::StackRestore, {}, {var(mark)}));
}

}  // namespace whittle::frontend
