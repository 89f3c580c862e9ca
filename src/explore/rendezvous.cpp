#include "explore/rendezvous.h"

#include <algorithm>

namespace whittle::explore {

void Rendezvous::join() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !helping_; });
  ++members_;
}

void Rendezvous::leave() {
  std::lock_guard lock(mutex_);
  --members_;
  if (here_ != 0 && here_ == members_) begin();
}

/// Requires the lock.
void Rendezvous::begin() {
  for (Growing* what : requests_) what->prepare();
  helping_ = true;
  changed_.notify_all();
}

void Rendezvous::meet(Growing* what) {
  std::unique_lock lock(mutex_);
  if (what != nullptr && std::ranges::find(requests_, what) == requests_.end()) {
    requests_.push_back(what);
    wanted_.store(true, std::memory_order_relaxed);
  }
  if (requests_.empty()) return;
  const uint64_t round = round_;
  if (++here_ == members_)
    begin();
  else
    changed_.wait(lock, [&] { return helping_; });
  // requests_ changes only when all have finished.
  lock.unlock();
  for (Growing* request : requests_) request->help();
  lock.lock();
  if (++finished_ < here_) {
    changed_.wait(lock, [&] { return round_ != round; });
    return;
  }
  requests_.clear();
  here_ = finished_ = 0;
  helping_ = false;
  ++round_;
  wanted_.store(false, std::memory_order_relaxed);
  changed_.notify_all();
}

}  // namespace whittle::explore
