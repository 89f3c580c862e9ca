// ELF with LLVM's object library: segments by physical address, symbols, and the debug information next door.
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>

#include "avr/dwarf.h"
#include "avr/image.h"
#include "base/error.h"

namespace whittle::avr {

namespace {

using Elf = llvm::object::ELFObjectFile<llvm::object::ELF32LE>;
constexpr uint32_t kDataSpace = 0x800000, kEepromSpace = 0x810000;

std::string message(llvm::Error error) {
  std::string text = llvm::toString(std::move(error));
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

void load_segments(const Elf& elf, Image& image, const Device& device) {
  auto headers = elf.getELFFile().program_headers();
  if (!headers) fail_input("{}: {}", image.path, message(headers.takeError()));
  for (const auto& segment : *headers) {
    if (segment.p_type != llvm::ELF::PT_LOAD || segment.p_filesz == 0) continue;
    uint32_t at = segment.p_paddr;
    if (at >= kDataSpace) continue;  // EEPROM, fuses, lock bits
    auto content = elf.getELFFile().getSegmentContents(segment);
    if (!content) fail_input("{}: {}", image.path, message(content.takeError()));
    uint64_t end = uint64_t(at) + content->size();
    if (end > device.table().flash_bytes)
      fail_input("{}: firmware too large for {}: it needs {} bytes of flash, the device has {}", image.path,
                 device.name(), end, device.table().flash_bytes);
    if (end > image.flash.size()) image.flash.resize(end, 0xff);
    std::copy(content->begin(), content->end(), image.flash.begin() + at);
  }
  if (image.flash.empty()) fail_input("{}: no firmware in it (is it linked?)", image.path);
}

void load_symbols(const Elf& elf, Image& image, const Device& device) {
  uint32_t data_end = 0;
  for (const auto& symbol : elf.symbols()) {
    auto name = symbol.getName();
    auto value = symbol.getValue();
    if (!name || !value || name->empty()) {
      llvm::consumeError(name.takeError());
      llvm::consumeError(value.takeError());
      continue;
    }
    auto type = symbol.getELFType();
    uint64_t at = *value, size = symbol.getSize();
    if (*name == "_end" || *name == "__bss_end" || *name == "__data_end")
      data_end = std::max(data_end, at >= kDataSpace ? uint32_t(at - kDataSpace) : 0u);
    if (type == llvm::ELF::STT_FUNC && at < kDataSpace)
      image.names.functions.push_back({name->str(), uint32_t(at / 2), uint32_t(size / 2)});
    else if (at < kDataSpace && (name->starts_with("__vector") || *name == "main" || *name == "_exit" ||
                                 *name == "__stop_program" || *name == "__bad_interrupt" || *name == "__vectors"))
      image.names.functions.push_back({name->str(), uint32_t(at / 2), uint32_t(size / 2)});
    if (type == llvm::ELF::STT_OBJECT && at >= kDataSpace && at < kEepromSpace) {
      Variable v;
      v.name = name->str();
      v.address = uint16_t(at - kDataSpace);
      v.size = uint32_t(size);
      image.names.variables.push_back(std::move(v));
    }
  }
  if (data_end > uint32_t(device.ram_end()) + 1)
    fail_input("{}: its variables need RAM up to 0x{:x}, {} has RAM up to 0x{:x}", image.path, data_end - 1,
               device.name(), device.ram_end());
  if (data_end >= device.ram_start()) image.data_end = uint16_t(data_end);
  std::stable_sort(image.names.functions.begin(), image.names.functions.end(),
                   [](const Function& a, const Function& b) { return a.pc < b.pc; });
}

}  // namespace

Image parse_elf(std::string_view bytes, const std::string& path, const Device& device) {
  if (!bytes.starts_with("\x7f"
                         "ELF"))
    fail_input("{}: neither ELF nor Intel hex", path);
  auto buffer = llvm::MemoryBuffer::getMemBuffer({bytes.data(), bytes.size()}, path, false);
  auto object = llvm::object::ObjectFile::createObjectFile(buffer->getMemBufferRef());
  if (!object) fail_input("{}: damaged ELF: {}", path, message(object.takeError()));
  const auto* any = llvm::dyn_cast<llvm::object::ELFObjectFileBase>(object->get());
  if (any == nullptr) fail_input("{}: not an ELF file", path);
  const auto* elf = llvm::dyn_cast<Elf>(object->get());
  if (any->getEMachine() != llvm::ELF::EM_AVR || elf == nullptr)
    fail_input("{}: an ELF file for another machine ({}), not for AVR", path, std::string(any->getFileFormatName()));
  Image image;
  image.path = path;
  load_segments(*elf, image, device);
  load_symbols(*elf, image, device);
  read_dwarf(**object, image.names);
  // The C library's start-up code describes I/O registers as variables; the device's table knows them better.
  std::erase_if(image.names.variables, [&](const Variable& v) { return v.address < device.ram_start(); });
  bool stabs = false;
  for (const auto& section : elf->sections())
    if (auto name = section.getName())
      stabs |= *name == ".stab";
    else
      llvm::consumeError(name.takeError());
  if (stabs && image.names.lines.empty())
    image.warnings.push_back(path + ": debug information in the old stabs format is not read; compile with -gdwarf-4");
  return image;
}

}  // namespace whittle::avr
