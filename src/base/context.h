// What every long-running part gets by reference: limits, figures, progress. Nothing mutable lives in globals.
#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "base/limits.h"
#include "base/progress.h"
#include "base/statistics.h"

namespace whittle {

namespace solve {
struct SolverOptions;
}
namespace program::analysis {
class Analyses;
}

/// What a search can say of itself while it runs, for a report when it does not come back.
class LastWords {
 public:
  /// As long as it lives, `figures` is asked. It is called in another thread while the search goes on: it may only read
  /// numbers, which may be a moment old.
  class Speaker {
   public:
    Speaker(LastWords* words, std::function<void(Statistics&)> figures) : words_(words) {
      if (words_) words_->set(std::move(figures));
    }
    ~Speaker() {
      if (words_) words_->set({});
    }
    Speaker(const Speaker&) = delete;
    Speaker& operator=(const Speaker&) = delete;

   private:
    LastWords* words_;
  };

  void tell(Statistics& statistics) {
    std::lock_guard lock(mutex_);
    if (figures_) figures_(statistics);
  }

 private:
  void set(std::function<void(Statistics&)> figures) {
    std::lock_guard lock(mutex_);
    figures_ = std::move(figures);
  }
  std::mutex mutex_;
  std::function<void(Statistics&)> figures_;
};

struct Context {
  Limits& limits;
  Statistics& statistics;
  Progress& progress;
  LastWords* last_words = nullptr;                       ///< none: no one asks
  const solve::SolverOptions* solver_options = nullptr;  ///< none: the usual ones (solve/stack.h)
  std::shared_ptr<program::analysis::Analyses> analyses = {};  ///< of the program at hand; none: who needs some makes them
};

}  // namespace whittle
