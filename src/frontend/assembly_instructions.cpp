// Inline assembly: what each instruction does.
#include <llvm/ADT/StringSwitch.h>

#include <array>

#include "frontend/assembly_impl.h"

namespace whittle::frontend {
namespace {

std::pair<llvm::StringRef, std::vector<llvm::StringRef>> split(llvm::StringRef instruction) {
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

unsigned width_of_letter(char letter) { return letter == 'b' ? 8 : letter == 'w' ? 16 : letter == 'l' ? 32 : letter == 'q' ? 64 : 0; }

/// Takes the letter of the width from the name, and returns that width; 0 if there is none. Empty name: not one of `names`.
unsigned width_suffix(llvm::StringRef& name, std::initializer_list<llvm::StringRef> names) {
  if (is_one_of(name, names)) return 0;
  const unsigned width = name.empty() ? 0 : width_of_letter(name.back());
  name = width != 0 && is_one_of(name.drop_back(), names) ? name.drop_back() : "";
  return name.empty() ? 0 : width;
}

}  // namespace

bool FunctionLowering::Assembly::execute(llvm::StringRef instruction) {
  bool lock = false, repeat = false;
  for (;;) {
    auto [first, rest] = instruction.split(' ');
    if (!is_one_of(first, {"lock", "rep", "repz"})) break;
    (first == "lock" ? lock : repeat) = true;
    instruction = rest.trim();
  }
  auto [name, arguments] = split(instruction);
  // Pairs of registers ("=A") are known to what fills them only.
  const bool pairs = std::ranges::any_of(operands_, [](const Operand& operand) { return llvm::is_contained(operand.constraint->Codes, "A"); });
  if (pairs && !name.starts_with("rd")) return false;
  if (name.starts_with("stos") && repeat && arguments.empty()) return fill_words(name);
  if (name.starts_with("bsf") && repeat) repeat = false;  // as tzcnt, but where the value is zero
  if (repeat && name != "nop") return false;
  // An atomic operation that changes nothing, on the stack: a fence.
  if (lock && arguments.size() == 2 && (arguments[1].contains("%esp") || arguments[1].contains("%rsp")) && arguments[0] == "$$0")
    return f_.emit(f_.make(Kind::Fence)), true;
  if (name.starts_with("prefetch") || name.starts_with("clflush")) return true;
  std::vector<Place> places;
  for (llvm::StringRef argument : arguments) {
    std::optional<Place> place = parse(argument);
    if (!place) return false;
    places.push_back(*place);
  }
  if (places.empty()) return without_operands(name);
  lock |= name.starts_with("xchg") && places.size() == 2 && (is_memory(places[0]) || is_memory(places[1]));
  if (lock) f_.emit(f_.make(Kind::AtomicBegin));
  const bool known = perform(name, places);
  if (lock && f_.alive()) f_.emit(f_.make(Kind::AtomicEnd));
  return known;
}

bool FunctionLowering::Assembly::without_operands(llvm::StringRef name) {
  term::Store& t = f_.terms();
  if (is_one_of(name, {"nop", "pause", "cld"})) return true;
  if (is_one_of(name, {"mfence", "lfence", "sfence"})) return f_.emit(f_.make(Kind::Fence)), true;
  if (is_one_of(name, {"rdtsc", "rdtscp", "cpuid", "rdpmc", "xgetbv"})) return any_results();
  if (name == "clc" || name == "stc") return carry_ = t.boolean(name == "stc"), true;
  if (is_one_of(name, {"cltd", "cdq", "cqto", "cqo"})) {
    const unsigned width = name == "cltd" || name == "cdq" ? 32 : 64;
    Term value = read(machine_register("{ax}", width), width);
    return write(machine_register("{dx}", width), t.ashr(value, t.constant(width, width - 1))), true;
  }
  if (name == "cltq" || name == "cdqe")
    return write(machine_register("{ax}", 64), t.sext(read(machine_register("{ax}", 32), 32), 64)), true;
  return false;
}

/// rep stosq: as often as the counter says, which is a constant where macros clear something.
bool FunctionLowering::Assembly::fill_words(llvm::StringRef name) {
  static constexpr unsigned kMostWords = 4096;
  term::Store& t = f_.terms();
  const unsigned width = name == "stosd" ? 32 : width_of_letter(name.back()), pointer = f_.info_.pointer_width();
  if (width == 0 || name.size() != 5) return false;
  const Place counter = machine_register("{cx}", pointer), to = machine_register("{di}", pointer);
  Term count = read(counter, pointer), address = read(to, pointer), value = read(machine_register("{ax}", width), width);
  if (!count.is_constant() || count.value() > kMostWords) return false;
  for (u128 i = 0; i < count.value() && f_.alive(); ++i)
    f_.store_to(t.add(address, t.constant(pointer, i * (width / 8))), value, 1, false);
  write(to, t.add(address, t.constant(pointer, count.value() * (width / 8))));
  return write(counter, t.constant(pointer, 0)), true;
}

bool FunctionLowering::Assembly::perform(llvm::StringRef name, const std::vector<Place>& places) {
  const Place& to = places.back();
  if (!is_writable(to) || places.size() > 3) return false;
  if (places.size() == 1 && name.starts_with("set")) return set_flag(name.drop_front(3), to);
  if (is_one_of(name, {"cmpxchg8b", "cmpxchg16b"})) return exchange_pair(name == "cmpxchg8b" ? 32 : 64, to);
  if (is_one_of(name, {"rdrand", "rdseed"})) {
    forget_flags();
    carry_ = f_.nondet(1, "inline assembly: " + text_, false);
    return write(to, f_.nondet(width_of(to), "inline assembly: " + text_, false)), true;
  }
  if (places.size() == 2 && (name.starts_with("movz") || name.starts_with("movs"))) return extend(name, places[0], to);
  if (places.size() == 2 && name.starts_with("cmov")) {
    Term chosen = condition(name.drop_front(4));
    const unsigned width = width_of(to);
    if (!chosen || width < 16) return false;
    return write(to, f_.terms().ite(chosen, read(places[0], width), read(to, width))), true;
  }
  unsigned width = width_suffix(name, {"mov", "xchg", "xadd", "cmpxchg", "add", "sub", "adc", "sbb", "and", "or", "xor", "inc", "dec", "neg", "not",
                                       "bswap", "cmp", "test", "bt", "bts", "btr", "btc", "bsf", "bsr", "tzcnt", "lzcnt", "popcnt", "lea",
                                       "shl", "sal", "shr", "sar", "rol", "ror", "mul", "imul"});
  if (name.empty()) return false;
  if (width == 0) width = width_of(to);
  if (width == 0 && places.size() == 2) width = width_of(places[0]);
  if (width == 0) return false;
  if (is_one_of(name, {"shl", "sal", "shr", "sar", "rol", "ror"})) return places.size() < 3 && shift(name, places.size() == 2 ? &places[0] : nullptr, to, width);
  if (places.size() == 1 && (name == "mul" || name == "imul")) return multiply(name, to, width);
  if (name == "imul") {  // the factors are the last two of two operands, the first two of three
    forget_flags();
    return write(to, f_.terms().mul(read(places[0], width), read(places[1], width))), true;
  }
  if (places.size() == 3) return false;
  return places.size() == 1 ? one(name, to, width) : two(name, places[0], to, width);
}

/// movzbl, movslq, movzx.
bool FunctionLowering::Assembly::extend(llvm::StringRef name, const Place& from, const Place& to) {
  term::Store& t = f_.terms();
  const bool with_sign = name.starts_with("movs");
  llvm::StringRef widths = name.drop_front(4);
  unsigned narrow = width_of(from), wide = width_of(to);
  if (widths.size() == 2 && widths != "xd") narrow = width_of_letter(widths[0]), wide = width_of_letter(widths[1]);
  if (widths.size() == 1 && widths != "x") narrow = width_of_letter(widths[0]);
  if (widths.empty() || widths.size() > 2 || narrow == 0 || wide <= narrow) return false;
  Term value = read(from, narrow);
  return write(to, with_sign ? t.sext(value, wide) : t.zext(value, wide)), true;
}

bool FunctionLowering::Assembly::shift(llvm::StringRef name, const Place* count, const Place& to, unsigned width) {
  term::Store& t = f_.terms();
  Term old = read(to, width), by = t.constant(width, 1);
  const bool rotate = name.starts_with("ro");
  // The processor takes five bits of the number, or six; what is rotated by its width stays as it is.
  if (count) by = t.band(t.resize_unsigned(read(*count, 8), width), t.constant(width, rotate ? width - 1 : width == 64 ? 63 : 31));
  Term back = t.band(t.neg(by), t.constant(width, width - 1));
  Term value;
  if (name == "shl" || name == "sal") value = t.shl(old, by);
  if (name == "shr") value = t.lshr(old, by);
  if (name == "sar") value = t.ashr(old, by);
  if (name == "rol") value = t.bor(t.shl(old, by), t.lshr(old, back));
  if (name == "ror") value = t.bor(t.lshr(old, by), t.shl(old, back));
  forget_flags();
  return write(to, value), true;
}

/// The product with the accumulator, of twice its width.
bool FunctionLowering::Assembly::multiply(llvm::StringRef name, const Place& by, unsigned width) {
  if (width < 16) return false;
  term::Store& t = f_.terms();
  auto widened = [&](Term term) { return name == "imul" ? t.sext(term, 2 * width) : t.zext(term, 2 * width); };
  const Place low = machine_register("{ax}", width), high = machine_register("{dx}", width);
  Term product = t.mul(widened(read(low, width)), widened(read(by, width)));
  forget_flags();
  write(low, t.extract(product, 0, width));
  return write(high, t.extract(product, width, width)), true;
}

/// cmpxchg16b: memory with dx:ax, by cx:bx.
bool FunctionLowering::Assembly::exchange_pair(unsigned width, const Place& to) {
  if (!is_memory(to)) return false;
  term::Store& t = f_.terms();
  auto pair = [&](const char* high, const char* low) {
    return t.concat(read(machine_register(high, width), width), read(machine_register(low, width), width));
  };
  Term old = read(to, 2 * width);
  Term same = t.eq(old, pair("{dx}", "{ax}"));
  write(to, t.ite(same, pair("{cx}", "{bx}"), old));
  write(machine_register("{ax}", width), t.extract(old, 0, width));
  write(machine_register("{dx}", width), t.extract(old, width, width));
  forget_flags();
  return zero_ = same, true;
}

bool FunctionLowering::Assembly::one(llvm::StringRef name, const Place& to, unsigned width) {
  term::Store& t = f_.terms();
  if (name == "inc" || name == "dec") {
    Term carry = carry_;  // stays as it is
    add_or_subtract(name == "inc" ? "add" : "sub", t.constant(width, 1), to, width);
    return carry_ = carry, true;
  }
  Term old = read(to, width);
  Term value;
  if (name == "neg") value = t.neg(old);
  if (name == "not") value = t.bnot(old);
  if (name == "bswap") value = f_.reverse(old, 8);
  if (!value) return false;
  write(to, value);
  if (name == "neg") set_result(value), carry_ = t.bnot(zero_), overflow_ = Term();
  return true;
}

bool FunctionLowering::Assembly::two(llvm::StringRef name, const Place& from, const Place& to, unsigned width) {
  term::Store& t = f_.terms();
  if (name == "lea") {
    if (!is_memory(from)) return false;
    return write(to, t.resize_unsigned(address_of(from), width)), true;
  }
  if (name.starts_with("bt")) return bit_test(name, from, to, width);
  Term source = read(from, width);
  if (name == "mov") return write(to, source), true;
  if (is_one_of(name, {"bsf", "bsr", "tzcnt", "lzcnt"})) {
    forget_flags();
    zero_ = t.eq(source, t.constant(width, 0));
    Term zeros = f_.count_leading_zeros(name == "bsf" || name == "tzcnt" ? f_.reverse(source, 1) : source);
    Term index = name == "bsr" ? t.sub(t.constant(width, width - 1), zeros) : zeros;
    if (name == "tzcnt" || name == "lzcnt") return carry_ = zero_, zero_ = t.eq(index, t.constant(width, 0)), write(to, index), true;
    return write(to, t.ite(zero_, f_.nondet(width, "inline assembly", false), index)), true;
  }
  if (name == "popcnt") {
    zero_ = t.eq(source, t.constant(width, 0)), sign_ = carry_ = overflow_ = t.falsity();
    return write(to, f_.count_ones(source)), true;
  }
  if (name == "xchg") {
    if (!is_writable(from)) return false;
    Term old = read(to, width);
    return write(to, source), write(from, old), true;
  }
  if (name == "xadd") {
    if (!is_writable(from)) return false;
    write(from, read(to, width));
    return add_or_subtract("add", source, to, width);
  }
  if (name == "cmpxchg") return compare_exchange(source, to, width);
  if (is_one_of(name, {"add", "sub", "cmp", "adc", "sbb"})) return add_or_subtract(name, source, to, width);
  Term old = read(to, width);
  Term value;
  if (name == "and" || name == "test") value = t.band(old, source);
  if (name == "or") value = t.bor(old, source);
  if (name == "xor") value = t.bxor(old, source);
  if (!value) return false;
  if (name != "test") write(to, value);
  return set_result(value), carry_ = overflow_ = t.falsity(), true;
}

bool FunctionLowering::Assembly::compare_exchange(Term source, const Place& to, unsigned width) {
  term::Store& t = f_.terms();
  const Place expected = machine_register("{ax}", width);
  Term old = read(to, width), same = t.eq(old, read(expected, width));
  write(to, t.ite(same, source, old));
  write(expected, old);
  forget_flags();
  return zero_ = same, true;
}

/// With the carry for adc and sbb, which has to be known.
bool FunctionLowering::Assembly::add_or_subtract(llvm::StringRef name, Term source, const Place& to, unsigned width) {
  term::Store& t = f_.terms();
  const bool with_carry = name == "adc" || name == "sbb", sum = name == "add" || name == "adc";
  if (with_carry && !carry_) return false;
  Term old = read(to, width), carry = with_carry ? t.zext(carry_, width) : t.constant(width, 0);
  Term value = sum ? t.add(t.add(old, source), carry) : t.sub(t.sub(old, source), carry);
  if (name != "cmp") write(to, value);
  set_result(value);
  // Equal, and the carry came in: it goes out.
  Term equal = with_carry ? t.band(carry_, sum ? t.eq(value, old) : t.eq(old, source)) : t.falsity();
  carry_ = t.bor(sum ? t.ult(value, old) : t.ult(old, source), equal);
  Term differ = sum ? t.bnot(t.bxor(old, source)) : t.bxor(old, source);
  overflow_ = t.extract(t.band(differ, t.bxor(old, value)), width - 1, 1);
  return true;
}

/// Bit `from` of a string of bits that begins at `to`: in memory it may lie in another word.
bool FunctionLowering::Assembly::bit_test(llvm::StringRef name, const Place& from, const Place& to, unsigned width) {
  term::Store& t = f_.terms();
  Term number = read(from, width);
  Term bit = t.band(number, t.constant(width, width - 1));
  const bool far = is_memory(to) && !from.constant;
  Term address;
  if (far) {
    Term word = t.ashr(number, t.constant(width, width == 64 ? 6 : width == 32 ? 5 : 4));
    const unsigned pointer = f_.info_.pointer_width();
    address = t.add(address_of(to), t.mul(t.resize_signed(word, pointer), t.constant(pointer, width / 8)));
  }
  Term old = far ? load(address, width) : read(to, width);
  Term mask = t.shl(t.constant(width, 1), bit);
  forget_flags();
  carry_ = t.ne(t.band(old, mask), t.constant(width, 0));
  Term value = name == "bts" ? t.bor(old, mask) : name == "btr" ? t.band(old, t.bnot(mask)) : t.bxor(old, mask);
  if (name == "bt") return true;
  if (far)
    f_.store_to(address, value, 1, false);
  else
    write(to, value);
  return true;
}

void FunctionLowering::Assembly::set_result(Term value) {
  zero_ = f_.terms().eq(value, f_.terms().constant(value.width(), 0));
  sign_ = f_.terms().extract(value, value.width() - 1, 1);
}

/// Default-made if it is not known.
term::Term FunctionLowering::Assembly::condition(llvm::StringRef which) {
  term::Store& t = f_.terms();
  const bool negated = which.size() > 1 && which.front() == 'n';
  llvm::StringRef name = negated ? which.drop_front() : which;
  const auto both = [&](Term a, Term b, auto join) { return a && b ? join(a, b) : Term(); };
  const auto less = [&] { return both(sign_, overflow_, [&](Term a, Term b) { return t.bxor(a, b); }); };
  const auto either = [&](Term a, Term b) { return both(a, b, [&](Term x, Term y) { return t.bor(x, y); }); };
  const auto inverse = [&](Term term) { return term ? t.bnot(term) : Term(); };
  Term flag;
  if (name == "e" || name == "z") flag = zero_;
  if (name == "s") flag = sign_;
  if (name == "o") flag = overflow_;
  if (name == "c" || name == "b") flag = carry_;
  if (name == "ae") flag = inverse(carry_);
  if (name == "be") flag = either(carry_, zero_);
  if (name == "a") flag = inverse(either(carry_, zero_));
  if (name == "l") flag = less();
  if (name == "ge") flag = inverse(less());
  if (name == "le") flag = either(less(), zero_);
  if (name == "g") flag = inverse(either(less(), zero_));
  return negated ? inverse(flag) : flag;
}

bool FunctionLowering::Assembly::set_flag(llvm::StringRef which, const Place& to) {
  Term flag = condition(which);
  if (!flag || !is_writable(to)) return false;
  const Operand* operand = to.operand == SIZE_MAX ? nullptr : &operands_[to.operand];
  const bool whole = operand && !operand->memory && std::ranges::any_of(operand->constraint->Codes, [](const std::string& code) { return code.starts_with("{@cc"); });
  return write(to, f_.terms().zext(flag, whole ? std::max(operand->width, 8U) : 8)), true;
}

}  // namespace whittle::frontend
