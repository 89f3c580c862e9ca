// What a block does, as terms over the state before it: wp::Effect of its statements, in the engine's own space.
//
//   Effect effect(space, block);
//   effect.guards();                            // what must hold for the block to be run
//   Term before = effect.pre(predicate);
//
// wp/effect.h says what holds of these. Fresh variables are inputs asked for in the block and memory without a value.
#pragma once

#include "engines/dash/block.h"
#include "wp/effect.h"

namespace whittle::engines::dash {

using wp::Oracle;

class Effect : public wp::Effect {
 public:
  Effect(Space& space, const Block& block, Reads reads = Reads::Cases);

  /// Inputs asked for by Nondet statements, in order.
  const std::vector<Term>& inputs() const { return inputs_; }
  /// What is read or written by a checked step.
  struct CheckedAccess {
    Term address;
    uint64_t bytes = 0;
    Term in_object;  ///< it lies in an object that is known now; the guards say only that it lies where objects may be
    Term in_none;    ///< it lies in memory of no object, where the pointer strays; none: it does not
  };
  const std::vector<CheckedAccess>& checked_accesses() const { return checked_; }
  static bool is_fresh(const Space& space, Term variable) { return !space.owner(variable).known(); }

 private:
  struct State;
  Term fresh(unsigned width) override;
  Term memory(Term address, unsigned bytes) override;

  void step(const Step& s);
  void statement(uint32_t context, const program::Statement& s, uint32_t edge);
  /// When the demand is met.
  Term met(uint32_t context, uint32_t edge, const semantics::Demand& demand);
  /// When it is the step's `callee` that its IndirectCall calls.
  Term calls(const Step& s);
  void enter(const Step& s);
  void leave(const Step& s);
  void skip(const Step& s);
  void allocate(uint32_t context, uint32_t edge, Term target, const semantics::NewObject& object);
  void bulk(uint32_t context, const semantics::Write& write);
  Term now(uint32_t context, Term t) { return wp::Effect::now(space_.in(context, t)); }
  void check_addresses(uint32_t context, const program::Statement& s);
  Term where_objects_may_be(Term address);
  wp::Reach reach(Term address) override { return space_.reach(address); }
  Term valid(const BitSet* accessed, Term address, uint64_t bytes, bool write, unsigned align, const wp::Reach& reach = {});

  Space& space_;
  std::vector<Term> inputs_;
  std::vector<CheckedAccess> checked_;
  size_t fresh_count_ = 0;
};

}  // namespace whittle::engines::dash
