// What a pointer may point to: objects with a condition and an offset each.
//
//   for (const Place& place : pointers.places(p)) ...   // where place.condition holds, p is the address of the object plus
//                                                       // place.offset
//
// The answer comes from the structure of the term, so it may miss an object that is only reached by arithmetic across
// objects. Whoever uses it demands that one of the places holds, and gets that proved.
#pragma once

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engines/merge/memory.h"

namespace whittle::engines::merge {

struct Place {
  ObjectNumber object = 0;
  Term condition;
  Term offset;  ///< as wide as the pointer
};

class Pointers {
 public:
  Pointers(term::Store& store, const Objects& objects) : store_(store), objects_(objects) {}

  std::vector<Place> places(Term pointer);
  /// Constants that the term may be, as far as it is made of choices between constants; nothing if it is made of more.
  std::optional<std::vector<uint64_t>> constants(Term t) const;
  void restart() { bases_.clear(), rebased_.clear(); }

 private:
  using Bases = std::vector<ObjectNumber>;
  struct Rebased {
    Term condition, offset;  ///< none: not this object
  };
  const Bases& bases(Term t);
  Rebased rebase(Term t, ObjectNumber n);

  term::Store& store_;
  const Objects& objects_;
  std::unordered_map<Term, Bases> bases_;
  std::map<std::pair<uint32_t, ObjectNumber>, Rebased> rebased_;  ///< by id of the term
};

}  // namespace whittle::engines::merge
