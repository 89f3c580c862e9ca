#include "frontend/debug_info.h"

#include <llvm/BinaryFormat/Dwarf.h>

#include <algorithm>

#include "program/c_text.h"

namespace whittle::frontend {

namespace dwarf = llvm::dwarf;
using program::Type;
using program::TypeId;

uint32_t DebugInfo::file(const llvm::DIFile* file) {
  if (!file) return program::kNone;
  auto [entry, fresh] = files_.try_emplace(file, 0);
  if (fresh) {
    std::string name = std::filesystem::path(file->getFilename().str()).lexically_normal().string();  // "./api.h"
    // clang splits an absolute path after what it has in common with the working folder.
    if (std::string folder = file->getDirectory().str();
        !name.starts_with("/") && folder.starts_with("/") && folder != current_folder_)
      name = folder + (folder.ends_with("/") ? "" : "/") + name;
    auto found = std::find(program_.files.begin(), program_.files.end(), name);
    entry->second = static_cast<uint32_t>(found - program_.files.begin());
    if (found == program_.files.end()) program_.files.push_back(std::move(name));
  }
  return entry->second;
}

program::SourcePosition DebugInfo::position(const llvm::DebugLoc& location) {
  if (!location) return {};
  const llvm::DILocation* at = location.get();
  while (const llvm::DILocation* call = at->getInlinedAt()) at = call;  // where the user wrote the call
  if (at->getLine() == 0) return {};
  return {file(at->getFile()), at->getLine(), at->getColumn()};
}

program::SourcePosition DebugInfo::position(const llvm::DIFile* source, unsigned line) {
  if (!source || line == 0) return {};
  return {file(source), line, 0};
}

TypeId DebugInfo::pointer_to(const llvm::DIType* type) {
  const TypeId element = this->type(type);
  if (element == program::kNoType) return element;
  auto [found, fresh] = pointers_.try_emplace(element, static_cast<TypeId>(program_.types.size()));
  if (fresh) {
    Type& made = program_.types.emplace_back();
    made.kind = Type::Kind::Pointer;
    made.size = program_.pointer_width() / 8;
    made.element = element;
  }
  return found->second;
}

TypeId DebugInfo::type(const llvm::DIType* type) {
  if (!type) return program::kNoType;
  if (auto found = types_.find(type); found != types_.end()) return found->second;
  if (auto* derived = llvm::dyn_cast<llvm::DIDerivedType>(type)) {
    switch (derived->getTag()) {
      case dwarf::DW_TAG_const_type:
      case dwarf::DW_TAG_volatile_type:
      case dwarf::DW_TAG_restrict_type:
      case dwarf::DW_TAG_atomic_type: {
        TypeId id = this->type(derived->getBaseType());
        return types_[type] = id;
      }
      default: break;
    }
  }
  if (auto* composite = llvm::dyn_cast<llvm::DICompositeType>(type);
      composite && composite->getTag() == dwarf::DW_TAG_array_type)
    return array(*composite);

  TypeId id = static_cast<TypeId>(program_.types.size());
  types_[type] = id;  // before its parts: types are recursive
  program_.types.emplace_back();
  Type made;
  made.name = type->getName().str();
  made.size = type->getSizeInBits() / 8;
  if (auto* from = llvm::dyn_cast<llvm::DIBasicType>(type)) {
    basic(*from, made);
  } else if (auto* from_derived = llvm::dyn_cast<llvm::DIDerivedType>(type)) {
    derived(*from_derived, made);
  } else if (llvm::isa<llvm::DISubroutineType>(type)) {
    made.kind = Type::Kind::Function;
  } else if (auto* from_composite = llvm::dyn_cast<llvm::DICompositeType>(type)) {
    program_.types[id] = std::move(made);
    composite(*from_composite, id);
    return id;
  }
  program_.types[id] = std::move(made);
  return id;
}

void DebugInfo::basic(const llvm::DIBasicType& from, Type& to) {
  switch (from.getEncoding()) {
    case dwarf::DW_ATE_boolean: to.kind = Type::Kind::Bool; break;
    case dwarf::DW_ATE_float: to.kind = Type::Kind::Float; break;
    case dwarf::DW_ATE_signed:
    case dwarf::DW_ATE_signed_char: to.kind = Type::Kind::Integer, to.is_signed = true; break;
    case dwarf::DW_ATE_unsigned:
    case dwarf::DW_ATE_unsigned_char: to.kind = Type::Kind::Integer; break;
    default: break;
  }
}

void DebugInfo::derived(const llvm::DIDerivedType& from, Type& to) {
  TypeId base = type(from.getBaseType());
  if (from.getTag() == dwarf::DW_TAG_pointer_type) {
    to.kind = Type::Kind::Pointer;
    to.element = base;
    to.size = program_.pointer_width() / 8;
    return;
  }
  // A typedef is what it stands for, under its own name.
  std::string name = std::move(to.name);
  to = program_.types[base];
  if (!name.empty() && !program::is_character(to)) to.name = std::move(name);  // a character under any name
}

void DebugInfo::composite(const llvm::DICompositeType& from, TypeId id) {
  Type& made = program_.types[id];
  switch (from.getTag()) {
    case dwarf::DW_TAG_structure_type:
      made.kind = Type::Kind::Struct;
      if (!made.name.empty()) made.name = "struct " + made.name;
      members(from, id);
      break;
    case dwarf::DW_TAG_union_type:
      made.kind = Type::Kind::Union;
      if (!made.name.empty()) made.name = "union " + made.name;
      members(from, id);
      break;
    case dwarf::DW_TAG_enumeration_type: {
      made.kind = Type::Kind::Enum;
      if (!made.name.empty()) made.name = "enum " + made.name;
      for (const llvm::DINode* node : from.getElements())
        if (auto* enumerator = llvm::dyn_cast<llvm::DIEnumerator>(node))
          made.enumerators.emplace_back(enumerator->getName().str(),
                                        enumerator->getValue().sextOrTrunc(64).getSExtValue());
      TypeId underlying = type(from.getBaseType());
      program_.types[id].element = underlying;
      program_.types[id].is_signed = program_.types[underlying].is_signed;
      break;
    }
    default: break;
  }
}

void DebugInfo::members(const llvm::DICompositeType& from, TypeId id) {
  for (const llvm::DINode* node : from.getElements()) {
    auto* member = llvm::dyn_cast<llvm::DIDerivedType>(node);
    if (!member || member->getTag() != dwarf::DW_TAG_member) continue;
    Type::Field field;
    field.name = member->getName().str();
    field.type = type(member->getBaseType());
    field.bit_offset = member->getOffsetInBits();
    field.bit_width = member->isBitField() ? static_cast<uint32_t>(member->getSizeInBits()) : 0;
    program_.types[id].fields.push_back(std::move(field));
  }
}

/// An array of arrays is one entry in debug information, with several counts; here it is one type each.
TypeId DebugInfo::array(const llvm::DICompositeType& from) {
  TypeId element = type(from.getBaseType());
  auto counts = from.getElements();
  for (unsigned i = counts.size(); i-- > 0;) {
    Type made;
    made.kind = Type::Kind::Array;
    made.element = element;
    if (auto* range = llvm::dyn_cast<llvm::DISubrange>(counts[i]))
      if (auto* count = llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getCount());
          count && count->getSExtValue() > 0)
        made.count = count->getZExtValue();
    made.size = made.count * program_.types[element].size;
    // "int[3][2]" for three arrays of two.
    const std::string& inner = program_.types[element].name;
    size_t bracket = inner.find('[');
    std::string dimension = "[" + (made.count ? std::to_string(made.count) : std::string()) + "]";
    made.name = inner.substr(0, bracket) + dimension + (bracket == std::string::npos ? "" : inner.substr(bracket));
    element = static_cast<TypeId>(program_.types.size());
    program_.types.push_back(std::move(made));
  }
  return types_[&from] = element;
}

}  // namespace whittle::frontend
