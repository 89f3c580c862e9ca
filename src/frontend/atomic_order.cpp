#include "frontend/atomic_order.h"

#include <llvm/IR/Constants.h>

namespace whittle::frontend {

using program::Order;

Order order_of(llvm::AtomicOrdering order) {
  switch (order) {
    case llvm::AtomicOrdering::Acquire: return Order::Acquire;
    case llvm::AtomicOrdering::Release: return Order::Release;
    case llvm::AtomicOrdering::AcquireRelease:
    case llvm::AtomicOrdering::SequentiallyConsistent: return Order::Both;
    default: return Order::Relaxed;
  }
}

std::optional<Order> order_of(const llvm::Value& argument) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&argument);
  if (!constant || !llvm::isValidAtomicOrderingCABI(constant->getZExtValue())) return std::nullopt;
  switch (static_cast<llvm::AtomicOrderingCABI>(constant->getZExtValue())) {
    case llvm::AtomicOrderingCABI::relaxed: return Order::Relaxed;
    case llvm::AtomicOrderingCABI::consume:
    case llvm::AtomicOrderingCABI::acquire: return Order::Acquire;
    case llvm::AtomicOrderingCABI::release: return Order::Release;
    default: return Order::Both;
  }
}

}  // namespace whittle::frontend
