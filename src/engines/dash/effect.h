// What a block does, as terms over the state before it.
//
//   Effect effect(space, block, oracle);        // oracle: values of terms in one concrete state before the block
//   effect.guards();                            // what must hold for the block to be run
//   std::vector<Term> aliases;
//   Term before = effect.pre(predicate, aliases);
//
// For every state before the block in which effect.aliases() and `aliases` hold: the block can be run and the predicate
// holds behind it if and only if the guards and `before` hold, for some value of the fresh variables (inputs asked for
// in the block, memory without a value). With an oracle, every read of memory is resolved by the aliasing that the
// concrete state has. Without one, all cases are kept in the term (and no aliases are needed).
#pragma once

#include <functional>
#include <map>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "engines/dash/block.h"

namespace whittle::engines::dash {

/// Values of terms in one concrete state before the block.
struct Oracle {
  Oracle() = default;
  template <typename Values>
    requires std::is_invocable_r_v<u128, const Values&, Term> && (!std::is_same_v<Values, Oracle>)
  Oracle(const Values& values) : value(values) {}
  u128 operator()(Term over_the_state_before) const { return value(over_the_state_before); }
  explicit operator bool() const { return static_cast<bool>(value); }

  std::function<u128(Term)> value;
  /// Does this variable point to the start of one and the same object wherever tests are? Then its aliases are best
  /// said by that: one condition instead of one for every other pointer.
  std::function<bool(Term variable)> steady;
  /// The few starts of objects that the variable points to wherever tests are here; empty: others, or many. That it is
  /// one of these says at once what it does not alias.
  std::function<std::vector<u128>(Term variable)> places;
};

class Effect {
 public:
  Effect(Space& space, const Block& block, Oracle oracle);

  const std::vector<Term>& guards() const { return guards_; }
  const std::vector<Term>& aliases() const { return aliases_; }
  /// Inputs asked for by Nondet statements, in order.
  const std::vector<Term>& inputs() const { return inputs_; }
  Term pre(Term predicate, std::vector<Term>& aliases);
  /// Memory of objects made here that has no value yet: what stands for it, by address.
  std::vector<std::pair<uint64_t, Term>> without_value() const;
  /// Addresses of checked steps lie in objects that are known now. (The guards say only that they lie where objects may
  /// be, for others may come to light.)
  const std::vector<Term>& in_objects() const { return in_objects_; }
  static bool is_fresh(const Space& space, Term variable) { return !space.owner(variable).known(); }
  void set_oracle(const Oracle* oracle) { oracle_ = oracle ? *oracle : Oracle(); }
  size_t writes() const { return writes_.size(); }

 private:
  struct Write {
    enum class Kind : uint8_t { Value, Any, Callee, Everything } kind = Kind::Value;
    Term address;
    uint64_t size = 0;
    Term value;  ///< Value
    program::FunctionId callee = program::kNone;
    std::map<std::pair<uint64_t, unsigned>, Term> any;
    std::map<std::pair<uint32_t, unsigned>, Term> any_at;  ///< Callee: by address term
  };

  void step(const Step& s);
  void statement(uint32_t context, const program::Statement& s, uint32_t edge);
  void effect(uint32_t context, uint32_t edge, const semantics::Meaning& meaning);
  /// When the demand is met.
  Term met(uint32_t context, uint32_t edge, const semantics::Demand& demand);
  /// When it is the step's `callee` that its IndirectCall calls.
  Term calls(const Step& s);
  void enter(const Step& s);
  void leave(const Step& s);
  void skip(const Step& s);
  void allocate(uint32_t context, uint32_t edge, Term target, const semantics::NewObject& object);
  void bulk(uint32_t context, uint32_t edge, const semantics::Write& write);
  void copy(uint32_t context, uint32_t edge, Term to, Term from, uint64_t size);
  void fill(Term to, Term byte, uint64_t size);
  void anything();
  Term now(uint32_t context, Term t);  ///< a term over registers and memory at this point, over the state before the block
  Term value(Term variable);
  void assign(Term variable, Term value) { registers_[variable] = value; }
  void guard(Term condition);
  Term fresh(unsigned width);
  Term read(Term address, unsigned bytes, size_t writes);
  Term part(size_t write, uint64_t offset, unsigned bytes);
  Term callee_read(size_t write, Term address, unsigned bytes);
  void write(Term address, Term value);
  Term pin(Term address, std::vector<Term>& because) const;
  std::vector<u128> places(Term address, std::vector<Term>& because) const;
  bool apart_in_all_places(Term address, unsigned bytes, const Write& write);
  void check_addresses(uint32_t context, const program::Statement& s);
  Term where_objects_may_be(Term address);
  Term valid(const BitSet* accessed, Term address, uint64_t bytes, bool write, unsigned align);
  Term address_plus(Term address, uint64_t offset);

  Space& space_;
  term::Store& store_;
  Oracle oracle_;
  std::unordered_map<Term, Term> registers_;
  std::vector<Write> writes_;
  std::vector<Term> guards_, aliases_, inputs_, in_objects_;
  std::vector<Term>* alias_sink_ = &aliases_;
  size_t fresh_count_ = 0;
};

}  // namespace whittle::engines::dash
