#include "program/analysis/analyses.h"

namespace whittle::program::analysis {
namespace {

template <class T, class... Arguments>
T& made(std::unique_ptr<T>& kept, Arguments&&... arguments) {
  if (!kept) kept = std::make_unique<T>(std::forward<Arguments>(arguments)...);
  return *kept;
}

template <class T, class... Arguments>
T& made(std::vector<std::unique_ptr<T>>& kept, FunctionId f, Arguments&&... arguments) {
  if (f >= kept.size()) kept.resize(f + 1);
  return made(kept[f], std::forward<Arguments>(arguments)...);
}

}  // namespace

const CallGraph& Analyses::calls() { return made(calls_, program_); }
const PointsTo& Analyses::points() { return made(points_, program_, calls()); }
const FewValues& Analyses::few_values() { return made(few_values_, program_, calls(), points()); }
AccessSets& Analyses::accesses() { return made(accesses_, program_, calls(), points(), &few_values()); }
const Features& Analyses::features() { return made(features_, program_, calls()); }
const Liveness& Analyses::liveness(FunctionId f) { return made(liveness_, f, program_, f); }
const Loops& Analyses::loops(FunctionId f) { return made(loops_, f, program_.functions[f]); }

const BitSet& Analyses::written_objects() {
  if (!written_objects_) written_objects_ = analysis::written_objects(program_, calls(), points());
  return *written_objects_;
}

std::shared_ptr<Analyses> analyses_of(const Context& context, const Program& program) {
  if (context.analyses && &context.analyses->program() == &program) return context.analyses;
  return std::make_shared<Analyses>(program);
}

}  // namespace whittle::program::analysis
