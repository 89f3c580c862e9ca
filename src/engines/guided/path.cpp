#include "engines/guided/path.h"

#include <chrono>

namespace whittle::engines::guided {

Term Path::next_input(unsigned width, const std::string& origin) {
  size_t index = inputs_.size();
  if (pool_.size() <= index) pool_.resize(index + 1);
  Term found;
  for (Term t : pool_[index])
    if (t.width() == width) found = t;
  if (!found) {
    found = terms_.variable(width, origin);
    pool_[index].push_back(found);
  }
  inputs_.push_back(found);
  return found;
}

u128 Path::evaluate(Term t) const {
  term::Assignment assignment;
  assignment.variable = [&](Term variable) { return value(variable); };
  return terms_.evaluate(t, assignment);
}

solve::Result Path::ask(const std::vector<Term>& more) {
  std::vector<Term> all = conditions_;
  all.insert(all.end(), more.begin(), more.end());
  auto begin = std::chrono::steady_clock::now();
  solve::Result result = solver_.check(all);
  seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  ++queries;
  if (result.unknown()) reason = result.reason;
  return result;
}

Path::Answer Path::find(const std::vector<Term>& more) {
  for (Term t : more)
    if (t.is_false()) return Answer::No;
  solve::Result result = ask(more);
  if (result.unsat()) return Answer::No;
  if (result.unknown()) return Answer::Unknown;
  Model found;
  std::vector<Term> wanted = inputs_;
  for (Term condition : more)
    for (Term variable : term::variables(condition)) wanted.push_back(variable);
  for (Term variable : wanted) found[variable] = solver_.value(variable);
  model = std::move(found);
  return Answer::Yes;
}

Path::Answer Path::implies(Term condition) {
  if (condition.is_true()) return Answer::Yes;
  if (condition.is_false()) return Answer::No;
  // The path has a model: if the condition fails in it, no solver need be asked.
  if (evaluate(condition) == 0) return Answer::No;
  solve::Result result = ask({terms_.bnot(condition)});
  return result.unsat() ? Answer::Yes : result.sat() ? Answer::No : Answer::Unknown;
}

}  // namespace whittle::engines::guided
