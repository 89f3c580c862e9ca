// Which static objects are part of states: those that something may write.
//
// An object that no statement can write needs no place in a state. What may be written is over-approximated: every
// address constant that occurs anywhere but as the address of a load (in a term of a store, an assignment, a call, or
// in the initial bytes of another object) may lead to a write of the object it points to. Sums are kept in a normal
// form that adds up constants, so `a[i - 100]` mentions an address far before `a`: when a constant is only a part of a
// term, every array near it counts. Should a write reach a frozen object all the same, the machine ends the path with
// Cut.
#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "exec/instruction.h"

namespace whittle::exec {
namespace {

using program::Kind;
namespace layout = program::layout;

constexpr uint64_t kNear = 1 << 16;  ///< how far a folded constant may be from the array it belongs to
constexpr uint64_t kScalar = 16;     ///< objects up to this size are hardly indexed

class WriteAnalysis {
 public:
  WriteAnalysis(const program::Program& program, const std::vector<StaticObject>& statics)
      : program_(program), statics_(statics), written_(statics.size(), false) {}

  std::vector<bool> run() {
    if (statics_.empty()) return written_;
    for (const program::Function& function : program_.functions)
      for (const program::Edge& edge : function.edges) statement(edge.statement);
    for (const program::Object& object : program_.objects) initial_bytes(object);
    return written_;
  }

 private:
  static bool only_read(const program::Statement& s, size_t operand) {
    switch (s.kind) {
      case Kind::Load:
      case Kind::Await: return operand == 0;
      case Kind::Copy:
      case Kind::Output: return operand == 1;
      case Kind::Assume:
      case Kind::Check: return true;
      default: return program::asks(s.kind);
    }
  }
  void statement(const program::Statement& s) {
    for (size_t i = 0; i < s.operands.size(); ++i) {
      if (only_read(s, i)) continue;
      if (s.operands[i].is_constant())
        exact(s.operands[i].value64());
      else
        folded(s.operands[i]);
    }
  }
  void folded(term::Term root) {
    if (!seen_.insert(root.id()).second) return;
    if (root.is_constant()) {
      uint64_t value = root.value64();
      if (value + kNear < statics_.front().address || value > statics_.back().address + statics_.back().size + kNear)
        return;
      exact(value);
      for (size_t i = first_after(value < kNear ? 0 : value - kNear); i < statics_.size(); ++i) {
        if (statics_[i].address > value + kNear) break;
        if (statics_[i].size > kScalar) written_[i] = true;
      }
      return;
    }
    for (unsigned i = 0; i < root.arity(); ++i) folded(root.kid(i));
  }
  /// The object the address points into or ends at, or both neighbours of the gap it lies in.
  void exact(uint64_t address) {
    if (address + layout::kStaticGap < statics_.front().address) return;
    if (address > statics_.back().address + statics_.back().size + layout::kStaticGap) return;
    size_t next = first_after(address);
    if (next > 0) written_[next - 1] = true;
    bool inside = next > 0 && address <= statics_[next - 1].address + statics_[next - 1].size;
    if (!inside && next < statics_.size()) written_[next] = true;
  }
  /// Index of the first object that begins after the address.
  size_t first_after(uint64_t address) const {
    return static_cast<size_t>(std::upper_bound(statics_.begin(), statics_.end(), address,
                                                [](uint64_t a, const StaticObject& o) { return a < o.address; }) -
                               statics_.begin());
  }
  void initial_bytes(const program::Object& object) {
    uint64_t lowest = statics_.front().address, highest = statics_.back().address + statics_.back().size;
    for (size_t i = 0; i + 4 <= object.initial.size(); ++i) {
      uint32_t word;
      std::memcpy(&word, &object.initial[i], 4);
      if (word >= lowest && word <= highest) exact(word);
    }
  }

  const program::Program& program_;
  const std::vector<StaticObject>& statics_;
  std::vector<bool> written_;
  std::unordered_set<uint32_t> seen_;  ///< composite terms (and constants within them) done
};

}  // namespace

void place_statics(CodeImpl& impl) {
  const program::Program& program = impl.program;
  for (program::ObjectId i = 0; i < program.objects.size(); ++i) {
    const program::Object& object = program.objects[i];
    impl.thread_local_offset.push_back(0);
    if (object.thread_local_) {
      uint64_t align = std::max<uint64_t>(object.align, 64);
      uint64_t offset = (impl.thread_local_bytes + align - 1) / align * align;
      impl.thread_local_offset.back() = offset;
      impl.thread_local_bytes = offset + place_size(object.size, true);
    } else {
      impl.statics.push_back({object.address, object.size, 0, object.constant, object.constant, i});
    }
  }
  impl.thread_local_bytes = (impl.thread_local_bytes + 63) / 64 * 64;
  std::sort(impl.statics.begin(), impl.statics.end(),
            [](const StaticObject& a, const StaticObject& b) { return a.address < b.address; });
  std::vector<bool> written = WriteAnalysis(program, impl.statics).run();
  enum { kSmall, kLarge, kFrozen };
  for (int turn : {kSmall, kLarge, kFrozen}) {
    for (uint32_t i = 0; i < impl.statics.size(); ++i) {
      StaticObject& object = impl.statics[i];
      object.frozen = object.constant || !written[i];
      if ((object.frozen ? kFrozen : object.size < kLargeObject ? kSmall : kLarge) != turn) continue;
      object.host = static_cast<uint32_t>(impl.image.size());
      const std::vector<uint8_t>& bytes = program.objects[object.id].initial;
      impl.image.insert(impl.image.end(), bytes.begin(), bytes.end());
      if (turn == kLarge) impl.large.push_back(i);
    }
    if (turn == kSmall) impl.fixed_bytes = static_cast<uint32_t>(impl.image.size());
    if (turn == kLarge) impl.saved_bytes = static_cast<uint32_t>(impl.image.size());
  }
  if (impl.statics.empty()) return;
  uint64_t span = impl.statics.back().address + impl.statics.back().size + 1 - layout::kStaticBase;
  impl.granules.assign((span + 15) / 16, 0);
  for (uint32_t i = 0; i < impl.statics.size(); ++i) {
    uint64_t first = impl.statics[i].address - layout::kStaticBase;
    for (uint64_t g = first / 16; g <= (first + impl.statics[i].size) / 16; ++g)
      if (impl.granules[g] == 0) impl.granules[g] = i + 1;
  }
}

}  // namespace whittle::exec
