#include "program/program.h"

#include <algorithm>
#include <cassert>

#include "base/error.h"

namespace whittle::program {

RegisterId Program::add_register(FunctionId function, unsigned width, std::string name, TypeId type) {
  std::vector<Register>& registers = functions.at(function).registers;
  auto id = static_cast<RegisterId>(registers.size());
  term::Term variable = terms_->variable(width, name.empty() ? "r" + std::to_string(id) : name);
  // Variables that are no registers (fresh ones of engines) may have been made in between.
  register_refs_.resize(variable.variable() + 1);
  register_refs_[variable.variable()] = {function, id};
  registers.push_back({variable, std::move(name), type});
  return id;
}

Program::RegisterRef Program::register_of(term::Term variable) const {
  assert(variable && variable.is_variable());
  uint32_t number = variable.variable();
  return number < register_refs_.size() ? register_refs_[number] : RegisterRef{};
}

std::optional<FunctionId> Program::find_function(std::string_view name) const {
  for (size_t i = 0; i < functions.size(); ++i)
    if (functions[i].name == name) return static_cast<FunctionId>(i);
  return std::nullopt;
}

std::optional<ObjectId> Program::find_object(std::string_view name) const {
  for (size_t i = 0; i < objects.size(); ++i)
    if (objects[i].name == name) return static_cast<ObjectId>(i);
  return std::nullopt;
}

std::optional<FunctionId> Program::function_at(uint64_t address) const {
  if (address < layout::kFunctionBase || (address - layout::kFunctionBase) % 16 != 0) return std::nullopt;
  uint64_t index = (address - layout::kFunctionBase) / 16;
  if (index >= functions.size()) return std::nullopt;
  return static_cast<FunctionId>(index);
}

std::optional<ObjectId> Program::object_at(uint64_t address) const {
  auto after = std::partition_point(objects.begin(), objects.end(), [&](const Object& object) {
    // Thread-local objects have no address; they keep the order because they take that of the object before them.
    return object.address <= address;
  });
  while (after != objects.begin()) {
    --after;
    if (after->thread_local_) continue;
    if (address - after->address >= after->size) return std::nullopt;
    return static_cast<ObjectId>(after - objects.begin());
  }
  return std::nullopt;
}

void Program::place_objects() {
  uint64_t next = layout::kStaticBase;
  uint64_t last = 0;
  for (Object& object : objects) {
    if (object.thread_local_) {
      object.address = last;
      continue;
    }
    uint64_t align = std::max<uint64_t>(object.align, 1);
    object.address = last = (next + align - 1) / align * align;
    if (object.size >= layout::kDynamicBase - layout::kStaticBase ||
        object.address + object.size + layout::kStaticGap > layout::kDynamicBase)
      fail_input("static objects take more than {} MiB: no room for `{}` of {} bytes",
                 (layout::kDynamicBase - layout::kStaticBase) >> 20, object.name, object.size);
    next = object.address + object.size + layout::kStaticGap;
  }
}

std::string Program::where(const SourcePosition& position) const {
  if (!position.known() || position.file >= files.size()) return "?";
  return files[position.file] + ":" + std::to_string(position.line);
}

}  // namespace whittle::program
