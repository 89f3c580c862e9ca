#include "solve/sat.h"

#include <atomic>
#include <cadical.hpp>
#include <cassert>
#include <chrono>
#include <cstdlib>
#include <utility>

namespace whittle::solve {

struct Sat::Impl : CaDiCaL::Terminator {
  Impl() {
    solver.set("quiet", 1);
    // Many small questions: trying to be lucky before each of them costs more than it finds.
    solver.set("lucky", 0);
    solver.set("walk", 0);
    solver.connect_terminator(this);
  }
  ~Impl() override { solver.disconnect_terminator(); }

  bool terminate() override { return interrupted || (has_deadline && std::chrono::steady_clock::now() >= deadline); }

  CaDiCaL::Solver solver;
  std::atomic<bool> interrupted{false};
  bool has_deadline = false;
  std::chrono::steady_clock::time_point deadline;
};

Sat::Sat() : impl_(std::make_unique<Impl>()) {}
Sat::~Sat() = default;
Sat::Sat(Sat&&) noexcept = default;
Sat& Sat::operator=(Sat&&) noexcept = default;

int Sat::variable() { return ++variables_; }

void Sat::clause(std::span<const int> literals) {
  for (int literal : literals) {
    assert(literal != 0 && std::abs(literal) <= variables_);
    impl_->solver.add(literal);
  }
  impl_->solver.add(0);
}

Answer Sat::solve(std::span<const int> assumptions, double seconds, int conflicts) {
  if (impl_->interrupted) return Answer::Unknown;
  impl_->has_deadline = seconds >= 0;
  if (seconds >= 0)
    impl_->deadline =
        std::chrono::steady_clock::now() +
        std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
  if (conflicts >= 0) impl_->solver.limit("conflicts", conflicts);
  for (int literal : assumptions) {
    assert(literal != 0 && std::abs(literal) <= variables_);
    impl_->solver.assume(literal);
  }
  int result = impl_->solver.solve();
  return result == 10 ? Answer::Sat : result == 20 ? Answer::Unsat : Answer::Unknown;
}

bool Sat::value(int literal) const {
  int sign = impl_->solver.val(std::abs(literal));
  return (sign > 0) == (literal > 0);
}

bool Sat::failed(int literal) const { return impl_->solver.failed(literal); }
void Sat::phase(int literal) { impl_->solver.phase(literal); }
void Sat::unphase(int variable) { impl_->solver.unphase(variable); }
void Sat::interrupt() { impl_->interrupted = true; }

}  // namespace whittle::solve
