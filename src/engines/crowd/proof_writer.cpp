#include "engines/crowd/proof_writer.h"

#include "engines/crowd/contexts.h"
#include "proof/threads.h"

namespace whittle::engines::crowd {

namespace {

/// A fact in the words of proofs: about registers of functions, static memory and cells of local objects. None, if it is about something else.
Term translated(Term fact, const Automaton& automaton, const program::Program& program) {
  bool all = true;
  term::Store& terms = program.terms();
  const Term said = terms.substitute(fact, [&](Term v) -> Term {
    const Variable* known = automaton.variable(v);
    if (known && (known->edge != kNone || known->thread_local_ != kNone)) return v;
    if (known && known->function != kNone) return program.functions[known->function].registers[known->reg].variable;
    if (known && known->address != 0 && !is_private(known->address))
      return terms.read(terms.constant(program.pointer_width(), known->address), v.width());
    all = false;
    return {};
  });
  return all ? said : Term();
}

}  // namespace

std::optional<std::string> proof_text(const Automaton& automaton, const Prover& prover, const program::Program& program,
                                      const verdict::Specification& specification, Limits& limits, std::string& why) {
  proof::Guess guess;
  for (const Variable& v : automaton.variables())
    if (v.edge != kNone || v.thread_local_ != kNone)
      guess.own.push_back({v.term, v.function, v.edge, v.thread_local_, v.edge != kNone ? v.address : v.offset});
  for (uint32_t n = 0; n < automaton.nodes().size(); ++n) {
    if (!prover.reached(n)) continue;
    proof::Candidates& here = guess.places.emplace_back(proof::Candidates{automaton.nodes()[n].stack, {}});
    for (Term fact : prover.facts(n))
      if (const Term said = translated(fact, automaton, program)) here.facts.push_back(said);
  }
  const std::optional<proof::Proof> found = proof::fit_threads(guess, program, specification, limits, why);
  if (!found) return std::nullopt;
  const proof::Outcome outcome = proof::check(*found, program, specification, limits);
  why = outcome.reason;
  if (!outcome.valid) return std::nullopt;
  return proof::write(*found, program, specification);
}

}  // namespace whittle::engines::crowd
