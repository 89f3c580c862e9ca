// Values and places of a run as a C programmer writes them.
//
//   Naming naming(machine);
//   naming.made(address, true, kNoType);       // malloc
//   naming.pointed(address, type_of_p);        // struct node *p = ...: so it is a node
//   naming.value(bits, 64, type_of_p)          // "node #1"
//   naming.place(address + 8, 8).text          // "node #1.next"
//
// Heap objects are numbered in the order in which they are made. What they are is learned from the pointers to them.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/int128.h"
#include "exec/view.h"
#include "program/c_text.h"
#include "program/program.h"
#include "verdict/detailed_trace.h"

namespace whittle::exec {

using program::PlaceName;

/// A struct of the C library's own, whose members have names that programs may not use: a mutex, a jmp_buf, a FILE.
bool is_opaque(const program::Type& type);

/// A pointer of the source that an address was computed from.
struct Through {
  std::string name;
  program::TypeId type = program::kNoType;  ///< a pointer
  uint64_t value = 0;
  bool object = false;  ///< it is an object of this type, at this address
};

/// What a store says of the place, beside its bytes.
struct Stored {
  program::Kinds kinds = program::kAnyKind;  ///< of types that it can be meant as
  std::optional<u128> bits = {};             ///< of a bit-field: those that it sets
};

class Naming {
 public:
  explicit Naming(const View& machine) : machine_(machine), program_(machine.code().program()) {}

  program::TypeId type_of(const ObjectInfo& object) const;
  /// Of a float: no infinity, and not the bits of a small integer.
  bool is_usual(u128 bits, program::TypeId number) const;

  /// There is a new object at the address. `type`, if known, is that of a pointer to it.
  void made(uint64_t address, bool heap, program::TypeId type);
  void freed(uint64_t address, std::string where);
  /// A pointer of this type points there: the object is of the type pointed to, if it can be and nothing else is known.
  void pointed(uint64_t address, program::TypeId type);
  /// Bytes of one object were copied to the begin of another, as realloc does: it is of the same type, if nothing else is known.
  void copied(uint64_t to, uint64_t from);
  bool knows(uint64_t address) const { return known_.contains(address); }  ///< an object that was made there

  /// A function builds the struct that it returns there, in a local variable of its own; until end_result.
  void begin_result(uint64_t address, std::string name, program::TypeId type) { results_[address].push_back({std::move(name), type}); }
  void end_result(uint64_t address);

  /// "-3", "1.5", "'x'", "RED", "&buf[8]", "node #1", "null"; without a type an integer, read as signed, or an address.
  std::string value(u128 value, unsigned width, program::TypeId type) const;
  /// What is in memory there: "{x = 3, y = -0.5}", "\"pear\"", "{1, 2, 3}"; "?" where there is no value yet.
  std::string contents(uint64_t address, program::TypeId type) const;
  /// The same of bytes that are not in memory: what a function returned.
  std::string contents(std::span<const uint8_t> bytes, program::TypeId type) const;
  /// What a write of these bytes has changed, member by member where it takes several; `before`: the bytes before it. The
  /// names go through the pointer, if they can.
  std::vector<verdict::Change> changes(const Through& through, uint64_t address, std::span<const uint8_t> before, const Stored& stored = {}) const;
  /// "x", "a[3].next", "node #1.next", "heap object #2 + 8".
  PlaceName place(uint64_t address, uint64_t size, program::Kinds wanted = program::kAnyKind) const;
  /// "p->next", "p[3]", "*p"; nothing if the place is not where the pointer points, or in the array there.
  std::optional<PlaceName> place(const Through& through, uint64_t address, uint64_t size, program::Kinds wanted = program::kAnyKind) const;
  /// "buf", "node #1", "heap object #2".
  std::string name(const ObjectInfo& object) const;
  /// The same for everyone: static variables of the same name are told apart by their function or file.
  std::string place_name(const ObjectInfo& object) const;
  bool is_errno(const ObjectInfo& object) const;  ///< the C library's
  /// Where the object at the address was freed; empty if it was not, or no one knows.
  std::string freed_at(uint64_t address) const;

 private:
  struct Known {
    unsigned number = 0;  ///< of heap objects, from 1 on
    program::TypeId type = program::kNoType;
    bool guessed = false;  ///< bytes that were seen as characters: may become something else later
    std::string freed_at;
  };
  struct Result {
    std::string name;
    program::TypeId type = program::kNoType;
  };
  static constexpr std::string_view kOpaque = "{...}";  ///< a struct of the C library's own: a mutex, a jmp_buf
  const program::Type& type(program::TypeId id) const { return program_.types[id]; }
  /// The variable that an object is the result of, for the innermost call that builds it.
  const Result* result(const ObjectInfo& object) const;
  bool read(uint64_t address, std::span<uint8_t> bytes) const;
  bool initialised(uint64_t address, uint64_t size) const;
  /// Several elements of an array that a pointer points into, or that a heap object is.
  struct Elements {
    std::string array;
    program::TypeId type = program::kNoType;
    uint64_t first = 0;
  };
  std::optional<Elements> elements(const Through& through, uint64_t address, uint64_t size) const;
  std::optional<verdict::Change> several(const Through& through, uint64_t address, uint64_t size) const;
  PlaceName exact(const program::Innermost& found, uint64_t size) const;
  std::string pointer(uint64_t value, program::TypeId element) const;
  /// The largest thing that begins there: "pool[1]", not "pool[1].value"; empty if nothing does.
  std::string outermost(const ObjectInfo& object, uint64_t offset) const;
  /// Is it an array of these, in any number of dimensions?
  bool is_array_of(program::TypeId id, program::TypeId element) const;
  bool points_to(uint64_t address, program::TypeId id) const;
  /// Do the bytes there make sense as this member of a union? 0: no, 2: a pointer to something does, 3: to something of its type.
  int sense(uint64_t address, const program::Type::Field& field) const;
  bool begins_array(const ObjectInfo& object, uint64_t address, uint64_t element) const;
  std::string text_at(uint64_t address, uint64_t count, const program::Type& character) const;
  bool begins_with_text(uint64_t address) const;
  std::vector<verdict::Change> all_changes(const Through& through, uint64_t address, std::span<const uint8_t> before, const Stored& stored) const;
  std::string array(uint64_t address, program::TypeId element, uint64_t count) const;
  std::string record(uint64_t address, const program::Type& type, uint64_t offset, uint64_t size) const;
  std::string bit_field(uint64_t record, const program::Type::Field& field) const;
  program::Innermost innermost(const Through& through, uint64_t address, uint64_t size, program::Kinds wanted) const;
  program::TypeId pointee(const Through& through) const { return through.object ? through.type : type(through.type).element; }
  /// "p->next", "x.next"; "" is the whole.
  std::string part_of(const Through& through, const std::string& inside) const;

  const View& machine_;
  const program::Program& program_;
  std::map<uint64_t, Known> known_;  ///< by the begin of the object
  std::map<uint64_t, std::vector<Result>> results_;  ///< by address, innermost call last
  unsigned heap_objects_ = 0;
  mutable std::span<const uint8_t> aside_;  ///< bytes that stand at address kAside, where no object is
};

}  // namespace whittle::exec
