// The objects of a round of unwinding, and what a state holds of them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engines/merge/content.h"
#include "program/program.h"

namespace whittle::engines::merge {

using ObjectNumber = uint32_t;

/// What is the same for an object in all states. Addresses are never given twice.
struct Object {
  uint64_t address = 0;
  uint64_t capacity = 0;  ///< bytes that there may be at most
  Term size;              ///< bytes that there are, as wide as pointers
  bool heap = false;
  bool constant = false;
  bool fixed = false;     ///< there from the start: static or thread-local
  uint64_t site = 0;      ///< the statement that makes it; of a fixed one: itself
};

class Objects {
 public:
  Objects(const program::Program& program, const std::vector<uint64_t>& thread_local_addresses);

  const Object& operator[](ObjectNumber n) const { return objects_[n]; }
  size_t count() const { return objects_.size(); }
  /// The object that a constant in an address means: the one with the bytes, or the one whose gap it is in.
  std::optional<ObjectNumber> near(uint64_t address) const;
  /// Nothing if there is no room. `key` names the place in the program where it is made: the same in the next round. What is
  /// made with the same key on ways that exclude each other is the same object, if `shared` and it is equal.
  std::optional<ObjectNumber> make(Object object, uint64_t key, bool shared);
  const Content& initial(ObjectNumber n);  ///< of a fixed one
  ObjectNumber thread_local_object(program::ObjectId id) const { return thread_locals_.at(id); }
  /// Forgets all that are not fixed; their addresses are given again to the same keys.
  void restart();

 private:
  struct Area {
    uint64_t next, end;
  };

  const program::Program& program_;
  std::vector<Object> objects_;
  std::vector<program::ObjectId> sources_;  ///< of the fixed ones
  std::unordered_map<program::ObjectId, ObjectNumber> thread_locals_;
  std::map<uint64_t, ObjectNumber> by_address_;
  std::unordered_map<ObjectNumber, Content> initial_;
  struct Placed {
    uint64_t address, capacity;
    bool heap;
  };
  std::unordered_map<uint64_t, Placed> placed_;        ///< by key
  std::unordered_map<uint64_t, ObjectNumber> made_;    ///< by key, in this round
  Area areas_[2];
};

/// What one state holds: contents, and whether objects are still there. Copies share everything.
class Memory {
 public:
  struct Held {
    ObjectNumber object = 0;
    Term alive;
    std::shared_ptr<Content> content;
  };
  Memory() : held_(std::make_shared<std::vector<Held>>()) {}

  const std::vector<Held>& all() const { return *held_; }
  const Held* find(ObjectNumber n) const;  ///< null: it ended, or it is fixed and was never written
  void add(Held held);
  void end(ObjectNumber n);
  void set_alive(ObjectNumber n, Term alive);
  Content& writable(ObjectNumber n, Objects& objects, term::Store& store);
  bool same(const Memory& other) const { return held_ == other.held_; }

 private:
  std::vector<Held>& own();
  std::shared_ptr<std::vector<Held>> held_;  ///< by number
};

}  // namespace whittle::engines::merge
