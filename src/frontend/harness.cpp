#include "frontend/harness.h"

#include <fmt/format.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/nearest.h"
#include "frontend/declared_bounds.h"
#include "frontend/harness_types.h"

namespace whittle::frontend {
namespace {

namespace dwarf = llvm::dwarf;

constexpr unsigned kVoidBytes = 16;       ///< of an object that nothing is known about
constexpr uint64_t kMostPointers = 4;     ///< of an array of pointers inside an object that are made one by one
constexpr uint64_t kLengthBound = 16;     ///< of a buffer that has a length and no bound

/// How names made for "p.items" and "p->items" begin.
std::string as_path(std::string name) {
  for (size_t at; (at = name.find("->")) != std::string::npos;) name.replace(at, 2, ".");
  std::ranges::replace(name, '.', '_');
  return name;
}

/// "p.items": "p" and "items"; "" and the name if it is no member.
std::pair<std::string, std::string> split_member(std::string name) {
  for (size_t at; (at = name.find("->")) != std::string::npos;) name.replace(at, 2, ".");
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos) return {"", name};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

bool is_member(const std::string& name) { return !split_member(name).first.empty(); }

class HarnessWriter {
 public:
  HarnessWriter(const llvm::Module& module, const std::string& name, const HarnessOptions& options)
      : module_(module), name_(name), options_(options) {}

  Harness run() {
    const llvm::Function* function = module_.getFunction(name_);
    const llvm::DISubprogram* subprogram = function ? function->getSubprogram() : nullptr;
    if (!subprogram) fail_input("`{}` has no debug information: no harness can be made for it", name_);
    types_ = subprogram->getType()->getTypeArray();
    find_names(*subprogram);
    for (std::string& parameter : names_)
      if (parameter == name_) parameter += '_';  // it would hide the function
    refuse_unknown();
    take_declared_lengths();
    if (options_.any_globals) make_globals();
    for (const auto& [buffer, length] : options_.lengths)
      if (!is_member(buffer)) make_length(buffer);
    std::string arguments;
    for (size_t i = 0; i < names_.size(); ++i) {
      make_parameter(i);
      arguments += (i > 0 ? ", " : "") + names_[i];
    }
    line(fmt::format("{}({});", name_, arguments));
    refuse_unused();
    if (objects_) harness_.assumptions.push_back(fmt::format("pointers of `{}` lead to objects of their own, never to the same one or to a global variable", name_));
    if (ends_) harness_.assumptions.push_back(fmt::format("pointers in them lead at most {} object{} deep, then are null (--depth)", options_.depth, options_.depth == 1 ? "" : "s"));
    if (texts_) harness_.assumptions.push_back(fmt::format("texts in them have up to {} characters", options_.string_bound));
    return std::move(harness_);
  }

 private:
  void line(const std::string& text) { harness_.body += std::string(2 * (1 + indent_), ' ') + text + "\n"; }
  const llvm::DIType* type_of(size_t parameter) const { return types_[static_cast<unsigned>(parameter) + 1]; }

  void find_names(const llvm::DISubprogram& subprogram) {
    const size_t count = types_.size() > 0 ? types_.size() - 1 : 0;
    for (size_t i = 0; i < count; ++i) names_.push_back(fmt::format("argument{}", i + 1));
    bounds_.resize(count);
    if (count > 0 && !types_[types_.size() - 1]) names_.pop_back();  // "..."
    for (const llvm::DINode* node : subprogram.getRetainedNodes())
      if (auto* variable = llvm::dyn_cast<llvm::DILocalVariable>(node))
        if (variable->getArg() > 0 && variable->getArg() <= names_.size() && !variable->getName().empty())
          names_[variable->getArg() - 1] = variable->getName().str();
    // The variables themselves are retained for optimised code only.
    const llvm::Function& function = *module_.getFunction(name_);
    for (const llvm::BasicBlock& block : function)
      for (const llvm::Instruction& instruction : block)
        for (const llvm::DbgRecord& record : instruction.getDbgRecordRange())
          if (auto* declared = llvm::dyn_cast<llvm::DbgVariableRecord>(&record))
            if (unsigned number = declared->getVariable()->getArg(); number > 0 && number <= names_.size()) {
              names_[number - 1] = declared->getVariable()->getName().str();
              bounds_[number - 1] = declared_bound(*declared->getVariable(), declared->getDebugLoc());
            }
  }

  /// `int a[n], int n` (in any order) says what --length a:n says.
  void take_declared_lengths() {
    for (size_t i = 0; i < names_.size(); ++i) {
      const std::string& bound = bounds_[i];
      auto length = std::ranges::find(names_, bound);
      std::string other;
      if (bound.empty() || length == names_.end() || is_length(bound, other)) continue;
      const llvm::DIType* type = plain(type_of(static_cast<size_t>(length - names_.begin())));
      if (is_pointer(type) || is_sized(names_[i])) continue;
      options_.lengths.emplace(names_[i], bound);
      harness_.assumptions.push_back(fmt::format("{} of `{}` is the number of elements of {}, as declared", bound, name_, names_[i]));
    }
  }
  /// Does an option say how large it is?
  bool is_sized(const std::string& name) const {
    return options_.buffers.contains(name) || options_.strings.contains(name) || options_.lengths.contains(name);
  }

  void refuse_unknown() const {
    auto check = [&](const char* option, const std::string& name) {
      // Members, and elements of arrays of pointers, are found when they are made.
      if (is_member(name) || name.ends_with(kElements)) return;
      if (std::ranges::find(names_, name) == names_.end())
        fail_usage("--{} {}: `{}` has no parameter of that name{}", option, name, name_, suggestion(name, names_));
    };
    for (const auto& [name, bound] : options_.buffers) check("buffer", name);
    for (const auto& [name, bound] : options_.strings) check("string", name);
    for (const auto& [name, length] : options_.lengths) {
      check("length", name), check("length", length);
      if (split_member(name).first != split_member(length).first) fail_usage("--length {}:{}: the length of a member is a member of the same object", name, length);
    }
    for (const std::string& name : options_.may_be_null) check("null", name);
    for (const auto& [name, bound] : options_.strings)
      if (options_.buffers.contains(name)) fail_usage("{} is given as --buffer and as --string: it can be made as one of them", name);
    for (size_t i = 0; i < names_.size(); ++i)
      for (const auto* sized : {&options_.buffers, &options_.strings})
        if (sized->contains(names_[i]) && !is_pointer(plain(type_of(i)))) fail_usage("parameter {} of `{}` is no pointer", names_[i], name_);
  }

  /// Members that were named, and are in nothing that was made.
  void refuse_unused() const {
    auto check = [&](const char* option, const std::string& name) {
      if ((is_member(name) || name.ends_with(kElements)) && !used_.contains(as_path(name)))
        fail_usage("--{} {}: the arguments of `{}` have no such pointer", option, name, name_);
    };
    for (const auto& [name, bound] : options_.buffers) check("buffer", name);
    for (const auto& [name, bound] : options_.strings) check("string", name);
    for (const auto& [name, length] : options_.lengths) check("length", name);
    for (const std::string& name : options_.may_be_null) check("null", name);
  }

  /// What an option says of the member with this path.
  template <typename Options>
  const typename Options::mapped_type* said(const Options& options, const std::string& path) {
    for (const auto& [name, value] : options)
      if (is_member(name) && as_path(name) == path) return used_.insert(path), &value;
    return nullptr;
  }
  bool said_null(const std::string& path) {
    for (const std::string& name : options_.may_be_null)
      if ((is_member(name) || name.ends_with(kElements)) && as_path(name) == path) return used_.insert(path), true;
    return false;
  }

  static bool is_argument_list(const llvm::DIType* type) {
    return is_pointer(type) && plain(pointee(type)) && plain(pointee(type))->getName() == "__va_list_tag";
  }

  /// A fresh name of an input function with this result; whittle shows it beside the input's value.
  std::string input(const std::string& type, const std::string& what) {
    std::string function = "nondet_" + what;
    if (declared_.insert(function).second) harness_.declarations += fmt::format("{};\n", fmt::format("extern {} {}(void)", type, function));
    return function + "()";
  }

  /// Of a long double, one that a double holds: others are not followed anywhere.
  std::string any_value(const llvm::DIType* type, const std::string& name) {
    auto* basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(plain(type));
    if (!basic || basic->getName() != "long double") return input(declare(type, ""), name);
    harness_.assumptions.push_back(fmt::format("{} of `{}` is a value that a double holds", name, name_));
    return input("double", name);
  }

  void make_length(const std::string& buffer) {
    auto bound = options_.buffers.find(buffer), text = options_.strings.find(buffer);
    make_length(buffer, bound != options_.buffers.end() ? bound->second : text != options_.strings.end() ? text->second : kLengthBound);
  }
  void make_length(const std::string& path, uint64_t most) {
    line(fmt::format("__SIZE_TYPE__ {0}_size = {1};", path, input("__SIZE_TYPE__", path + "_size")));
    line(fmt::format("__VERIFIER_assume({}_size <= {});", path, most));
  }

  bool is_length(const std::string& name, std::string& buffer) const {
    for (const auto& [of, length] : options_.lengths)
      if (length == name) return buffer = of, true;
    return false;
  }

  void make_parameter(size_t i) {
    const llvm::DIType* type = plain(type_of(i), true);
    const llvm::DIType* bare = plain(type);
    const std::string& name = names_[i];
    if (is_argument_list(bare))
      fail_input("parameter {} of `{}` is a va_list: write a program that calls it, and check that", name, name_);
    if (!can_be_named(type))
      fail_input("parameter {} of `{}` has a type without a name: give the struct a name", name, name_);
    if (has_variable_size(type))
      fail_input("parameter {} of `{}` is an array of arrays of variable length: write a program that calls it, and check that", name, name_);
    std::string buffer;
    if (is_length(name, buffer)) {
      line(fmt::format("{} = ({}){}_size;", declare(type, name), declare(type, ""), buffer));
    } else if (is_pointer(bare)) {
      make_pointer_parameter(name, bare, bounds_[i]);
    } else if (composite(bare) && bare->getTag() != dwarf::DW_TAG_enumeration_type) {
      line(declare(type, name) + ";");
      fill(name, bare, name, options_.depth);
    } else {
      line(fmt::format("{} = {};", declare(type, name), any_value(type, name)));
    }
  }

  void make_pointer_parameter(const std::string& name, const llvm::DIType* bare, const std::string& bound) {
    const llvm::DIType* target = plain(pointee(bare), true);
    const llvm::DIType* element = plain(target);
    // The length of a text is the number of its characters, without its end.
    const bool named = options_.buffers.contains(name) || (options_.lengths.contains(name) && !options_.strings.contains(name));
    const bool null = options_.may_be_null.contains(name);
    if (element && element->getTag() == dwarf::DW_TAG_subroutine_type) {
      line(fmt::format("{} = {};", declare(bare, name), callback(*llvm::cast<llvm::DISubroutineType>(element), name)));
      return;
    }
    // Declared without const, so that it can be filled.
    const bool unsized = !element || is_incomplete(element);
    const LibraryObject* library = library_object(pointee(bare));
    const bool handle = library && library->by_pointer;
    std::string declaration = unsized && !handle ? "char *" + name : declare_pointer(target, name);
    line("static " + declaration + ";");  // what it points to is still known to somebody when the program ends
    if (null) line(fmt::format("if (!{}) {{", input("_Bool", name + "_is_null"))), ++indent_;
    if (handle && !named)
      make_handle(name, *library);
    else if (named)
      make_buffer(name, target, unsized);
    else if (!bound.empty() && !unsized && !options_.strings.contains(name))
      make_array(name, target, bound);
    else if (options_.strings.contains(name) || (is_character(element) && !named))
      make_string(name);
    else
      make_object(name, target, unsized);
    if (null) --indent_, line("}");
  }

  void make_handle(const std::string& place, const LibraryObject& object) {
    line(fmt::format("{} = {};", place, object.maker));
    line(fmt::format("__VERIFIER_assume({} != 0);", place));
    assume_library(object);
  }
  void assume_library(const LibraryObject& object) {
    if (used_.insert(std::string(object.type)).second)
      harness_.assumptions.push_back(fmt::format("each {} that `{}` is given is {}", object.type, name_, object.what));
  }

  static std::string declare_pointer(const llvm::DIType* target, const std::string& name) {
    const bool bracket = target->getTag() == dwarf::DW_TAG_subroutine_type || target->getTag() == dwarf::DW_TAG_array_type;
    return declare(target, bracket ? "(*" + name + ")" : "*" + name);
  }

  void make_buffer(const std::string& name, const llvm::DIType* element, bool unsized) {
    if (!options_.lengths.contains(name)) make_length(name);
    line(fmt::format("{0} = malloc({0}_size{1});", name, unsized ? "" : fmt::format(" * sizeof *{}", name)));
    auto bound = options_.buffers.find(name);
    assume(name, fmt::format("an object of 0 to {} {}", bound == options_.buffers.end() ? kLengthBound : bound->second,
                             unsized ? "bytes" : "elements"));
    if (!unsized) fill_elements(name, name, element, options_.depth);
  }

  /// As long as it is declared to be.
  void make_array(const std::string& name, const llvm::DIType* element, const std::string& bound) {
    const bool open = std::ranges::any_of(names_, [&](const std::string& parameter) { return mentions(bound, parameter); });
    line(fmt::format("__SIZE_TYPE__ {}_size = {};", name, bound));
    if (open) line(fmt::format("__VERIFIER_assume({}_size <= {});", name, kLengthBound));
    line(fmt::format("{0} = malloc({0}_size * sizeof *{0});", name));
    assume(name, fmt::format("an object of {} element{}, as declared{}", bound, bound == "1" ? "" : "s", open ? fmt::format(", up to {}", kLengthBound) : ""));
    fill_elements(name, name, element, options_.depth);
  }

  /// Of `object`, whose length is in PATH_size. Pointers among them are null only where the user says so.
  void fill_elements(const std::string& object, const std::string& path, const llvm::DIType* element, unsigned depth) {
    if (!has_parts(element, depth)) return;
    const std::string index = "at_" + path;
    line(fmt::format("for (__SIZE_TYPE__ {0} = 0; {0} < {1}_size; {0}++) {{", index, path));
    ++indent_;
    const std::string place = fmt::format("{}[{}]", object, index);
    if (is_pointer(plain(element)))
      fill_pointer(place, plain(element), path, depth, said_null(path + kElements));
    else
      fill(place, element, path, depth);
    --indent_;
    line("}");
  }

  void make_string(const std::string& name) {
    auto given = options_.strings.find(name);
    const uint64_t bound = given == options_.strings.end() ? options_.string_bound : given->second;
    const bool known = options_.lengths.contains(name);
    line(fmt::format("__SIZE_TYPE__ {0}_length = {1};", name, known ? name + "_size" : input("__SIZE_TYPE__", name + "_length")));
    if (!known) line(fmt::format("__VERIFIER_assume({}_length <= {});", name, bound));
    line(fmt::format("{0} = malloc({0}_length + 1);", name));
    line(fmt::format("{0}[{0}_length] = 0;", name));
    assume(name, fmt::format("a string of up to {} characters", bound));
  }

  void make_object(const std::string& name, const llvm::DIType* element, bool unsized) {
    if (unsized) {
      line(fmt::format("{} = malloc({});", name, kVoidBytes));
      assume(name, fmt::format("an object of {} bytes", kVoidBytes));
      return;
    }
    line(fmt::format("{0} = malloc(sizeof *{0});", name));
    assume(name, fmt::format("one object of its type (--buffer {}=N: up to N of them)", name));
    fill("(*" + name + ")", element, name, options_.depth);
  }

  void assume(const std::string& name, const std::string& what) {
    objects_ = true;
    const bool null = options_.may_be_null.contains(name);
    harness_.assumptions.push_back(fmt::format("{} of `{}` points to {}{}", name, name_, what, null ? ", or is null" : ""));
  }

  /// Is there something in an object of this type that has to be set: a pointer, or what the library makes?
  bool has_parts(const llvm::DIType* type, unsigned depth) const {
    if (library_object(type)) return true;
    type = plain(type);
    if (is_pointer(type)) return true;
    if (!composite(type) || is_incomplete(type)) return false;
    if (type->getTag() == dwarf::DW_TAG_array_type) return has_parts(composite(type)->getBaseType(), depth);
    if (!is_struct(type)) return false;
    for (const llvm::DINode* node : composite(type)->getElements())
      if (auto* member = llvm::dyn_cast<llvm::DIDerivedType>(node); member && has_parts(member->getBaseType(), depth)) return true;
    return false;
  }

  /// Sets the pointers in the object that `place` names, and what the library makes. `path` is a part of names made for them.
  void fill(const std::string& place, const llvm::DIType* type, const std::string& path, unsigned depth) {
    if (const LibraryObject* object = library_object(type)) {
      if (object->by_pointer) return;
      std::string maker(object->maker);
      line(maker.replace(maker.find('$'), 1, place) + ";");
      return assume_library(*object);
    }
    type = plain(type);
    if (!has_parts(type, depth)) return;
    if (is_pointer(type)) return fill_pointer(place, type, path, depth, true);
    if (type->getTag() == dwarf::DW_TAG_array_type) return fill_array(place, *composite(type), path, depth);
    for (const llvm::DINode* node : composite(type)->getElements()) {
      auto* member = llvm::dyn_cast<llvm::DIDerivedType>(node);
      if (!member || member->getTag() != dwarf::DW_TAG_member) continue;
      // Members of an unnamed struct are named as if they were the object's own.
      const bool unnamed = member->getName().empty();
      fill(unnamed ? place : place + "." + member->getName().str(), member->getBaseType(),
           unnamed ? path : path + "_" + member->getName().str(), depth);
    }
    for (const auto& [buffer, length] : options_.lengths)
      if (auto [object, member] = split_member(buffer); !object.empty() && as_path(object) == path)
        line(fmt::format("{}.{} = {}_size;", place, split_member(length).second, as_path(buffer)));
  }

  void fill_array(const std::string& place, const llvm::DICompositeType& array, const std::string& path, unsigned depth) {
    uint64_t count = array.getElements().size() == 1 ? 1 : 0;
    for (const llvm::DINode* element : array.getElements()) {
      auto* range = llvm::dyn_cast<llvm::DISubrange>(element);
      auto* number = range ? llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getCount()) : nullptr;
      count *= number && number->getSExtValue() > 0 ? number->getZExtValue() : 0;
    }
    if (count == 0) return;
    if (count <= kMostPointers) {
      for (uint64_t i = 0; i < count; ++i)
        fill(fmt::format("{}[{}]", place, i), array.getBaseType(), fmt::format("{}_{}", path, i), depth);
      return;
    }
    std::string index = fmt::format("i_{}", path);
    line(fmt::format("for (__SIZE_TYPE__ {0} = 0; {0} < {1}; {0}++) {{", index, count));
    ++indent_;
    fill(fmt::format("{}[{}]", place, index), array.getBaseType(), path, 0);
    --indent_;
    line("}");
  }

  void fill_pointer(const std::string& place, const llvm::DIType* type, const std::string& path, unsigned depth, bool may_be_null) {
    const llvm::DIType* element = plain(pointee(type));
    if (element && element->getTag() == dwarf::DW_TAG_subroutine_type) {
      line(fmt::format("{} = {};", place, callback(*llvm::cast<llvm::DISubroutineType>(element), path)));
      return;
    }
    line(place + " = 0;");
    const uint64_t* elements = said(options_.buffers, path);
    const uint64_t* characters = said(options_.strings, path);
    const bool length = said(options_.lengths, path);
    if (elements || characters || length) {
      may_be_null = said_null(path);
    } else if (depth == 0) {
      ends_ = true;
      return;
    }
    if (elements || length) return fill_buffer(place, plain(pointee(type), true), path, depth, elements ? *elements : kLengthBound, may_be_null);
    line(may_be_null ? fmt::format("if (!{}) {{", input("_Bool", path + "_is_null")) : "{");
    ++indent_;
    if (characters || is_character(element)) {
      make_text(place, path, characters ? *characters : options_.string_bound);
      texts_ |= !characters;
    } else if (const LibraryObject* object = library_object(pointee(type)); object && object->by_pointer) {
      make_handle(place, *object);
    } else if (!element || is_incomplete(element)) {
      line(fmt::format("{} = malloc({});", place, kVoidBytes));
    } else {
      line(fmt::format("__typeof_unqual__(*{0}) *{1}_object = malloc(sizeof *{1}_object);", place, path));
      fill(fmt::format("(*{}_object)", path), pointee(type), path, depth - 1);
      line(fmt::format("{} = {}_object;", place, path));
    }
    --indent_;
    line("}");
  }

  void make_text(const std::string& place, const std::string& path, uint64_t most) {
    line(fmt::format("__SIZE_TYPE__ length = {};", input("__SIZE_TYPE__", path + "_length")));
    line(fmt::format("__VERIFIER_assume(length <= {});", most));
    line("char *text = malloc(length + 1);");
    line("text[length] = 0;");
    line(fmt::format("{} = text;", place));
  }

  /// A member that leads to several elements.
  void fill_buffer(const std::string& place, const llvm::DIType* element, const std::string& path, unsigned depth, uint64_t most, bool may_be_null) {
    const bool unsized = !element || is_incomplete(element);
    make_length(path, most);
    if (may_be_null) line(fmt::format("if ({}) {}_size = 0;", input("_Bool", path + "_is_null"), path));
    line(may_be_null ? "else {" : "{");
    ++indent_;
    if (unsized) {
      line(fmt::format("{} = malloc({}_size);", place, path));
    } else {
      line(fmt::format("__typeof_unqual__(*{0}) *{1}_object = malloc({1}_size * sizeof *{1}_object);", place, path));
      fill_elements(path + "_object", path, element, depth > 0 ? depth - 1 : 0);
      line(fmt::format("{} = {}_object;", place, path));
    }
    --indent_;
    line("}");
    objects_ = true;
    harness_.assumptions.push_back(fmt::format("{} of `{}` points to an object of 0 to {} {}{}", path, name_, most, unsized ? "bytes" : "elements", may_be_null ? ", or is null" : ""));
  }

  /// A function of this type that returns any value.
  std::string callback(const llvm::DISubroutineType& type, const std::string& path) {
    llvm::DITypeRefArray types = type.getTypeArray();
    const llvm::DIType* result = types.size() > 0 ? types[0] : nullptr;
    std::string name = "callback_" + path;
    if (!declared_.insert(name).second) return name;
    std::string parameters;
    for (unsigned i = 1; i < types.size(); ++i)
      parameters += (i > 1 ? ", " : "") + (types[i] ? declare(types[i], fmt::format("unused{}", i)) : std::string("..."));
    std::string head = fmt::format("{}({})", name, parameters.empty() ? "void" : parameters);
    std::string body = result ? " return " + any_value(plain(result, true), name) + ";" : "";
    harness_.declarations += fmt::format("static {} {{{} }}\n", declare(result, head), body);
    harness_.assumptions.push_back(fmt::format("{} of `{}` is a function that returns any value and changes nothing", path, name_));
    return name;
  }

  void make_globals() {
    std::vector<llvm::DIGlobalVariableExpression*> found;
    for (const llvm::GlobalVariable& variable : module_.globals()) {
      if (variable.isDeclaration() || variable.isConstant()) continue;
      llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> info;
      variable.getDebugInfo(info);
      for (llvm::DIGlobalVariableExpression* one : info)
        // A static variable of a function cannot be named here.
        if (llvm::isa_and_nonnull<llvm::DIFile>(one->getVariable()->getScope()) || llvm::isa_and_nonnull<llvm::DICompileUnit>(one->getVariable()->getScope()))
          found.push_back(one);
        else
          harness_.assumptions.push_back(fmt::format("static variable `{}` of a function starts as initialised", one->getVariable()->getName()));
    }
    for (const llvm::DIGlobalVariableExpression* one : found) {
      const llvm::DIGlobalVariable& variable = *one->getVariable();
      std::string name = variable.getName().str();
      const llvm::DIType* type = plain(variable.getType());
      if (library_object(variable.getType())) {
        fill(name, variable.getType(), name, options_.depth);
      } else if (is_pointer(type)) {
        fill_pointer(name, type, name, options_.depth, true);
      } else if (composite(type) && type->getTag() != dwarf::DW_TAG_enumeration_type) {
        line(fmt::format("klee_make_symbolic((void *)&{0}, sizeof {0}, \"{0}\");", name));
        fill(name, variable.getType(), name, options_.depth);
      } else {
        line(fmt::format("{} = {};", name, any_value(plain(variable.getType(), true), name)));
      }
    }
    if (!found.empty()) harness_.assumptions.push_back("global variables start with any value");
  }

  const llvm::Module& module_;
  const std::string& name_;
  static constexpr const char* kElements = "[]";
  HarnessOptions options_;  ///< and what declarations say
  llvm::DITypeRefArray types_;
  std::vector<std::string> names_, bounds_;  ///< of parameters; texts between brackets
  std::set<std::string> used_;               ///< members that options name, as paths; types of the library
  std::set<std::string> declared_;
  Harness harness_;
  bool objects_ = false;  ///< were any made?
  bool ends_ = false;   ///< is a pointer null because the depth is reached?
  bool texts_ = false;  ///< do objects hold texts?
  unsigned indent_ = 0;
};

}  // namespace

Harness make_harness(const llvm::Module& module, const std::string& function, const HarnessOptions& options) {
  return HarnessWriter(module, function, options).run();
}

namespace {

/// What is in a file before the declarations.
std::string head(const Harness& harness, const std::string& source, const std::string& function, bool has_main) {
  std::string text = fmt::format("// A harness for {}: whittle check THIS-FILE. Change it as you like.\n", function);
  for (const std::string& assumption : harness.assumptions) text += "// " + assumption + "\n";
  text += "#include <stdlib.h>\n\n";
  if (has_main) text += "#define main main_of_the_program\n";
  text += "#include \"" + source + "\"\n";
  if (has_main) text += "#undef main\n";
  return text + "\n";
}

}  // namespace

std::string harness_function(const Harness& harness, const std::string& name, bool has_main) {
  // The source may have no declaration of malloc, and objects of the harness are there whatever malloc does.
  std::string body = harness.body;
  constexpr std::string_view kMalloc = " = malloc(", kNew = " = __whittle_new(";
  for (size_t at = body.find(kMalloc); at != std::string::npos; at = body.find(kMalloc, at + kNew.size()))
    body.replace(at, kMalloc.size(), kNew);
  const std::string before = head(harness, "", "", has_main);
  return fmt::format("extern void *__whittle_new(__SIZE_TYPE__);\n# {} \"harness\"\n{}\nvoid {}(void) {{\n{}}}\n", std::ranges::count(before, '\n') + 1,
                     harness.declarations, name, body);
}

std::string harness_file(const Harness& harness, const std::string& source, const std::string& function, bool has_main) {
  return head(harness, source, function, has_main) + harness.declarations + "\nint main(void) {\n" + harness.body + "}\n";
}

}  // namespace whittle::frontend
