#include "frontend/harness_types.h"

#include <fmt/format.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>

namespace whittle::frontend {

namespace dwarf = llvm::dwarf;

const llvm::DIDerivedType* derived(const llvm::DIType* type) { return llvm::dyn_cast_or_null<llvm::DIDerivedType>(type); }

static bool is_qualifier(const llvm::DIType* type) {
  if (!type) return false;
  switch (type->getTag()) {
    case dwarf::DW_TAG_const_type:
    case dwarf::DW_TAG_volatile_type:
    case dwarf::DW_TAG_restrict_type:
    case dwarf::DW_TAG_atomic_type: return true;
    default: return false;
  }
}

/// Without qualifiers, and without names of types if `names` is false.
const llvm::DIType* plain(const llvm::DIType* type, bool names) {
  while (type) {
    const bool skip = is_qualifier(type) || (!names && type->getTag() == dwarf::DW_TAG_typedef);
    if (!skip) break;
    type = derived(type)->getBaseType();
  }
  return type;
}

bool is_pointer(const llvm::DIType* type) { return type && type->getTag() == dwarf::DW_TAG_pointer_type; }
const llvm::DIType* pointee(const llvm::DIType* type) { return derived(type)->getBaseType(); }
const llvm::DICompositeType* composite(const llvm::DIType* type) { return llvm::dyn_cast_or_null<llvm::DICompositeType>(type); }
bool is_struct(const llvm::DIType* type) { return type && type->getTag() == dwarf::DW_TAG_structure_type; }
bool is_incomplete(const llvm::DIType* type) {
  return composite(type) && (type->getFlags() & llvm::DINode::FlagFwdDecl) != 0;
}
bool is_character(const llvm::DIType* type) {
  auto* basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(type);
  return basic && basic->getName() == "char";
}

/// Does its size depend on a variable?
bool has_variable_size(const llvm::DIType* type) {
  type = plain(type);
  if (is_pointer(type)) return has_variable_size(pointee(type));
  if (!type || type->getTag() != dwarf::DW_TAG_array_type) return false;
  for (const llvm::DINode* element : composite(type)->getElements())
    if (auto* range = llvm::dyn_cast<llvm::DISubrange>(element)) {
      auto* count = llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getCount());
      if (!count || count->isNegative()) return true;
    }
  return has_variable_size(composite(type)->getBaseType());
}

/// The declaration of `name` with this type: "char *name", "int (*name)(int, void *)".
std::string declare(const llvm::DIType* type, const std::string& name) {
  auto before = [&](const std::string& word) { return name.empty() ? word : word + " " + name; };
  if (!type) return before("void");
  switch (type->getTag()) {
    case dwarf::DW_TAG_pointer_type: {
      const llvm::DIType* base = pointee(type);
      const bool bracket = base && (base->getTag() == dwarf::DW_TAG_subroutine_type || base->getTag() == dwarf::DW_TAG_array_type);
      return declare(base, bracket ? "(*" + name + ")" : "*" + name);
    }
    case dwarf::DW_TAG_const_type: {
      const llvm::DIType* base = derived(type)->getBaseType();
      if (is_pointer(base)) return declare(base, name.empty() ? "const" : "const " + name);
      return "const " + declare(base, name);
    }
    case dwarf::DW_TAG_volatile_type: return "volatile " + declare(derived(type)->getBaseType(), name);
    case dwarf::DW_TAG_atomic_type: return "_Atomic(" + declare(derived(type)->getBaseType(), "") + ")" + (name.empty() ? "" : " " + name);
    case dwarf::DW_TAG_restrict_type: return declare(derived(type)->getBaseType(), name);
    case dwarf::DW_TAG_subroutine_type: {
      llvm::DITypeRefArray types = llvm::cast<llvm::DISubroutineType>(type)->getTypeArray();
      std::string parameters;
      for (unsigned i = 1; i < types.size(); ++i)
        parameters += (i > 1 ? ", " : "") + (types[i] ? declare(types[i], "") : std::string("..."));
      return declare(types.size() > 0 ? types[0] : nullptr, name + "(" + (parameters.empty() ? "void" : parameters) + ")");
    }
    case dwarf::DW_TAG_array_type: {
      std::string sizes = name;
      for (const llvm::DINode* element : composite(type)->getElements())
        if (auto* range = llvm::dyn_cast<llvm::DISubrange>(element))
          if (auto* count = llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getCount()))
            sizes += fmt::format("[{}]", count->getSExtValue());
      return declare(composite(type)->getBaseType(), sizes);
    }
    case dwarf::DW_TAG_structure_type: return before("struct " + type->getName().str());
    case dwarf::DW_TAG_union_type: return before("union " + type->getName().str());
    case dwarf::DW_TAG_enumeration_type: return before(type->getName().empty() ? "int" : "enum " + type->getName().str());
    default: return before(type->getName().str());
  }
}

bool can_be_named(const llvm::DIType* type) {
  type = plain(type, true);
  if (!type) return true;
  if (is_pointer(type)) return can_be_named(pointee(type));
  if (type->getTag() == dwarf::DW_TAG_array_type) return can_be_named(composite(type)->getBaseType());
  return !composite(type) || !type->getName().empty() || type->getTag() == dwarf::DW_TAG_enumeration_type;
}

const LibraryObject* library_object(const llvm::DIType* type) {
  static constexpr LibraryObject kObjects[] = {
      {"FILE", "tmpfile()", "an open stream", true},
      {"DIR", "opendir(\".\")", "an open folder", true},
      {"pthread_mutex_t", "pthread_mutex_init(&$, 0)", "an unlocked mutex", false},
      {"pthread_cond_t", "pthread_cond_init(&$, 0)", "a condition variable that no thread waits for", false},
      {"pthread_rwlock_t", "pthread_rwlock_init(&$, 0)", "an unlocked lock", false},
      {"pthread_spinlock_t", "pthread_spin_init(&$, 0)", "an unlocked spin lock", false},
      {"pthread_attr_t", "pthread_attr_init(&$)", "attributes as initialised", false},
      {"pthread_mutexattr_t", "pthread_mutexattr_init(&$)", "attributes as initialised", false},
      {"sem_t", "sem_init(&$, 0, 1)", "a semaphore with the value 1", false},
      {"pthread_once_t", "$ = PTHREAD_ONCE_INIT", "a pthread_once_t that was not used", false},
      {"mtx_t", "mtx_init(&$, mtx_plain)", "an unlocked mutex", false},
      {"cnd_t", "cnd_init(&$)", "a condition variable that no thread waits for", false},
  };
  for (; type; type = derived(type)->getBaseType()) {
    for (const LibraryObject& object : kObjects)
      if (type->getTag() == dwarf::DW_TAG_typedef && std::string_view(type->getName()) == object.type) return &object;
    if (!is_qualifier(type) && type->getTag() != dwarf::DW_TAG_typedef) break;
  }
  return nullptr;
}

}  // namespace whittle::frontend
