// What an atomic access or a fence does for happens-before (C11): a write that releases comes before a read that acquires
// and sees it. Only data races depend on it: values follow one interleaving, whatever the orders.
//
// The order is in the `text` of the statement (atomic Load and Store, atomic updates, Fence), as `whittle show`
// prints it: "relaxed", "acquire", "release"; nothing for both (acq_rel, seq_cst). An AtomicCas that does not store has
// an order of its own, after a slash: "release/relaxed", "/relaxed".
#pragma once

#include <string>

#include "program/statement.h"

namespace whittle::program {

enum class Order : uint8_t { Relaxed, Acquire, Release, Both };
constexpr bool acquires(Order order) { return order == Order::Acquire || order == Order::Both; }
constexpr bool releases(Order order) { return order == Order::Release || order == Order::Both; }

/// Of an atomic access or a fence.
Order order_of(const Statement& statement);
/// Of an AtomicCas that does not store.
Order failure_order(const Statement& statement);
/// What to write into the text.
std::string_view text_of(Order order);
std::string text_of(Order order, Order failure);

}  // namespace whittle::program
