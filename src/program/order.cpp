#include "program/order.h"

namespace whittle::program {
namespace {

Order parse(std::string_view word) {
  for (Order order : {Order::Relaxed, Order::Acquire, Order::Release})
    if (text_of(order) == word) return order;
  return Order::Both;
}

}  // namespace

Order order_of(const Statement& statement) {
  const std::string_view text = statement.text;
  return text.empty() ? Order::Both : parse(text.substr(0, text.find('/')));
}

Order failure_order(const Statement& statement) {
  const std::string_view text = statement.text;
  const size_t slash = text.find('/');
  return slash == std::string_view::npos ? Order::Both : parse(text.substr(slash + 1));
}

std::string_view text_of(Order order) {
  switch (order) {
    case Order::Relaxed: return "relaxed";
    case Order::Acquire: return "acquire";
    case Order::Release: return "release";
    case Order::Both: break;
  }
  return "";
}

std::string text_of(Order order, Order failure) {
  std::string text(text_of(order));
  if (failure != Order::Both) text.append("/").append(text_of(failure));
  return text;
}

}  // namespace whittle::program
