#include "program/program.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/error.h"

namespace whittle::program {

bool Extent::contains(const SourcePosition& position) const {
  if (!known() || !position.known()) return true;
  return std::pair(position.line, position.column) >= std::pair(first_line, first_column) &&
         std::pair(position.line, position.column) <= std::pair(last_line, last_column);
}


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

std::optional<FunctionId> Program::find(FunctionRole role) const {
  for (FunctionId f = 0; f < functions.size(); ++f)
    if (functions[f].role == role) return f;
  return std::nullopt;
}

std::optional<ObjectId> Program::find(ObjectRole role) const {
  for (ObjectId o = 0; o < objects.size(); ++o)
    if (objects[o].role == role) return o;
  return std::nullopt;
}

uint64_t Program::pointee_size(const Function& function, RegisterId parameter) const {
  if (parameter >= function.parameter_count) return 0;
  const Type& pointer = types[function.registers[parameter].type];
  return pointer.kind == Type::Kind::Pointer ? types[pointer.element].size : 0;
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
  // The widest gaps there is room for: see the comment in the header.
  for (uint64_t spread = layout::kStaticSpread;; spread = layout::kStaticGap) {
    if (const Object* homeless = place_objects(spread)) {
      if (spread == layout::kStaticGap)
        fail_input("static objects take more than {} MiB: no room for `{}` of {} bytes",
                   (layout::kDynamicBase - layout::kStaticBase) >> 20, homeless->name, homeless->size);
      continue;
    }
    return;
  }
}

const Object* Program::place_objects(uint64_t spread) {
  uint64_t end = layout::kStaticBase, last = 0, last_size = 0;
  for (Object& object : objects) {
    if (object.thread_local_) {
      object.address = last;
      continue;
    }
    if (object.size >= layout::kDynamicBase - layout::kStaticBase) return &object;
    uint64_t align = std::max<uint64_t>(object.align, 1);
    uint64_t gap = spread == layout::kStaticGap
                       ? spread
                       : std::max(spread, std::min(layout::kStaticSpreadMost, std::max(object.size, last_size)));
    object.address = last = (end + gap + align - 1) / align * align;
    last_size = object.size;
    end = object.address + object.size;
    if (end + gap > layout::kDynamicBase) return &object;
  }
  return nullptr;
}

std::string Program::where(const SourcePosition& position) const {
  if (!position.known() || position.file >= files.size()) return "?";
  return files[position.file] + ":" + std::to_string(position.line);
}

}  // namespace whittle::program
