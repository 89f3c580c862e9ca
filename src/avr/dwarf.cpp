#include "avr/dwarf.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/DebugInfo/DWARF/DWARFDie.h>
#include <llvm/DebugInfo/DWARF/DWARFExpression.h>
#include <llvm/Object/ObjectFile.h>

#include <algorithm>
#include <unordered_map>

namespace whittle::avr {

namespace {

using llvm::DWARFDie;
constexpr uint64_t kDataSpace = 0x800000, kEepromSpace = 0x810000;

class Reader {
 public:
  Reader(llvm::DWARFContext& context, Names& names) : context_(context), names_(names) {}

  void read() {
    for (const auto& unit : context_.compile_units()) {
      DWARFDie die = unit->getUnitDIE(false);
      if (!die) continue;
      unit_ = text(die, llvm::dwarf::DW_AT_name);
      walk(die, "");
      read_lines(*unit);
    }
    // What pointers lead to: last, as a struct may hold a pointer to itself.
    for (size_t i = 0; i < pointers_.size(); ++i) {
      int target = referenced(pointers_[i]);
      names_.types[size_t(seen_.at(pointers_[i].getOffset()))].element = target;
    }
    for (auto [copy, original] : copies_) names_.types[size_t(copy)].element = names_.types[size_t(original)].element;
    std::stable_sort(names_.lines.begin(), names_.lines.end(), [](const LineRow& a, const LineRow& b) {
      // The end of one sequence may be the start of the next, which then counts.
      return a.pc != b.pc ? a.pc < b.pc : a.line == 0 && b.line != 0;
    });
  }

 private:
  static std::string text(const DWARFDie& die, llvm::dwarf::Attribute attribute) {
    return llvm::dwarf::toString(die.find(attribute), "");
  }
  static uint64_t number(const DWARFDie& die, llvm::dwarf::Attribute attribute, uint64_t otherwise = 0) {
    auto value = die.find(attribute);
    if (!value) return otherwise;
    if (auto u = value->getAsUnsignedConstant()) return *u;
    if (auto s = value->getAsSignedConstant()) return uint64_t(*s);
    return otherwise;
  }

  void walk(const DWARFDie& die, const std::string& function) {
    for (DWARFDie child : die.children()) {
      switch (child.getTag()) {
        case llvm::dwarf::DW_TAG_variable: variable(child, function); break;
        case llvm::dwarf::DW_TAG_enumeration_type: type_of(child); break;
        case llvm::dwarf::DW_TAG_subprogram: {
          std::string name = text(child, llvm::dwarf::DW_AT_name);
          if (name.empty()) {
            DWARFDie origin = child.getAttributeValueAsReferencedDie(llvm::dwarf::DW_AT_abstract_origin);
            if (origin) name = text(origin, llvm::dwarf::DW_AT_name);
          }
          walk(child, name);
          break;
        }
        case llvm::dwarf::DW_TAG_lexical_block: walk(child, function); break;
        default: break;
      }
    }
  }

  void variable(DWARFDie die, const std::string& function) {
    auto address = fixed_address(die);
    if (!address || *address >= kEepromSpace) return;
    bool in_flash = *address < kDataSpace;
    DWARFDie described = die;
    for (auto link : {llvm::dwarf::DW_AT_specification, llvm::dwarf::DW_AT_abstract_origin})
      if (DWARFDie other = die.getAttributeValueAsReferencedDie(link)) described = other;
    Variable v;
    v.name = text(described, llvm::dwarf::DW_AT_name);
    if (v.name.empty()) return;
    v.scope = function;
    v.unit = unit_;
    if (in_flash)
      v.flash_address = uint32_t(*address);
    else
      v.address = uint16_t(*address - kDataSpace);
    DWARFDie type = described.getAttributeValueAsReferencedDie(llvm::dwarf::DW_AT_type);
    if (!type) type = die.getAttributeValueAsReferencedDie(llvm::dwarf::DW_AT_type);
    v.type = type ? type_of(type) : -1;
    v.size = v.type >= 0 ? names_.types[size_t(v.type)].size : 1;
    if (in_flash) {
      names_.in_flash.push_back(std::move(v));
      return;
    }
    // The symbol of the same address gives way to what DWARF knows.
    std::erase_if(names_.variables, [&](const Variable& s) { return s.type < 0 && s.address == v.address; });
    for (const Variable& known : names_.variables)
      if (known.name == v.name && known.address == v.address && known.scope == v.scope) return;
    names_.variables.push_back(std::move(v));
  }

  std::optional<uint64_t> fixed_address(const DWARFDie& die) const {
    auto location = die.find(llvm::dwarf::DW_AT_location);
    if (!location) return std::nullopt;
    auto block = location->getAsBlock();
    if (!block || block->empty() || (*block)[0] != llvm::dwarf::DW_OP_addr) return std::nullopt;
    uint8_t width = die.getDwarfUnit()->getAddressByteSize();
    if (block->size() < size_t(width) + 1) return std::nullopt;
    uint64_t address = 0;
    for (uint8_t i = 0; i < width; ++i) address |= uint64_t((*block)[i + 1u]) << (8 * i);
    return address;
  }

  int type_of(const DWARFDie& die) {
    auto [it, fresh] = seen_.try_emplace(die.getOffset(), int(names_.types.size()));
    if (!fresh) return it->second;
    int index = it->second;
    names_.types.emplace_back();
    Type type = build(die);
    names_.types[size_t(index)] = std::move(type);
    return index;
  }

  int referenced(const DWARFDie& die) {
    DWARFDie target = die.getAttributeValueAsReferencedDie(llvm::dwarf::DW_AT_type);
    return target ? type_of(target) : -1;
  }

  Type build(const DWARFDie& die) {
    Type type;
    type.name = text(die, llvm::dwarf::DW_AT_name);
    type.size = uint32_t(number(die, llvm::dwarf::DW_AT_byte_size));
    switch (die.getTag()) {
      case llvm::dwarf::DW_TAG_base_type: base(die, type); break;
      case llvm::dwarf::DW_TAG_enumeration_type: enumeration(die, type); break;
      case llvm::dwarf::DW_TAG_pointer_type:
        type.kind = TypeKind::Pointer;
        type.size = 2;
        type.to_function = points_to_function(die);
        pointers_.push_back(die);
        break;
      case llvm::dwarf::DW_TAG_array_type: return array(die);
      case llvm::dwarf::DW_TAG_structure_type:
      case llvm::dwarf::DW_TAG_class_type:
      case llvm::dwarf::DW_TAG_union_type: record(die, type); break;
      case llvm::dwarf::DW_TAG_typedef:
      case llvm::dwarf::DW_TAG_volatile_type:
      case llvm::dwarf::DW_TAG_const_type: {
        int inner = referenced(die);
        if (inner < 0) break;
        std::string name = type.name;
        type = names_.types[size_t(inner)];
        if (!name.empty()) type.name = name;
        copies_.emplace_back(seen_.at(die.getOffset()), inner);
        break;
      }
      default: break;
    }
    return type;
  }

  static bool points_to_function(DWARFDie die) {
    do die = die.getAttributeValueAsReferencedDie(llvm::dwarf::DW_AT_type);
    while (die && (die.getTag() == llvm::dwarf::DW_TAG_typedef || die.getTag() == llvm::dwarf::DW_TAG_const_type));
    return die && die.getTag() == llvm::dwarf::DW_TAG_subroutine_type;
  }

  static void base(const DWARFDie& die, Type& type) {
    switch (number(die, llvm::dwarf::DW_AT_encoding)) {
      case llvm::dwarf::DW_ATE_boolean: type.kind = TypeKind::Bool; break;
      case llvm::dwarf::DW_ATE_signed:
      case llvm::dwarf::DW_ATE_signed_char: type.kind = TypeKind::Signed, type.is_signed = true; break;
      case llvm::dwarf::DW_ATE_float: type.kind = TypeKind::Float; break;
      default: type.kind = TypeKind::Unsigned; break;
    }
  }

  void enumeration(const DWARFDie& die, Type& type) {
    type.kind = TypeKind::Enum;
    for (DWARFDie child : die.children()) {
      if (child.getTag() != llvm::dwarf::DW_TAG_enumerator) continue;
      auto value = child.find(llvm::dwarf::DW_AT_const_value);
      int64_t v = 0;
      if (value) {
        if (auto s = value->getAsSignedConstant())
          v = *s;
        else if (auto u = value->getAsUnsignedConstant())
          v = int64_t(*u);
      }
      // Older compilers write an unsigned byte for a negative enumerator only with a signed form: the sign is in it.
      if (v < 0) type.is_signed = true;
      type.enumerators.emplace_back(text(child, llvm::dwarf::DW_AT_name), v);
      names_.constants.emplace(type.enumerators.back());
    }
  }

  Type array(const DWARFDie& die) {
    int element = referenced(die);
    std::vector<uint32_t> counts;
    for (DWARFDie child : die.children()) {
      if (child.getTag() != llvm::dwarf::DW_TAG_subrange_type) continue;
      uint64_t count = number(child, llvm::dwarf::DW_AT_count, UINT64_MAX);
      if (count == UINT64_MAX) {
        uint64_t upper = number(child, llvm::dwarf::DW_AT_upper_bound, UINT64_MAX);
        count = upper == UINT64_MAX ? 0 : upper + 1;
      }
      counts.push_back(uint32_t(count));
    }
    Type type;
    for (size_t i = counts.size(); i-- > 0;) {
      Type level;
      level.kind = TypeKind::Array;
      level.element = element;
      level.count = counts[i];
      level.size = level.count * (element >= 0 ? names_.types[size_t(element)].size : 1);
      if (i == 0) return level;
      element = int(names_.types.size());
      names_.types.push_back(level);
    }
    return type;
  }

  void record(const DWARFDie& die, Type& type) {
    type.kind = TypeKind::Struct;
    for (DWARFDie child : die.children()) {
      if (child.getTag() != llvm::dwarf::DW_TAG_member) continue;
      Member m;
      m.name = text(child, llvm::dwarf::DW_AT_name);
      m.type = referenced(child);
      m.offset = member_offset(child);
      m.bit_size = uint8_t(number(child, llvm::dwarf::DW_AT_bit_size));
      if (m.bit_size != 0) {
        uint32_t storage =
            uint32_t(number(child, llvm::dwarf::DW_AT_byte_size, m.type >= 0 ? names_.types[size_t(m.type)].size : 1));
        if (auto bits = child.find(llvm::dwarf::DW_AT_data_bit_offset)) {
          uint64_t at = bits->getAsUnsignedConstant().value_or(0);
          m.offset = uint32_t(at / 8);
          m.bit_offset = uint8_t(at % 8);
        } else {
          // Counted from the highest bit of the storage unit.
          uint64_t from_top = number(child, llvm::dwarf::DW_AT_bit_offset);
          uint64_t low = uint64_t(storage) * 8 - from_top - m.bit_size;
          m.offset += uint32_t(low / 8);
          m.bit_offset = uint8_t(low % 8);
        }
      }
      if (m.name.empty() && m.type >= 0) {  // an anonymous struct or union: its members are ours
        for (Member inner : names_.types[size_t(m.type)].members) {
          inner.offset += m.offset;
          type.members.push_back(inner);
        }
        continue;
      }
      type.members.push_back(std::move(m));
    }
  }

  static uint32_t member_offset(const DWARFDie& die) {
    auto location = die.find(llvm::dwarf::DW_AT_data_member_location);
    if (!location) return 0;
    if (auto constant = location->getAsUnsignedConstant()) return uint32_t(*constant);
    auto block = location->getAsBlock();  // DWARF 2: DW_OP_plus_uconst n
    if (!block || block->size() < 2 || (*block)[0] != llvm::dwarf::DW_OP_plus_uconst) return 0;
    uint32_t value = 0;
    for (size_t i = 1, shift = 0; i < block->size(); ++i, shift += 7) value |= uint32_t((*block)[i] & 0x7f) << shift;
    return value;
  }

  void read_lines(llvm::DWARFUnit& unit) {
    const auto* table = context_.getLineTableForUnit(&unit);
    if (table == nullptr) return;
    std::unordered_map<uint64_t, uint32_t> files;
    for (const auto& row : table->Rows) {
      auto [it, fresh] = files.try_emplace(row.File, 0);
      if (fresh) {
        std::string name;
        table->getFileNameByIndex(row.File, unit.getCompilationDir() ? unit.getCompilationDir() : "",
                                  llvm::DILineInfoSpecifier::FileLineInfoKind::RelativeFilePath, name);
        auto known = std::find(names_.files.begin(), names_.files.end(), name);
        it->second = uint32_t(known - names_.files.begin());
        if (known == names_.files.end()) names_.files.push_back(name);
      }
      names_.lines.push_back({uint32_t(row.Address.Address / 2), it->second, row.EndSequence ? 0 : row.Line});
    }
  }

  llvm::DWARFContext& context_;
  Names& names_;
  std::string unit_;
  std::unordered_map<uint64_t, int> seen_;
  std::vector<DWARFDie> pointers_;
  std::vector<std::pair<int, int>> copies_;  ///< typedefs and qualified types, and what they are
};

}  // namespace

void read_dwarf(const llvm::object::ObjectFile& object, Names& names) {
  auto quiet = [](llvm::Error error) { llvm::consumeError(std::move(error)); };
  auto context = llvm::DWARFContext::create(object, llvm::DWARFContext::ProcessDebugRelocations::Ignore, nullptr, "",
                                            quiet, quiet);
  if (context == nullptr) return;
  Reader(*context, names).read();
}

}  // namespace whittle::avr
