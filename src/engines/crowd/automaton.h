// A program of many threads as one automaton per kind of thread.
//
//   Automaton automaton(program, specification, limits);          // throws Refused: a construct that is not followed
//   here for (const Transition& step : automaton.steps()) ...        // what a thread does between two moments others
//   can notice
//
// Calls are expanded, so a node is a call stack with a location. All threads that one place of the program starts are
// of one kind; main is kind 0. Memory that matters is cut into cells: those of static objects are shared by all
// threads, those of local objects belong to their thread. Variables of terms stand for cells and for registers of one
// thread; what a step does is said in terms of the values before it. Whatever is not tracked (elements of arrays that
// are indexed by variables, thread numbers) is a new, open variable wherever it is read: the automaton can do all that
// the program can, and more.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/limits.h"
#include "program/program.h"
#include "verdict/property.h"

namespace whittle::engines::crowd {

using program::kNone;
using term::Term;

struct ById {
  bool operator()(Term a, Term b) const { return a.id() < b.id(); }
};
using TermSet = std::set<Term, ById>;

/// Why the engine does not follow a program, as a sentence.
struct Refused {
  std::string why;
};

struct Variable {
  Term term;
  uint32_t kind = kNone;  ///< whose; none: shared
  std::string name;
  Term initial;          ///< at the start of the program, or of the thread that has it; none: anything
  bool counter = false;  ///< of threads, not of the program: counting.h
  bool identity = false; ///< says which thread is meant: comparing it with numbers says nothing
  program::FunctionId function = kNone;  ///< it is a register: of this function,
  program::RegisterId reg = kNone;
  uint64_t address = 0;                  ///< it is a cell; 0: it is not
  uint32_t edge = kNone;                 ///< it is a cell of a local object that this edge of the function makes
  program::ObjectId thread_local_ = kNone;  ///< it is a cell of the thread's own copy of this object,
  uint64_t offset = 0;                      ///< so far from its start
};

/// Something bad happens in a step from its node under this condition.
struct Danger {
  Term condition;
  std::string what;
  program::SourcePosition where;
};

/// Memory that all threads share is read or written in a step from its node, under this condition.
struct SharedAccess {
  Term condition, address;
  uint64_t size = 0;
  uint64_t object = 0;  ///< where it begins
  bool write = false, atomic = false;
  std::string name;  ///< of the object
  program::SourcePosition where;
};

struct Transition {
  uint32_t from = 0;
  uint32_t to = kNone;  ///< none: the thread is over
  std::vector<Term> conditions;
  std::unordered_map<Term, Term> changes;
  uint32_t birth = kNone;  ///< a thread of this kind starts,
  Term argument;           ///< with this argument
};

struct Node {
  uint32_t kind = 0;
  bool atomic = false;  ///< no other thread runs while a thread stands here
  program::SourcePosition where;
  std::vector<uint32_t> steps;
  std::vector<Danger> dangers;
  std::vector<SharedAccess> accesses;  ///< kept if data races are asked about
  TermSet live;  ///< variables of this thread that matter from here on
  std::vector<std::pair<program::FunctionId, program::LocationId>> stack;  ///< callers first, before their calls
};

struct ThreadKind {
  std::string name;
  uint32_t entry = 0;        ///< node
  Term parameter;            ///< variable, or none
  bool unique = false;       ///< there is at most one,
  Term number;               ///< which has this pthread_t, a variable that never changes; none: nobody waits for it
  Term over;                 ///< and then: whether it has come to its end; of one bit
  Term self;                 ///< of each thread, what the machine counts it by: no two threads have the same; none: not used
};

class Automaton {
 public:
  /// `sections`: what a thread does under locks is taken as one step where that makes no difference (sections.cpp).
  Automaton(const program::Program& program, const verdict::Specification& specification, Limits& limits,
            bool sections = true);
  ~Automaton();

  const std::vector<ThreadKind>& kinds() const { return kinds_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Transition>& steps() const { return steps_; }
  const std::vector<Variable>& variables() const { return variables_; }  ///< open ones are not among them
  const Variable* variable(Term term) const;
  static constexpr uint32_t kMostAtOnce = 0x7fff;  ///< threads that locks can tell apart, if there is a ThreadKind::self
  /// What a thread has compared with shared variables, like the number that it drew, counts as live until it changes.
  /// Returns false if that is nothing new.
  bool remember();
  /// Conditions, one for each lock whose sections became single steps: nobody has it.
  const std::vector<Term>& free_locks() const { return free_locks_; }
  bool blocks() const { return blocks_; }  ///< threads wait for each other by other means than memory

 private:
  friend class Builder;
  friend class Counting;
  friend class Sections;
  void find_unique();
  void find_live();
  void merge_sections(term::Store& terms);

  std::vector<ThreadKind> kinds_;
  std::vector<Node> nodes_;
  std::vector<Transition> steps_;
  std::vector<Variable> variables_;
  std::unordered_map<Term, size_t> numbers_;
  std::vector<Term> free_locks_;
  bool blocks_ = false, joins_ = false;
};

}  // namespace whittle::engines::crowd
