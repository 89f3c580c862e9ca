// Which devices there are: those with tables of their own, and those from the headers of avr-libc.
#include <fmt/format.h>

#include <cctype>

#include "avr/device.h"
#include "avr/devices/families.h"
#include "base/error.h"
#include "base/nearest.h"

namespace whittle::avr {

std::vector<const DeviceTable*> own_tables() {
  return {&kATmega1284P, &kATmega16,   &kATmega168,  &kATmega168P, &kATmega2560, &kATmega328, &kATmega328P, &kATmega32U4,
          &kATmega48,    &kATmega644,  &kATmega8,    &kATmega88,   &kATtiny13,   &kATtiny24,  &kATtiny44,   &kATtiny84,
          &kATtiny85};
}

std::vector<const DeviceTable*> device_tables() {
  std::vector<const DeviceTable*> out = own_tables();
  size_t own = out.size();
  for (const DeviceTable& table : header_devices()) {
    bool known = false;
    for (size_t i = 0; i < own; ++i) known |= std::string_view(out[i]->name) == table.name;
    if (!known) out.push_back(&table);
  }
  return out;
}

std::shared_ptr<const Device> find_device(std::string_view name) {
  std::string lower;
  for (char c : name) lower.push_back(char(std::tolower(static_cast<unsigned char>(c))));
  std::vector<std::string> names;
  for (const DeviceTable* table : device_tables()) {
    if (lower == table->name) return std::make_shared<Device>(*table);
    names.emplace_back(table->name);
  }
  std::string near = nearest(lower, names);
  if (near.empty()) fail_usage("unknown device '{}'; known devices: {}", name, fmt::join(names, ", "));
  fail_usage("unknown device '{}'; did you mean '{}'?", name, near);
}

std::string devices_text() {
  std::string out = fmt::format("{:<12} {:>9} {:>7} {:>8} {:>8} {:>10} {:>7}\n", "device", "flash", "RAM", "EEPROM",
                                "vectors", "registers", "timers");
  for (const DeviceTable* table : device_tables()) {
    Device device(*table);
    out += fmt::format("{:<12} {:>9} {:>7} {:>8} {:>8} {:>10} {:>7}\n", table->name, table->flash_bytes,
                       table->ram_end - table->ram_start + 1, table->eeprom_bytes, table->vector_count,
                       table->registers.size(), device.timers().size());
  }
  return out;
}

}  // namespace whittle::avr
