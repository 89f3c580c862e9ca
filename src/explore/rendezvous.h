// Where all threads that use a shared store meet when one of its tables must grow.
//
//   rendezvous.join();                       // this thread uses the tables from now on
//   while (...) {
//     rendezvous.pass();                     // often: one load, unless somebody waits here
//     ...
//   }
//   rendezvous.leave();                      // and now it does not, until it joins again
//
// Tables find and add without locks, but to grow one, its index is built anew, and no thread may look at it meanwhile.
// Who needs more room calls grow(): it comes back when all members have come to pass(), grow() or leave(), and all of
// them together have built the new index.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <vector>

namespace whittle::explore {

/// Something that grows while all threads wait.
class Growing {
 public:
  /// By one thread, before the others help.
  virtual void prepare() = 0;
  /// By every thread, at the same time: a share of the work.
  virtual void help() = 0;

 protected:
  ~Growing() = default;
};

class Rendezvous {
 public:
  void join();
  void leave();
  void pass() {
    if (wanted_.load(std::memory_order_relaxed)) [[unlikely]]
      meet(nullptr);
  }
  void grow(Growing& what) { meet(&what); }

 private:
  void meet(Growing* what);
  void begin();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> wanted_{false};
  unsigned members_ = 0, here_ = 0, finished_ = 0;
  bool helping_ = false;  ///< all members are here and work
  uint64_t round_ = 0;
  std::vector<Growing*> requests_;
};

}  // namespace whittle::explore
