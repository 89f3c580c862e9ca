// What a path does, as terms over the state before it, put together statement by statement.
//
//   Effect effect(store);
//   effect.assign(x, effect.now(x + 1));        // x = x + 1
//   effect.write(effect.now(p), effect.now(x)); // *p = x
//   effect.guard(effect.now(condition));
//   Term before = effect.pre(predicate);
//
// For every state before the path: the path can be run and the predicate holds after it if and only if the guards and
// `before` hold, for some value of the fresh variables. A read that may or may not be of what the path wrote contains all
// cases. With Reads::Later it is a variable that stands for the value, whatever that is, until an aliasing is chosen:
//
//   Resolution resolution(effect, oracle);      // oracle: values of terms in one concrete state before the path
//   std::vector<Term> aliases;
//   Term here = resolution.of(before, aliases); // equal to `before` in all states in which `aliases` hold
//
// So a condition needs only the aliases of reads that it depends on. Addresses that are constants need neither.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/int128.h"
#include "term/ranges.h"
#include "term/term.h"

namespace whittle::wp {

using term::Term;

/// Values of terms in one concrete state before the path.
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
  std::function<bool(Term variable)> must_alias;
  /// The few starts of objects that the variable points to wherever tests are here; empty: others, or many. That it is
  /// one of these says at once what it does not alias.
  std::function<std::vector<u128>(Term variable)> places;
};

class Resolution;

/// What is known of where an access goes, besides its address: may it be of the object at this (constant) address? Null:
/// nothing is known.
using Reach = std::shared_ptr<const std::function<bool(uint64_t address)>>;

class Effect {
 public:
  enum class Reads : uint8_t { Cases, Later };
  explicit Effect(term::Store& store, Reads reads = Reads::Cases) : store_(store), reads_(reads) {}
  virtual ~Effect() = default;
  Effect(const Effect&) = default;
  Effect(Effect&&) = default;

  /// A variable of the state, or a term over these and memory, as it is after the path so far.
  Term value(Term variable) const;
  Term now(Term t);
  Term load(Term address, unsigned bytes, const Reach& reach = {}) { return read(address, bytes, writes_.size(), reach); }

  // One more statement. All terms are over the state before the path: see now().
  void assign(Term variable, Term value) { registers_[variable] = value; }
  void write(Term address, Term value, Reach reach = {});
  void write_any(Term address, uint64_t size);  ///< bytes without a value: any, and the same at every read
  void copy(Term to, Term from, uint64_t size);
  void fill(Term to, Term byte, uint64_t size);
  /// All memory may hold anything from here on, except constant addresses for which `may` says no.
  void write_anywhere(std::function<bool(uint64_t address)> may = {});
  void guard(Term condition);
  /// A variable that stands for any value.
  virtual Term fresh(unsigned width);

  /// Variables that were assigned, and their values.
  const std::unordered_map<Term, Term>& values() const { return registers_; }
  const std::vector<Term>& guards() const { return guards_; }
  Term pre(Term predicate) { return now(predicate); }
  /// Memory of objects made here that has no value yet: what stands for it, by address.
  std::vector<std::pair<uint64_t, Term>> without_value() const;
  /// What variables, and memory at constant addresses, hold before the path: constants, by variable or Read term. Terms
  /// then contain these, and all that is said holds only where they do.
  using Known = std::unordered_map<Term, Term>;
  void know(std::shared_ptr<const Known> before) { known_ = std::move(before); }
  size_t writes() const { return writes_.size(); }
  /// Of each write of a value: where, and what. In order.
  std::vector<std::pair<Term, Term>> written() const;

 protected:
  /// Of reads, by their address in the state after the path so far.
  virtual Reach reach(Term) { return nullptr; }
  /// Memory before the path.
  virtual Term memory(Term address, unsigned bytes) { return before(store_.read(address, 8 * bytes)); }
  Term plus(Term address, uint64_t offset) {
    return offset == 0 ? address : store_.add(address, store_.constant(address.width(), offset));
  }

  term::Store& store_;
  std::vector<Term> guards_;

 private:
  struct Write {
    enum class Kind : uint8_t { Value, Any, Anywhere } kind = Kind::Value;
    Term address;
    uint64_t size = 0;
    Term value;                                            ///< Value
    std::map<std::pair<uint64_t, unsigned>, Term> any;     ///< Any: by offset and size. Anywhere: by address term
    std::function<bool(uint64_t)> may;                     ///< Anywhere
    Reach reach;                                           ///< Value
  };
  /// A variable or Read term in the state before the path.
  Term before(Term leaf) const {
    if (!known_) return leaf;
    auto it = known_->find(leaf);
    return it == known_->end() ? leaf : it->second;
  }
  /// A read whose aliasing is not chosen yet.
  struct Later {
    Term address;
    unsigned bytes = 0;
    size_t writes = 0;  ///< before it
    Reach reach;
  };
  friend class Resolution;

  /// `resolution`: by the aliasing of one state.
  Term read(Term address, unsigned bytes, size_t writes, const Reach& reach, Resolution* resolution = nullptr);
  Term later(Later read);
  Term all_cases(Term address, unsigned bytes, size_t write, Term difference, const Reach& reach);
  bool equal_or_apart(Term difference, uint64_t bytes);
  Term any(size_t write, uint64_t key, unsigned bytes);

  Reads reads_;
  std::shared_ptr<const Known> known_;
  std::unordered_map<Term, Term> registers_;
  std::vector<Write> writes_;
  std::unordered_map<Term, Later> later_;
  std::map<std::tuple<uint64_t, unsigned, size_t, const void*>, Term> later_variables_;  ///< by address term, bytes, writes, reach
  term::Ranges ranges_;                                                     ///< of differences of addresses
};

/// The aliasing of one concrete state, chosen for reads of an effect with Reads::Later.
class Resolution {
 public:
  Resolution(Effect& effect, Oracle oracle) : effect_(effect), oracle_(std::move(oracle)) {}

  /// The term without variables of later reads; `aliases` gets the conditions under which it is the same.
  Term of(Term t, std::vector<Term>& aliases);

 private:
  friend class Effect;
  struct Known {
    Term value;
    std::vector<Term> aliases;
  };
  const Known& known(Term variable);
  Term of(Term t) { return of(t, *sink_); }  ///< while a read is resolved
  Term pin(Term address, std::vector<Term>& because) const;
  std::vector<u128> places(Term address, std::vector<Term>& because) const;
  bool apart_in_all_places(Term address, unsigned bytes, Term written, uint64_t size);
  void assume(Term alias) { sink_->push_back(alias); }
  void assume(const std::vector<Term>& aliases) { sink_->insert(sink_->end(), aliases.begin(), aliases.end()); }

  Effect& effect_;
  Oracle oracle_;
  std::unordered_map<Term, Known> known_;
  std::vector<Term>* sink_ = nullptr;
};

}  // namespace whittle::wp
