// What a checkpoint belongs to: the program, what is checked, and every option that decides what is searched.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "engines/engine.h"

namespace whittle::engines {

/// `free`: options that may differ when the search goes on. Those of checkpoints themselves may, too.
uint64_t task_digest(const program::Program& program, const verdict::Specification& specification,
                     const Settings& settings, std::span<const Option> options,
                     std::initializer_list<std::string_view> free);

}  // namespace whittle::engines
