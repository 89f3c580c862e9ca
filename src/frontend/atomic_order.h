// What the orders of atomic operations say about happens-before.
#pragma once

#include <llvm/IR/Value.h>
#include <llvm/Support/AtomicOrdering.h>

#include <optional>

#include "program/order.h"

namespace whittle::frontend {

program::Order order_of(llvm::AtomicOrdering order);
/// The same for a memory_order as the library form of atomic operations takes it (`__atomic_load_8(p, order)`): nothing
/// if it is no constant.
std::optional<program::Order> order_of(const llvm::Value& argument);

}  // namespace whittle::frontend
