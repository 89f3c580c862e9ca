// How several processes share one search of guided, and what of it is left after a stop.
//
// Near its root the search tree is walked by every process: there all threads that can run are run, as without partial
// order reduction, so that what is found further down adds nothing there. Where the tree has become wide, subtrees begin
// that only one process explores: the first one to come there. A subtree is known by the way to it. When a process has
// come to the end, every subtree that it passed by is done or still being explored by another one.
//
// The table of subtrees lies in memory that forks share, and is what a checkpoint holds. Ways are kept as 128-bit hashes.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace whittle::engines::guided {

/// The way to a subtree: threads, and the conditions on inputs of each step.
struct Way {
  uint64_t first = 0, second = 0;
  void add(uint64_t what);
  bool operator==(const Way&) const = default;
};

/// What a search says to those that share it.
class Shares {
 public:
  virtual ~Shares() = default;
  /// True: it is this process's to explore. No other one gets the same answer.
  virtual bool claim(const Way& way) = 0;
  /// All of it was explored. What must be said of it (below) has been said before.
  virtual void done(const Way& way) = 0;
  /// Of any part of the search: the loop that goes on beyond the bound, and why a complete search proves nothing. The first
  /// text counts.
  virtual void note_bound(const std::string& place) = 0;
  virtual void note_incomplete(const std::string& why) = 0;
  /// The answer is known: the search is to end. Asked at every step.
  virtual bool over() { return false; }
};

class Subtrees final : public Shares {
 public:
  /// In memory that this process shares with those that it forks from now on.
  Subtrees();
  ~Subtrees() override;
  Subtrees(const Subtrees&) = delete;
  Subtrees& operator=(const Subtrees&) = delete;

  /// For another search: forgets all.
  void clear();
  /// The subtrees that are not done, because their processes are gone, are to be explored again.
  void forget_claims();

  bool claim(const Way& way) override;
  void done(const Way& way) override;
  void note_bound(const std::string& place) override { bound_->set(place); }
  void note_incomplete(const std::string& why) override { incomplete_->set(why); }
  std::string bound() const { return bound_->get(); }
  std::string incomplete() const { return incomplete_->get(); }

  // For checkpoints
  std::vector<Way> all_done() const;
  void restore(const std::vector<Way>& done);

 private:
  static constexpr uint64_t kSlots = uint64_t{1} << 18;
  static constexpr unsigned kMostProbes = 64;
  struct Slot {
    std::atomic<uint64_t> first, second;  ///< 0: not there yet
    std::atomic<uint64_t> done;
  };
  struct Text {
    std::atomic<uint32_t> state;  ///< 0: empty, 1: being written, 2: there
    char letters[1020];
    void set(const std::string& text);
    std::string get() const;
  };

  Slot* find(const Way& way, bool add, bool& added) const;

  Slot* slots_ = nullptr;
  Text *bound_ = nullptr, *incomplete_ = nullptr;
};

}  // namespace whittle::engines::guided
