// The analyses of one program, each made when it is first asked for and then kept.
//
//   std::shared_ptr<Analyses> analyses = analyses_of(context, program);
//   const PointsTo& points = analyses->points();
//
// A Context carries them from engine to engine; what was made before a fork is there in every process after it. One
// thread at a time: asking may compute.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/context.h"
#include "program/analysis/access.h"
#include "program/analysis/call_graph.h"
#include "program/analysis/features.h"
#include "program/analysis/few_values.h"
#include "program/analysis/liveness.h"
#include "program/analysis/loops.h"
#include "program/analysis/points_to.h"

namespace whittle::program::analysis {

class Analyses {
 public:
  /// Keeps a reference to the program, which does not change from now on.
  explicit Analyses(const Program& program) : program_(program) {}
  Analyses(const Analyses&) = delete;
  Analyses& operator=(const Analyses&) = delete;

  const Program& program() const { return program_; }
  const CallGraph& calls();
  const PointsTo& points();
  const FewValues& few_values();
  AccessSets& accesses();
  const Features& features();
  const BitSet& written_objects();
  const Liveness& liveness(FunctionId f);
  const Loops& loops(FunctionId f);

 private:
  const Program& program_;
  std::unique_ptr<CallGraph> calls_;
  std::unique_ptr<PointsTo> points_;
  std::unique_ptr<FewValues> few_values_;
  std::unique_ptr<AccessSets> accesses_;
  std::unique_ptr<Features> features_;
  std::optional<BitSet> written_objects_;
  std::vector<std::unique_ptr<Liveness>> liveness_;  ///< by function
  std::vector<std::unique_ptr<Loops>> loops_;        ///< by function
};

/// Those that the context carries if they are of this program; otherwise new ones.
std::shared_ptr<Analyses> analyses_of(const Context& context, const Program& program);

}  // namespace whittle::program::analysis
