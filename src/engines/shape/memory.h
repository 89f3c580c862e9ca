// Memory as a graph: objects are nodes, the addresses that their bytes hold are edges. A segment is a node that stands
// for a list of any length.
//
// Every value is a term over symbols. The address of an object is a symbol of its own, its *base*; an address inside it is
// `base + constant`. Static objects have the addresses that the program gives them. Any other symbol stands for a value
// that is not known: an input, bytes that were never written, the address of an object that has ended. Bases of two
// nodes are different addresses; nothing else is known about symbols but Memory::facts.
//
// A segment has two bases: of its first and of its last object. All its objects have the same size and the same
// content, except for the link to the next one (and to the one before, if prev_at is there). A link leads to the byte
// `head` of the next object, as lists of the Linux kernel do. If a segment is empty, a pointer to the head of its first
// object is what its last link would be, `next`; a pointer to the head of its last object is `prev`. So an empty
// segment goes away by putting `next - head` for one base and `prev - head` for the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "program/program.h"
#include "term/term.h"

namespace whittle::engines::shape {

using term::Term;

/// The engine has no answer.
struct GiveUp {
  std::string why;
  bool placed = false;     ///< `why` says where
  bool relations = false;  ///< with Memory::relations it may have one
};

/// The question cannot be answered as long as this base belongs to a segment, this cell has one of several values, or
/// this condition is open: the memory is to be split there.
struct Split {
  uint32_t base = 0;
  std::optional<int64_t> cell = {};
  Term condition = {};
};

/// Bytes of an object that have one value.
struct Cell {
  unsigned bytes = 0;
  Term value;  ///< none: one of `choices`, in a segment another one in each object
  std::vector<Term> choices = {};  ///< constants in order of their numbers
  std::vector<uint32_t> owned = {};  ///< or the only address of an object of one of these families, in order
  std::optional<int64_t> up = {};  ///< in the form of a family only: an address in the object that owns this one

  /// Without a value: is it one of some? No: any value.
  bool limited() const { return !choices.empty() || !owned.empty(); }

  static constexpr size_t kMostChoices = 4;
};

/// Bytes of a block: an object whose size is a term, or whose bytes are read and written at offsets that are terms.
struct Mark {
  Term at;
  unsigned bytes = 0;
  Term value;
};

/// A list of at least `least` objects.
struct Segment {
  unsigned least = 0;
  int64_t head = 0;                ///< links lead to this byte
  int64_t next_at = 0;             ///< where the link to the next object is
  std::vector<int64_t> or_at;      ///< in some objects it is here instead, as on a way down a tree. Then links have cells, too:
                                   ///< what the place holds in objects whose link is another one
  std::optional<int64_t> prev_at;  ///< where the link to the object before is
  Term last;                       ///< base of the last object
  Term next;                       ///< the link in the last object
  Term prev;                       ///< where a link to the object before the first one leads; none: not known
  /// If objects can have parts of their own (Node::inside): in the cells of the objects and their parts these symbols stand for
  /// the address of the object itself, and for what its link holds.
  Term self, then;

  static constexpr unsigned kMost = 2;  ///< `least` is not counted further
  bool same_form(const Segment& other) const {
    return head == other.head && prev_at == other.prev_at && links() == other.links();
  }
  /// Where the link to the next object can be, in order.
  std::vector<int64_t> links() const {
    std::vector<int64_t> all = or_at;
    all.insert(std::ranges::upper_bound(all, next_at), next_at);
    return all;
  }
};

struct Node {
  enum class Kind : uint8_t { Heap, Stack, Static };
  enum class Rest : uint8_t { Nothing, Zero, Initial };  ///< what bytes are that no cell has

  Kind kind = Kind::Heap;
  Rest rest = Rest::Nothing;
  bool constant = false;
  uint64_t size = 0;
  uint64_t align = 1;
  uint32_t frame = 0;                        ///< Stack: the depth of its frame
  uint32_t order = 0;                        ///< Stack: how many the frame had before
  uint32_t site = 0;                         ///< Heap: which allocation made it, one of them if it stands for several
  program::ObjectId object = program::kNone; ///< Static
  std::map<int64_t, Cell> cells;             ///< by offset; they do not overlap
  Term length;                               ///< of a block: its size, which `size` repeats if it is constant (else 0). It has no cells
  std::vector<Mark> marks;                   ///< what is known about a block's bytes; they do not overlap. Oldest first
  std::optional<Segment> segment;            ///< links have no cells, unless Segment::or_at says that they vary
  std::optional<uint32_t> inside;            ///< each object of the segment with this base has a node like this one: lists of lists
};

struct Frame {
  program::FunctionId function = 0;
  program::LocationId at = 0;              ///< below the top: where it goes on after the call
  program::RegisterId result = program::kNone;  ///< of its caller, gets what it returns
  std::vector<Term> registers;             ///< none: dead or without a value
};

/// An address inside an object: a node and an offset from it.
struct Pointer {
  Term base;  ///< a symbol; none: static, and `object` tells which
  program::ObjectId object = program::kNone;
  int64_t offset = 0;
  Term index = {};  ///< the offset, if it is no constant; then `offset` is 0

  /// The offset as a term.
  Term at(term::Store& store, unsigned width) const {
    return index ? index : store.constant(width, static_cast<u128>(static_cast<uint64_t>(offset)));
  }
};

class Families;

class Memory {
 public:
  explicit Memory(const program::Program& program) : program_(&program) {}

  std::vector<Frame> stack;
  std::map<uint32_t, Node> nodes;                ///< by the number of their base
  std::map<program::ObjectId, Node> statics;     ///< those that were written or read
  std::vector<Term> facts;                       ///< conditions that hold of symbols

  Families* families = nullptr;                  ///< of objects that cells own; none: cells own nothing
  bool nested = false;                           ///< objects of lists can have parts of their own
  bool by_site = false;                          ///< only objects of one allocation become a list
  bool relations = false;                        ///< numbers that change in loops are compared with others (relations.h)
  std::set<uint32_t> made;                       ///< symbols that stand for numbers which differed
  std::map<uint32_t, size_t> rounds;             ///< symbols that say how often a loop was gone around, with the loop

  const program::Program& program() const { return *program_; }
  term::Store& store() const { return program_->terms(); }
  Term fresh(unsigned width, const char* name) const { return store().variable(width, name); }

  using Holds = std::function<bool(Term condition)>;

  /// A symbol plus a constant; nothing if the term has another form.
  static std::optional<std::pair<Term, int64_t>> sum(Term t);
  /// The address of a node or static object with an offset from its start, in bounds or not. Splits segments.
  std::optional<Pointer> pointer(Term address);
  /// The base in an address that is no sum, and its offset from there.
  std::optional<std::pair<Term, Term>> indexed(Term address) const;
  /// Makes it a block, so that its bytes can be read and written at any offset. Forgets what blocks cannot hold.
  void make_block(Node& node) const;
  /// The segment whose last object has this base: its own base, which is that of its first object.
  std::optional<uint32_t> segment_ending(uint32_t base) const;
  Node* segment_with_last(uint32_t base);
  bool is_base(uint32_t variable) { return nodes.contains(variable) || segment_with_last(variable) != nullptr; }
  Node& node(const Pointer& pointer);
  Node& static_node(program::ObjectId object);

  Term read(Node& node, int64_t offset, unsigned bytes);
  void write(Node& node, int64_t offset, unsigned bytes, Term value);
  /// Splits cells that own objects: so that these are not forgotten.
  void disown(const Node& node) const;
  /// The cell that has these bytes, if there is exactly one.
  static const Cell* cell(const Node& node, int64_t offset, unsigned bytes);
  /// The value that these bytes have, without changing anything; none if it is not the value of one cell.
  Term peek(const Node& node, int64_t offset, unsigned bytes) const;

  /// Puts a term for a symbol, everywhere.
  void substitute(Term symbol, Term by);
  /// Calls it with every term: registers, cells, links, facts if asked.
  void for_each_term(const std::function<void(Term&)>& visit, bool with_facts);

  /// The nodes that each object of the segment has of its own; those of lists among them, too.
  std::vector<uint32_t> parts(uint32_t segment) const;
  /// What the segment with this base (of its first or its last object) can be: empty, or one object and the rest.
  std::vector<Memory> split(uint32_t base) const;
  /// The memory with each of the values that the cell can have; an object that it owns becomes a node.
  std::vector<Memory> split(const Split& where) const;

  /// Decides equations of addresses inside the term. Splits segments.
  Term settle(Term t);

  /// Objects of the heap that no register, no object of a frame and no static object leads to by addresses inside objects.
  /// `holds` decides whether an offset is inside a block.
  std::vector<uint32_t> lost(const Holds& holds) const { return reach(holds).first; }
  /// Takes away what nothing mentions any more.
  void collect();

  std::string text() const;  ///< for people who look for errors

 private:
  /// What is lost, and what is mentioned nowhere.
  std::pair<std::vector<uint32_t>, std::vector<uint32_t>> reach(const Holds& holds) const;
  /// Gives an object of the segment `of`, whose base was this one, its parts. Its address and what its link holds are put for the segment's symbols.
  void give_parts(uint32_t segment, Node& object, Term base, Term link, const Segment& of);
  std::optional<Pointer> static_pointer(Term address) const;
  std::optional<bool> equal(Term a, Term b);
  std::optional<bool> apart(const std::pair<Term, int64_t>& a, const std::pair<Term, int64_t>& b);
  Term rest_value(const Node& node, int64_t offset, unsigned bytes) const;
  [[noreturn]] void split_cell(const Node& node, int64_t offset) const;

  const program::Program* program_;
};

inline bool has(const std::vector<Term>& terms, Term t) { return std::find(terms.begin(), terms.end(), t) != terms.end(); }

/// A sum with a constant, which may be negative.
Term plus(term::Store& store, Term t, int64_t by);

/// Bytes of one value: all of it, or a part.
Term part(term::Store& store, Term value, int64_t from, unsigned bytes);

}  // namespace whittle::engines::shape
