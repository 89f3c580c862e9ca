// The program as dash sees it: one flat space of variables, because every activation of a function has its own.
//
// A context is a call stack without return addresses: the function, the call that entered it, and the context of that
// call. Registers of different contexts are different variables, so a predicate on a callee's locals never mentions
// its caller's. Contexts come into being when a test or the region graph gets there.
//
//   Space space(code, analyses);
//   uint32_t callee = space.child(context, edge, function);
//   Term x = space.variable(callee, reg);
//   Term condition = space.in(callee, statement.operands[0]);
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/bit_set.h"
#include "exec/strays.h"
#include "program/analysis/access.h"
#include "program/analysis/call_graph.h"
#include "program/analysis/analyses.h"
#include "program/program.h"
#include "semantics/meaning.h"
#include "verdict/property.h"
#include "wp/effect.h"

namespace whittle::engines::dash {

using term::Term;

struct Context {
  uint32_t parent = program::kNone;
  uint32_t edge = program::kNone;  ///< the call, of the parent's function
  program::FunctionId function = program::kNone;
  uint32_t depth = 0;
  bool repeated = false;  ///< may be entered more than once: some call on the way lies on a cycle
};

/// An object made by an allocation statement of one context. Its address is the same on every path.
struct Site {
  uint32_t context = 0;
  uint32_t edge = 0;
  uint64_t address = 0;
  uint64_t size = 0;  ///< room kept for it; of a constant size: that size
  bool heap = false;
  bool fixed = false;  ///< the size is a constant
  Term alive;          ///< one bit: is it allocated now?
  Term bytes;          ///< its size when it is not a constant
};

/// What every call of a function promises that comes back.
struct Contract {
  std::vector<Term> parameters;  ///< variables that stand for the arguments
  Term result;                   ///< and for the result
  Term holds;
  bool safe = false;  ///< nothing goes wrong inside, whatever the arguments are
  /// A fact about one call.
  Term of(term::Store& store, Term fact, const std::vector<Term>& arguments, Term returned) const;
};

class Space {
 public:
  Space(const std::shared_ptr<const exec::Code>& code, std::shared_ptr<program::analysis::Analyses> analyses);

  const program::Program& program() const { return program_; }
  const verdict::Specification& specification() const { return specification_; }
  term::Store& terms() const { return program_.terms(); }
  const program::analysis::CallGraph& calls() const { return analyses_->calls(); }
  const program::analysis::PointsTo& points() const { return *points_; }
  const program::analysis::Liveness& liveness(program::FunctionId f) const { return analyses_->liveness(f); }
  semantics::Meanings& meanings() { return meanings_; }

  // Contexts
  uint32_t root() const { return 0; }
  uint32_t child(uint32_t context, uint32_t edge, program::FunctionId callee);
  const Context& context(uint32_t id) const { return contexts_[id]; }
  size_t contexts() const { return contexts_.size(); }
  const program::Function& function(uint32_t context) const { return program_.functions[contexts_[context].function]; }
  const program::Edge& edge(uint32_t context, uint32_t edge) const { return function(context).edges[edge]; }

  // Variables
  Term variable(uint32_t context, program::RegisterId reg) const { return variables_[context][reg]; }
  Term in(uint32_t context, Term t);  ///< a term over registers of the context's function
  /// Registers of a function that a term of it mentions.
  const std::vector<uint32_t>& variables_of(Term t);
  struct Owner {
    uint32_t context = program::kNone;
    program::RegisterId reg = program::kNone;  ///< kNone: a ghost of a site
    bool known() const { return context != program::kNone; }
  };
  Owner owner(Term variable) const;
  /// A term over variables of contexts, as C for people.
  std::string to_c(Term t) const;
  Term input(size_t number, unsigned width);  ///< the n-th input of every test
  Term fresh(size_t number, unsigned width);  ///< for one effect at a time; no register's
  /// Stands for the number of any element of an array, in facts about all of them (elements.h).
  Term element();
  /// Stands for a byte that has no value yet.
  Term cell(uint64_t address);
  const std::map<uint64_t, Term>& cells() const { return cells_; }
  /// The address of a cell; nothing of everything else.
  std::optional<uint64_t> cell_address(Term variable) const {
    auto it = cell_addresses_.find(variable);
    return it == cell_addresses_.end() ? std::nullopt : std::optional(it->second);
  }
  /// The n of an input; kNone of everything else.
  size_t input_number(Term variable) const {
    auto it = inputs_set_.find(variable);
    return it == inputs_set_.end() ? program::kNone : it->second;
  }

  // Memory
  /// The site of an allocation; nothing if it may be executed again while the object lives.
  const Site* site(uint32_t context, uint32_t edge);
  const std::vector<uint32_t>& sites_of(uint32_t context) const;
  const std::deque<Site>& sites() const { return sites_; }
  /// Does a site or an object of the program begin there?
  bool starts_object(uint64_t address) const;
  uint64_t thread_local_address(program::ObjectId object) const { return thread_locals_[object]; }
  /// Addresses that no site has: of objects that the model does not name.
  const exec::Machine::Area& loose(bool heap) const { return heap ? loose_heap_ : loose_stack_; }
  /// Where the next object can begin after one of `size` bytes, with room between them (0: there is none).
  static uint64_t next_place(uint64_t address, uint64_t size, uint64_t align);
  /// The bytes there never change: their value, otherwise nothing.
  std::optional<u128> constant_bytes(uint64_t address, unsigned bytes) const;
  /// May runs write the object, as the machine sees it?
  bool writable(program::ObjectId object) const { return writable_[object]; }
  bool never_written(program::ObjectId object) const { return !written_.test(object); }
  /// Which objects an access through the address, a term over registers of functions or contexts, may be of: known of pointers
  /// that may have no value the program gave them (PointsTo::Strays), if it is not asked whether accesses are valid.
  wp::Reach reach(Term address);
  /// Was anything known by reach()?
  bool used_reach() const;
  /// Is memory of no object there, where other pointers may lead?
  Term in_no_object(Term address, uint64_t bytes) const;
  bool follows_strays() const { return exec::Strays::are_followed(specification_); }
  /// The initial byte of static memory (0 where nothing is).
  uint8_t initial_byte(uint64_t address) const;
  /// May the function, or one that it calls, change memory at this constant address / any memory at all?
  bool may_write(program::FunctionId function, uint64_t address) const;
  bool writes_memory(program::FunctionId function) const;
  bool can_fail(program::FunctionId function) const {
    const Contract* known = contract(function);
    return can_fail_[function] && !(known && known->safe);
  }
  const Contract* contract(program::FunctionId function) const {
    auto it = contracts_.find(function);
    return it == contracts_.end() ? nullptr : &it->second;
  }
  void set_contract(program::FunctionId function, Contract contract) { contracts_[function] = std::move(contract); }

  // Control flow
  /// Is the location a node of the region graph: a join, a loop head, before or after a call?
  bool is_node(program::FunctionId function, program::LocationId location) const { return node_[function][location]; }
  /// It is an error, whatever happens: calls of it need no nodes.
  bool is_straight(program::FunctionId function) const { return straight_[function]; }
  /// It makes an object or sets a static one for good, and there is little else to it: malloc, what wraps it, an
  /// initialisation. Calls of it are looked into at once, for nothing is known of a pointer or number otherwise.
  bool is_maker(program::FunctionId function) const { return maker_[function]; }
  /// A static object that one statement of the program sets, to a number: a constant from then on.
  bool is_set_once(uint64_t address) const {
    auto o = program_.object_at(address);
    return o && set_once_.test(*o) && program_.objects[*o].address == address;
  }
  bool in_loop(program::FunctionId function, program::LocationId location) const {
    return looping_[function][location];
  }

 private:
  void place_objects(const exec::Machine& machine);
  bool may_be(const BitSet& places, uint64_t address) const;
  const Site* site_at(uint64_t address) const;
  Term over_registers(Term address) const;
  void find_straight();
  void find_nodes();
  std::vector<char> address_registers(program::FunctionId function) const;
  void find_loops();
  void find_failing();
  void find_makers();
  bool lives_on(uint32_t context, uint32_t edge) const;
  bool restored(uint32_t context, uint32_t edge) const;
  bool stays(uint32_t context, uint32_t edge) const;

  const program::Program& program_;
  const verdict::Specification& specification_;
  std::shared_ptr<program::analysis::Analyses> analyses_;
  std::unique_ptr<const program::analysis::PointsTo> points_;
  std::unique_ptr<const program::analysis::AccessSets> accesses_;
  BitSet written_;
  semantics::Meanings meanings_;
  std::vector<std::vector<char>> node_, looping_;
  std::vector<char> straight_, can_fail_, maker_;
  BitSet set_once_;
  std::map<program::FunctionId, Contract> contracts_;

  std::vector<Context> contexts_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> children_;
  std::vector<std::vector<Term>> variables_;
  std::vector<std::unordered_map<Term, Term>> renamed_;
  std::unordered_map<Term, Owner> owners_;
  std::unordered_map<Term, std::vector<uint32_t>> variables_of_;
  std::map<std::pair<size_t, unsigned>, Term> inputs_;
  std::map<std::pair<size_t, unsigned>, Term> fresh_;
  std::map<uint64_t, Term> cells_;
  std::unordered_map<Term, uint64_t> cell_addresses_;
  Term element_;
  std::unordered_map<Term, size_t> inputs_set_;
  std::deque<Site> sites_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> site_numbers_;
  std::vector<std::vector<uint32_t>> sites_of_;
  exec::Machine::Area heap_, stack_, loose_heap_, loose_stack_;  ///< of sites: what is left
  std::map<uint64_t, uint32_t> sites_by_address_;
  std::unordered_map<Term, wp::Reach> reach_;
  std::vector<char> writable_;                                   ///< by object
  std::vector<uint64_t> thread_locals_;                          ///< by object
};

}  // namespace whittle::engines::dash
