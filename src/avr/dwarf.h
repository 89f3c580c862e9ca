// Names from DWARF. Kept apart so that LLVM's headers stay in two files.
#pragma once

#include "avr/image.h"

namespace llvm::object {
class ObjectFile;
}

namespace whittle::avr {

/// Adds types, variables at fixed addresses, enumerators and source lines. Without debug information it adds nothing.
void read_dwarf(const llvm::object::ObjectFile& object, Names& names);

}  // namespace whittle::avr
