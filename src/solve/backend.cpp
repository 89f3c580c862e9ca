#include "solve/backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <new>

namespace whittle::solve {

u128 from_decimal(std::string_view digits) {
  const bool negative = digits.starts_with('-');
  u128 result = 0;
  for (char digit : digits.substr(negative ? 1 : 0)) result = result * 10 + static_cast<unsigned>(digit - '0');
  return negative ? u128{0} - result : result;
}

std::string_view to_string(Answer answer) {
  return answer == Answer::Sat ? "sat" : answer == Answer::Unsat ? "unsat" : "unknown";
}

Backend::Backend(const term::Store& store, Capabilities capabilities)
    : store_(store), capabilities_(std::move(capabilities)) {}

void Backend::add(Term condition) {
  assert(condition.width() == 1);
  levels_.back().push_back(condition);
  has_model_ = false;
}

void Backend::push() { levels_.emplace_back(); }

void Backend::pop() {
  assert(levels_.size() > 1);
  levels_.pop_back();
  kept_levels_ = std::min(kept_levels_, levels_.size());
  has_model_ = false;
}

/// An operator in t that this back end cannot decide, if there is one.
const term::Op* Backend::unsupported(Term t) {
  if (!t.has_floats()) return nullptr;
  std::vector<Term> stack{t}, visited;
  while (!stack.empty()) {
    Term part = stack.back();
    stack.pop_back();
    if (!part.has_floats() || part.op() == term::Op::Read || !seen_.insert(part).second) continue;
    visited.push_back(part);
    if (!capabilities_.supports(part.op())) {
      for (Term v : visited) seen_.erase(v);  // the operator may be below any of them
      return &part.node()->op;
    }
    for (unsigned i = 0; i < part.arity(); ++i) stack.push_back(part.kid(i));
  }
  return nullptr;
}

/// Why these conditions are not even told to the library; empty if they are.
std::string Backend::refusal(std::span<const Term> assumptions) {
  auto refuse = [&](std::span<const Term> terms) -> std::string {
    for (Term t : terms)
      if (const term::Op* op = unsupported(t))
        return fmt::format("{} is not supported by {}", term::name(*op), capabilities_.name);
    return "";
  };
  for (const auto& level : levels_)
    if (std::string reason = refuse(level); !reason.empty()) return reason;
  return refuse(assumptions);
}

/// A model is believed only after the conditions have been evaluated under it.
bool Backend::model_holds(std::span<const Term> assumptions) {
  model_.clear();
  auto leaf = [&](Term t) {
    auto [it, fresh] = model_.try_emplace(t);
    if (fresh) it->second = leaf_value(t);
    return it->second;
  };
  auto holds = [&](Term t) { return store_.evaluate_leaves(t, leaf) == 1; };
  for (const auto& level : levels_)
    for (Term t : level)
      if (!holds(t)) return false;
  for (Term t : assumptions)
    if (!holds(t)) return false;
  return true;
}

/// May throw what the library throws.
Result Backend::decide(std::span<const Term> assumptions) {
  Outcome outcome;
  if (interrupted_)
    outcome.reason = "interrupted";
  else
    outcome = solve(assumptions);
  // Z3 has been seen to answer `sat` with half a model when interrupted: nothing said after an interrupt counts.
  if (interrupted_) return {Answer::Unknown, "interrupted"};
  if (outcome.answer == Answer::Sat) {
    has_model_ = model_holds(assumptions);
    if (!has_model_)
      return {Answer::Unknown, fmt::format("{} gave a model that does not satisfy the conditions", capabilities_.name)};
  } else if (outcome.answer == Answer::Unsat) {
    for (size_t i : outcome.core) core_.push_back(assumptions[i]);
  }
  return {outcome.answer, outcome.reason};
}

Result Backend::check(std::span<const Term> assumptions) {
  has_model_ = false;
  core_.clear();
  assert(std::all_of(assumptions.begin(), assumptions.end(), [](Term t) { return t.width() == 1; }));
  if (std::string reason = refusal(assumptions); !reason.empty()) return {Answer::Unknown, reason};
  running_ = true;
  Result result;
  try {
    result = decide(assumptions);
  } catch (const Failure& failure) {
    result.reason = failure.reason;
  } catch (const std::bad_alloc&) {
    result.reason = "memory limit";
  } catch (const std::exception& e) {
    result.reason = fmt::format("{}: {}", capabilities_.name, e.what());
  }
  running_ = false;
  if (result.unknown()) drop();
  return result;
}

u128 Backend::value(Term t) {
  assert(has_model_);
  return store_.evaluate_leaves(t, [&](Term leaf) {
    auto it = model_.find(leaf);
    return it != model_.end() ? it->second : u128{0};
  });
}

void Backend::interrupt() {
  interrupted_ = true;
  if (capabilities_.interruptible && running_) stop();
}

}  // namespace whittle::solve
