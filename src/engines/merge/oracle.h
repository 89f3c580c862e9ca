// Questions about inputs: is there one that gets here? Is there one that violates what is demanded?
//
// Demands are gathered and asked about together: one query whether any of them can fail. Models of earlier answers are
// tried before the solver is asked.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/context.h"
#include "engines/merge/model.h"
#include "program/program.h"
#include "solve/solver.h"

namespace whittle::engines::merge {

enum class Possible : uint8_t { Yes, No, Unknown };

/// A place in the program that is violated where `wrong` holds.
struct Claim {
  Term wrong;
  program::FunctionId function = program::kNone;
  uint32_t edge = program::kNone;
};

class Oracle {
 public:
  Oracle(const program::Program& program, Context& context);

  /// Are there inputs for which it holds? `conflicts`: give up after so many, 0: never.
  Possible possible(Term condition, uint64_t conflicts = 0);
  /// The model of the last Yes.
  Model& model() { return *model_; }

  void claim(Claim claim);
  size_t pending() const { return pending_.size(); }
  /// Can one of the claims fail? On Yes, violated() is the first that does in model(); it is not asked about again. On No,
  /// none is left.
  Possible any_violated();
  const Claim& violated() const { return violated_; }
  /// Is it time to ask about the claims, by what was spent on that and on other work?
  bool due() const;

  const std::string& reason() const { return reason_; }  ///< of Unknown
  uint64_t claims() const { return claims_; }
  uint64_t queries() const { return queries_; }
  double seconds() const { return seconds_; }

 private:
  static constexpr size_t kModels = 64;    ///< kept for later questions
  static constexpr size_t kQuestions = 256;  ///< if there are more claims than that, several are put into one

  solve::Solver& solver_for(Term condition);
  Possible ask(Term condition, uint64_t conflicts);
  bool first_violated(Model& model);

  const program::Program& program_;
  Context& context_;
  std::unique_ptr<solve::Solver> bits_, general_;  ///< made when they are first needed
  std::deque<std::shared_ptr<Model>> models_;
  std::shared_ptr<Model> model_;
  std::vector<Claim> pending_;
  Claim violated_;
  std::string reason_;
  uint64_t claims_ = 0, queries_ = 0;
  double seconds_ = 0, settled_at_ = 0, settle_seconds_ = 0;
};

}  // namespace whittle::engines::merge
