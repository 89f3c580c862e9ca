// Inline assembly: the instructions that C programs write again and again (fences, atomic operations, reads of counters,
// bit scans), in AT&T syntax. Anything else is not followed, by name.
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/InlineAsm.h>

#include <array>
#include <optional>

#include "frontend/function_lowering.h"

namespace whittle::frontend {
namespace {

using Constraints = llvm::InlineAsm::ConstraintInfoVector;

/// Statements of the template. Other sections hold tables for the linker; labels are for jumps, which are refused.
std::vector<std::string> instructions_of(llvm::StringRef text) {
  std::vector<std::string> result;
  bool elsewhere = false;
  llvm::SmallVector<llvm::StringRef, 8> lines;
  text.split(lines, '\n');
  for (llvm::StringRef line : lines) {
    line = line.split('#').first;  // a comment
    llvm::SmallVector<llvm::StringRef, 4> parts;
    line.split(parts, ';');
    for (llvm::StringRef part : parts) {
      part = part.trim();
      while (!part.empty() && part.split(' ').first.ends_with(":") ) part = part.split(':').second.trim();
      if (part.starts_with(".section") || part.starts_with(".pushsection")) elsewhere = true;
      const bool back = part.starts_with(".previous") || part.starts_with(".popsection");
      if (!part.empty() && !elsewhere && !back) result.push_back(part.lower());
      if (back) elsewhere = false;
    }
  }
  return result;
}

bool is_one_of(llvm::StringRef word, std::initializer_list<llvm::StringRef> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

/// One inline assembly: its operands, the flags, and what its instructions have done to them so far.
class FunctionLowering::Assembly {
 public:
  Assembly(FunctionLowering& lowering, const llvm::CallBase& call)
      : f_(lowering), call_(call), constraints_(llvm::cast<llvm::InlineAsm>(call.getCalledOperand())->ParseConstraints()) {}

  void run() {
    auto* assembly = llvm::cast<llvm::InlineAsm>(call_.getCalledOperand());
    text_ = llvm::StringRef(assembly->getAsmString()).trim(" \t\n;").str();
    if (assembly->getDialect() != llvm::InlineAsm::AD_ATT) return f_.unsupported("inline assembly: " + text_);
    std::vector<std::string> instructions = instructions_of(text_);
    if (instructions.empty() && call_.getType()->isVoidTy()) return;
    read_operands();
    for (size_t i = 0; i < instructions.size() && f_.alive(); ++i) {
      std::string& instruction = instructions[i];
      // A prefix may be a statement of its own.
      while (is_one_of(instruction, {"lock", "rep", "repz", "repe", "cs", "ds"}) && i + 1 < instructions.size())
        instructions[i + 1] = instruction + " " + instructions[i + 1], instruction = "nop";
      if (!execute(instruction)) return f_.unsupported("inline assembly: " + text_);
    }
    if (!f_.alive()) return;
    if (!take_flags()) return f_.unsupported("inline assembly: " + text_);
    hand_back();
  }

 private:
  struct Operand {
    const llvm::InlineAsm::ConstraintInfo* constraint = nullptr;
    bool memory = false;
    Term address, value;  ///< of memory; of a register, default-made while it holds nothing
    unsigned width = 0;
    size_t same_as = SIZE_MAX;  ///< the output that this input shares a register with
  };
  /// What an instruction names.
  struct Place {
    size_t operand = SIZE_MAX;
    std::optional<int64_t> constant;
    unsigned width = 0;  ///< that the text asks for: ${0:b}; 0: none
  };

  void read_operands() {
    unsigned argument = 0, result = 0;
    const Layout* results = f_.layout(call_.getType());
    for (const auto& constraint : constraints_) {
      if (constraint.Type == llvm::InlineAsm::isClobber || constraint.Type == llvm::InlineAsm::isLabel) continue;
      Operand operand;
      operand.constraint = &constraint;
      const bool output = constraint.Type == llvm::InlineAsm::isOutput;
      if (constraint.isIndirect) {
        operand.memory = true;
        operand.address = f_.scalar(call_.getArgOperand(argument));
        llvm::Type* type = call_.getParamElementType(argument++);
        operand.width = type ? scalar_width(type, f_.info_.data()) : 0;
      } else if (output) {
        operand.width = results && result < results->size() ? (*results)[result].width : 0;
        ++result;
      } else {
        operand.value = f_.scalar(call_.getArgOperand(argument++));
        operand.width = operand.value.width();
        if (!constraint.Codes.empty() && llvm::isDigit(constraint.Codes[0][0])) {
          operand.same_as = static_cast<size_t>(std::stoul(constraint.Codes[0]));
          Operand& shared = operands_[operand.same_as];
          if (!shared.memory) shared.value = f_.terms().resize_unsigned(operand.value, shared.width);
        }
      }
      operands_.push_back(std::move(operand));
    }
  }

  /// Outputs that are flags: "=@ccz".
  bool take_flags() {
    for (size_t i = 0; i < operands_.size(); ++i)
      for (llvm::StringRef code : operands_[i].constraint->Codes)
        if (code.consume_front("{@cc") && !set_flag(code.drop_back(), {i, {}, 0})) return false;
    return true;
  }

  void hand_back() {
    if (call_.getType()->isVoidTy()) return;
    const Layout* parts = f_.layout(call_.getType());
    if (!parts) return;
    Leaves leaves;
    size_t at = 0;
    for (const Operand& operand : operands_) {
      if (operand.memory || operand.constraint->Type != llvm::InlineAsm::isOutput) continue;
      const unsigned width = (*parts)[at++].width;
      Term value = operand.value ? f_.terms().resize_unsigned(operand.value, width) : f_.nondet(width, "inline assembly", false);
      RegisterId kept = f_.fresh(width);
      f_.emit(f_.make(Kind::Assign, {kept}, {value}));
      leaves.push_back(f_.var(kept));
    }
    f_.set_stable(call_, std::move(leaves));
  }

  std::optional<Place> parse(llvm::StringRef text) const {
    text = text.trim();
    Place place;
    if (text.consume_front("$$")) {
      int64_t value = 0;
      if (text.getAsInteger(0, value)) return std::nullopt;
      place.constant = value;
      return place;
    }
    if (!text.consume_front("$")) return std::nullopt;
    if (text.consume_front("{")) {
      if (!text.consume_back("}")) return std::nullopt;
      auto [number, modifier] = text.split(':');
      place.width = modifier == "b" ? 8 : modifier == "w" ? 16 : modifier == "k" ? 32 : modifier == "q" ? 64 : 0;
      if (place.width == 0) return std::nullopt;
      text = number;
    }
    size_t number = 0;
    if (text.getAsInteger(10, number) || number >= operands_.size()) return std::nullopt;
    place.operand = operands_[number].same_as != SIZE_MAX ? operands_[number].same_as : number;
    return place;
  }

  bool is_memory(const Place& place) const { return place.operand != SIZE_MAX && operands_[place.operand].memory; }
  unsigned width_of(const Place& place) const {
    if (place.width != 0) return place.width;
    return place.operand == SIZE_MAX ? 0 : operands_[place.operand].width;
  }

  Term read(const Place& place, unsigned width) {
    term::Store& t = f_.terms();
    if (place.constant) return t.constant(width, static_cast<u128>(static_cast<__int128>(*place.constant)) & mask128(width));
    Operand& operand = operands_[place.operand];
    if (operand.memory) return load(operand.address, width);
    if (!operand.value) operand.value = f_.nondet(operand.width, "inline assembly", false);
    return t.resize_unsigned(operand.value, width);
  }
  Term load(Term address, unsigned width) {
    RegisterId target = f_.fresh(width);
    f_.load_into(target, address, width, 1, false);
    return f_.var(target);
  }
  void write(const Place& place, Term value) {
    Operand& operand = operands_[place.operand];
    if (operand.memory) return f_.store_to(operand.address, value, 1, false);
    term::Store& t = f_.terms();
    // A write of 8 or 16 bits leaves the rest of the register as it is, one of 32 bits clears it.
    if (value.width() >= operand.width || value.width() >= 32)
      operand.value = t.resize_unsigned(value, operand.width);
    else
      operand.value = t.concat(t.extract(read({place.operand, {}, 0}, operand.width), value.width(), operand.width - value.width()), value);
  }
  Place accumulator() const {
    for (size_t i = 0; i < operands_.size(); ++i)
      for (const std::string& code : operands_[i].constraint->Codes)
        if (code == "{ax}" || code == "a") return {operands_[i].same_as != SIZE_MAX ? operands_[i].same_as : i, {}, 0};
    return {};
  }
  /// Every register result is something that the processor says.
  bool any_results() {
    for (Operand& operand : operands_)
      if (!operand.memory && operand.constraint->Type == llvm::InlineAsm::isOutput)
        operand.value = f_.nondet(operand.width, "inline assembly: " + text_, false);
    return true;
  }

  bool execute(llvm::StringRef instruction) {
    bool lock = false;
    for (bool prefix = true; prefix;) {
      auto [first, rest] = instruction.split(' ');
      prefix = first == "lock" || (is_one_of(first, {"rep", "repz"}) && is_one_of(rest.trim(), {"nop"})) ||
               (first == "rep" && rest.trim().starts_with("bsf"));
      if (!prefix) break;
      lock |= first == "lock";
      instruction = rest.trim();
    }
    auto [name, arguments] = split(instruction);
    if (is_one_of(name, {"nop", "pause"})) return true;
    if (is_one_of(name, {"mfence", "lfence", "sfence"})) return f_.emit(f_.make(Kind::Fence)), true;
    if (is_one_of(name, {"rdtsc", "rdtscp", "cpuid", "rdpmc", "xgetbv"}) && arguments.empty()) return any_results();
    // An atomic operation that changes nothing, on the stack: a fence.
    if (lock && arguments.size() == 2 && (arguments[1].contains("%esp") || arguments[1].contains("%rsp")) && arguments[0] == "$$0")
      return f_.emit(f_.make(Kind::Fence)), true;
    std::vector<Place> places;
    for (llvm::StringRef argument : arguments) {
      std::optional<Place> place = parse(argument);
      if (!place) return false;
      places.push_back(*place);
    }
    lock |= name.starts_with("xchg") && places.size() == 2 && (is_memory(places[0]) || is_memory(places[1]));
    if (lock) f_.emit(f_.make(Kind::AtomicBegin));
    const bool known = perform(name, places);
    if (lock && f_.alive()) f_.emit(f_.make(Kind::AtomicEnd));
    return known;
  }

  static std::pair<llvm::StringRef, std::vector<llvm::StringRef>> split(llvm::StringRef instruction) {
    size_t blank = instruction.find_first_of(" \t");
    llvm::StringRef name = instruction.substr(0, blank), rest = blank == llvm::StringRef::npos ? "" : instruction.substr(blank).trim();
    std::vector<llvm::StringRef> arguments;
    for (size_t begin = 0, depth = 0, i = 0; i <= rest.size() && !rest.empty(); ++i) {
      if (i < rest.size() && rest[i] == '(') ++depth;
      if (i < rest.size() && rest[i] == ')') --depth;
      if (i == rest.size() || (rest[i] == ',' && depth == 0)) {
        arguments.push_back(rest.substr(begin, i - begin).trim());
        begin = i + 1;
      }
    }
    return {name, arguments};
  }

  /// The name without the letter of its width, and that width.
  static unsigned width_suffix(llvm::StringRef& name, std::initializer_list<llvm::StringRef> names) {
    if (is_one_of(name, names)) return 0;
    static constexpr std::array<std::pair<char, unsigned>, 4> kLetters = {{{'b', 8}, {'w', 16}, {'l', 32}, {'q', 64}}};
    for (auto [letter, width] : kLetters)
      if (name.ends_with(llvm::StringRef(&letter, 1)) && is_one_of(name.drop_back(), names)) return name = name.drop_back(), width;
    name = "";
    return 0;
  }

  bool perform(llvm::StringRef name, const std::vector<Place>& places) {
    if (places.size() == 1 && name.starts_with("set")) return set_flag(name.drop_front(3), places[0]);
    unsigned width = width_suffix(name, {"mov", "xchg", "xadd", "cmpxchg", "add", "sub", "and", "or", "xor", "inc", "dec", "neg", "not", "bswap",
                                         "cmp", "test", "sbb", "bt", "bts", "btr", "btc", "bsf", "bsr", "popcnt"});
    if (name.empty() || places.empty() || places.size() > 2) return false;
    const Place& to = places.back();
    if (width == 0) width = width_of(to);
    if (width == 0 && places.size() == 2) width = width_of(places[0]);
    if (width == 0 || to.operand == SIZE_MAX) return false;
    return places.size() == 1 ? one(name, to, width) : two(name, places[0], to, width);
  }

  bool one(llvm::StringRef name, const Place& to, unsigned width) {
    term::Store& t = f_.terms();
    Term old = read(to, width);
    Term value;
    if (name == "inc") value = t.add(old, t.constant(width, 1));
    if (name == "dec") value = t.sub(old, t.constant(width, 1));
    if (name == "neg") value = t.neg(old);
    if (name == "not") value = t.bnot(old);
    if (name == "bswap") value = f_.reverse(old, 8);
    if (!value) return false;
    write(to, value);
    if (name == "inc" || name == "dec" || name == "neg") set_result(value), carry_ = Term();
    return true;
  }

  bool two(llvm::StringRef name, const Place& from, const Place& to, unsigned width) {
    term::Store& t = f_.terms();
    if (name.starts_with("bt")) return bit_test(name, from, to, width);
    if (name == "sbb") {
      if (from.operand != to.operand || !carry_) return false;
      Term value = t.ite(carry_, t.constant(width, mask128(width)), t.constant(width, 0));
      return write(to, value), set_result(value), true;
    }
    Term source = read(from, width);
    if (name == "mov") return write(to, source), true;
    if (name == "bsf" || name == "bsr") {
      zero_ = t.eq(source, t.constant(width, 0)), sign_ = Term(), carry_ = Term();
      Term index = name == "bsf" ? f_.count_leading_zeros(f_.reverse(source, 1))
                                 : t.sub(t.constant(width, width - 1), f_.count_leading_zeros(source));
      return write(to, t.ite(zero_, f_.nondet(width, "inline assembly", false), index)), true;
    }
    if (name == "popcnt") {
      zero_ = t.eq(source, t.constant(width, 0)), sign_ = t.falsity(), carry_ = t.falsity();
      return write(to, f_.count_ones(source)), true;
    }
    Term old = read(to, width);
    if (name == "xchg") {
      if (from.operand == SIZE_MAX) return false;
      return write(to, source), write(from, old), true;
    }
    if (name == "xadd") {
      if (from.operand == SIZE_MAX) return false;
      Term sum = t.add(old, source);
      write(from, old), write(to, sum), set_result(sum), carry_ = t.ult(sum, old);
      return true;
    }
    if (name == "cmpxchg") {
      Place expected = accumulator();
      if (expected.operand == SIZE_MAX) return false;
      Term same = t.eq(old, read(expected, width));
      write(to, t.ite(same, source, old));
      write(expected, old);
      zero_ = same, sign_ = Term(), carry_ = Term();
      return true;
    }
    Term value;
    if (name == "add") value = t.add(old, source), carry_ = t.ult(value, old);
    if (name == "sub" || name == "cmp") value = t.sub(old, source), carry_ = t.ult(old, source);
    if (name == "and" || name == "test") value = t.band(old, source), carry_ = t.falsity();
    if (name == "or") value = t.bor(old, source), carry_ = t.falsity();
    if (name == "xor") value = t.bxor(old, source), carry_ = t.falsity();
    if (!value) return false;
    if (name != "cmp" && name != "test") write(to, value);
    return set_result(value), true;
  }

  /// Bit `from` of a string of bits that begins at `to`: in memory it may lie in another word.
  bool bit_test(llvm::StringRef name, const Place& from, const Place& to, unsigned width) {
    term::Store& t = f_.terms();
    Term number = read(from, width);
    Term bit = t.band(number, t.constant(width, width - 1));
    const bool far = is_memory(to) && !from.constant;
    Term address;
    if (far) {
      Term word = t.ashr(number, t.constant(width, width == 64 ? 6 : width == 32 ? 5 : 4));
      const unsigned pointer = f_.info_.pointer_width();
      address = t.add(operands_[to.operand].address, t.mul(t.resize_signed(word, pointer), t.constant(pointer, width / 8)));
    }
    Term old = far ? load(address, width) : read(to, width);
    Term mask = t.shl(t.constant(width, 1), bit);
    carry_ = t.ne(t.band(old, mask), t.constant(width, 0)), zero_ = sign_ = Term();
    Term value = name == "bts" ? t.bor(old, mask) : name == "btr" ? t.band(old, t.bnot(mask)) : t.bxor(old, mask);
    if (name == "bt") return true;
    if (far)
      f_.store_to(address, value, 1, false);
    else
      write(to, value);
    return true;
  }

  void set_result(Term value) {
    zero_ = f_.terms().eq(value, f_.terms().constant(value.width(), 0));
    sign_ = f_.terms().extract(value, value.width() - 1, 1);
  }
  bool set_flag(llvm::StringRef which, const Place& to) {
    term::Store& t = f_.terms();
    Term flag;
    if (which == "e" || which == "z") flag = zero_;
    if (which == "ne" || which == "nz") flag = zero_ ? t.bnot(zero_) : Term();
    if (which == "s") flag = sign_;
    if (which == "ns") flag = sign_ ? t.bnot(sign_) : Term();
    if (which == "c" || which == "b") flag = carry_;
    if (which == "nc" || which == "ae") flag = carry_ ? t.bnot(carry_) : Term();
    if (!flag || to.operand == SIZE_MAX) return false;
    const Operand& operand = operands_[to.operand];
    const bool whole = !operand.memory && std::ranges::any_of(operand.constraint->Codes, [](const std::string& code) { return code.starts_with("{@cc"); });
    return write(to, t.zext(flag, whole ? std::max(operand.width, 8U) : 8)), true;
  }

  FunctionLowering& f_;
  const llvm::CallBase& call_;
  const Constraints constraints_;
  std::string text_;
  std::vector<Operand> operands_;
  Term zero_, sign_, carry_;  ///< flags; default-made: not known
};

void FunctionLowering::lower_assembly(const llvm::CallBase& call) {
  for (const llvm::Use& argument : call.args())
    if (!argument->getType()->isPointerTy() && scalar_width(argument->getType(), info_.data()) == 0)
      return unsupported("inline assembly on a value of type " + type_name(argument->getType()));
  Assembly(*this, call).run();
}

}  // namespace whittle::frontend
