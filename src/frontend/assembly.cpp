// Inline assembly: the instructions that C programs write again and again (moves, arithmetic, shifts, atomic operations, fences, reads of
// counters, bit scans), in AT&T syntax. Anything else is not followed, by name. Here: operands.
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSwitch.h>

#include "frontend/assembly_impl.h"

namespace whittle::frontend {
namespace {

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

}  // namespace

FunctionLowering::Assembly::Assembly(FunctionLowering& lowering, const llvm::CallBase& call)
    : f_(lowering), call_(call), constraints_(llvm::cast<llvm::InlineAsm>(call.getCalledOperand())->ParseConstraints()) {}

void FunctionLowering::Assembly::run() {
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

void FunctionLowering::Assembly::read_operands() {
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
      share_register(operand);
    }
    operands_.push_back(std::move(operand));
  }
}

/// With the output that the constraint names ("0"), or that is in the same register ("=a" and "a").
void FunctionLowering::Assembly::share_register(Operand& input) {
  if (input.constraint->Codes.empty()) return;
  const std::string& code = input.constraint->Codes[0];
  if (llvm::isDigit(code[0])) {
    input.same_as = static_cast<size_t>(std::stoul(code));
  } else if (code[0] == '{') {
    for (size_t i = 0; i < operands_.size() && input.same_as == SIZE_MAX; ++i)
      if (operands_[i].constraint->Type == llvm::InlineAsm::isOutput && llvm::is_contained(operands_[i].constraint->Codes, code)) input.same_as = i;
  }
  if (input.same_as == SIZE_MAX) return;
  Operand& shared = operands_[input.same_as];
  if (shared.memory) return;
  shared.width = std::max(shared.width, input.width);
  shared.value = f_.terms().resize_unsigned(input.value, shared.width);
}

/// Outputs that are flags: "=@ccz".
bool FunctionLowering::Assembly::take_flags() {
  for (size_t i = 0; i < operands_.size(); ++i)
    for (llvm::StringRef code : operands_[i].constraint->Codes)
      if (code.consume_front("{@cc") && !set_flag(code.drop_back(), {i, {}, 0, {}})) return false;
  return true;
}

void FunctionLowering::Assembly::hand_back() {
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

/// The operand that is in this register, as constraints call it: "{ax}". One that no constraint names holds any value.
FunctionLowering::Assembly::Place FunctionLowering::Assembly::machine_register(llvm::StringRef name, unsigned width) {
  for (size_t i = 0; i < operands_.size(); ++i)
    if (!operands_[i].memory && llvm::is_contained(operands_[i].constraint->Codes, name)) return {resolved(i), {}, width, {}};
  Constraint& constraint = scratch_.emplace_back();
  constraint.Type = llvm::InlineAsm::isClobber;
  constraint.Codes = {name.str()};
  Operand operand;
  operand.constraint = &constraint;
  operand.width = 64;
  operands_.push_back(operand);
  return {operands_.size() - 1, {}, width, {}};
}

/// %eax, %cl, %r8d. Not %ah, not the stack pointer.
std::optional<FunctionLowering::Assembly::Place> FunctionLowering::Assembly::parse_register(llvm::StringRef text) {
  for (const std::string name : {"ax", "bx", "cx", "dx", "si", "di"}) {
    const bool low = name[1] == 'x' && text == std::string{name[0], 'l'};
    const unsigned width = low ? 8 : text == name ? 16 : text == "e" + name ? 32 : text == "r" + name ? 64 : 0;
    if (width != 0) return machine_register("{" + name + "}", width);
  }
  unsigned number = 0;
  llvm::StringRef rest = text;
  if (!rest.consume_front("r") || rest.consumeInteger(10, number) || number < 8 || number > 15) return std::nullopt;
  const unsigned width = llvm::StringSwitch<unsigned>(rest).Case("", 64).Case("d", 32).Case("w", 16).Case("b", 8).Default(0);
  if (width == 0) return std::nullopt;
  return machine_register("{r" + std::to_string(number) + "}", width);
}

/// 8($1,$2,4): a distance, a base, an index and its factor; also 4$1 for an operand in memory.
std::optional<FunctionLowering::Assembly::Place> FunctionLowering::Assembly::parse_address(llvm::StringRef text) {
  term::Store& t = f_.terms();
  const unsigned width = f_.info_.pointer_width();
  int64_t distance = 0;
  if (!text.starts_with("(") && text.consumeInteger(0, distance)) return std::nullopt;
  Term address = t.constant(width, static_cast<u128>(static_cast<__int128>(distance)) & mask128(width));
  text = text.trim();
  text.consume_front("+");
  if (!text.starts_with("(")) {
    std::optional<Place> memory = parse(text);
    if (!memory || !is_memory(*memory)) return std::nullopt;
    return Place{SIZE_MAX, {}, 0, t.add(address_of(*memory), address)};
  }
  if (!text.consume_front("(") || !text.consume_back(")")) return std::nullopt;
  llvm::SmallVector<llvm::StringRef, 3> parts;
  text.split(parts, ',');
  uint64_t factor = 1;
  if (parts.size() > 3 || (parts.size() == 3 && parts[2].trim().getAsInteger(10, factor))) return std::nullopt;
  for (size_t i = 0; i < parts.size() && i < 2; ++i) {
    if (parts[i].trim().empty()) continue;
    std::optional<Place> place = parse(parts[i]);
    if (!place || place->operand == SIZE_MAX || is_memory(*place)) return std::nullopt;
    Term value = read(*place, width);
    address = t.add(i == 0 ? value : t.mul(value, t.constant(width, factor)), address);
  }
  return Place{SIZE_MAX, {}, 0, address};
}

std::optional<FunctionLowering::Assembly::Place> FunctionLowering::Assembly::parse(llvm::StringRef text) {
  text = text.trim();
  Place place;
  if (text.consume_front("$$")) {
    int64_t value = 0;
    if (text.getAsInteger(0, value)) return std::nullopt;
    place.constant = value;
    return place;
  }
  if (text.consume_front("%")) return parse_register(text);
  if (text.ends_with(")") || (!text.empty() && (llvm::isDigit(text[0]) || text[0] == '-'))) return parse_address(text);
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
  place.operand = resolved(number);
  return place;
}

unsigned FunctionLowering::Assembly::width_of(const Place& place) const {
  if (place.width != 0) return place.width;
  return place.operand == SIZE_MAX ? 0 : operands_[place.operand].width;
}

term::Term FunctionLowering::Assembly::read(const Place& place, unsigned width) {
  term::Store& t = f_.terms();
  if (place.constant) return t.constant(width, static_cast<u128>(static_cast<__int128>(*place.constant)) & mask128(width));
  if (is_memory(place)) return load(address_of(place), width);
  Operand& operand = operands_[place.operand];
  if (!operand.value) operand.value = f_.nondet(operand.width, "inline assembly", false);
  return t.resize_unsigned(operand.value, width);
}

term::Term FunctionLowering::Assembly::load(Term address, unsigned width) {
  RegisterId target = f_.fresh(width);
  f_.load_into(target, address, width, 1, false);
  return f_.var(target);
}

void FunctionLowering::Assembly::write(const Place& place, Term value) {
  if (is_memory(place)) return f_.store_to(address_of(place), value, 1, false);
  Operand& operand = operands_[place.operand];
  term::Store& t = f_.terms();
  // A write of 8 or 16 bits leaves the rest of the register as it is, one of 32 bits clears it.
  if (value.width() >= operand.width || value.width() >= 32)
    operand.value = t.resize_unsigned(value, operand.width);
  else
    operand.value = t.concat(t.extract(read({place.operand, {}, 0, {}}, operand.width), value.width(), operand.width - value.width()), value);
}

/// Every register result is something that the processor says.
bool FunctionLowering::Assembly::any_results() {
  for (Operand& operand : operands_)
    if (!operand.memory && operand.constraint->Type == llvm::InlineAsm::isOutput)
      operand.value = f_.nondet(operand.width, "inline assembly: " + text_, false);
  return true;
}

void FunctionLowering::lower_assembly(const llvm::CallBase& call) {
  for (const llvm::Use& argument : call.args())
    if (!argument->getType()->isPointerTy() && scalar_width(argument->getType(), info_.data()) == 0)
      return unsupported("inline assembly on a value of type " + type_name(argument->getType()));
  Assembly(*this, call).run();
}

}  // namespace whittle::frontend
