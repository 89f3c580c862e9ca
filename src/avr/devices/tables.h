// The raw facts about a device, as data. device.h turns them into something that can be asked.
#pragma once

#include <cstdint>
#include <span>

namespace whittle::avr {

struct RegisterRow {
  uint16_t address;  ///< in the data space (the I/O address plus 0x20)
  const char* name;
  const char* bits;  ///< "TOV1=0 OCF1A=1": name and position
};

struct VectorRow {
  uint8_t number;  ///< 0 is reset
  const char* name;
};

/// Pins that a peripheral drives, or forces to be inputs, while one of its bits is set: then they do not read PORTx.
struct PinRow {
  const char* enable;  ///< "COM0A0 COM0A1": names of bits
  const char* pins;    ///< "PD6"
};

struct DeviceTable {
  const char* name;   ///< as avr-gcc spells it after -mmcu=
  const char* title;  ///< as the data sheet spells it
  uint32_t flash_bytes;
  uint16_t ram_start;  ///< first address of SRAM; everything between 0x20 and here is I/O
  uint16_t ram_end;    ///< last address of SRAM
  uint16_t eeprom_bytes;
  uint8_t vector_words;  ///< words between two interrupt vectors
  uint8_t vector_count;  ///< including reset
  uint8_t pc_bytes;      ///< bytes of a return address on the stack
  bool has_mul;
  bool has_elpm;       ///< more than 64 KiB of flash: ELPM, RAMPZ, EIJMP, EICALL
  bool pin_toggles;    ///< writing a one to a PINx bit toggles PORTx
  bool sp_at_ram_end;  ///< the stack pointer starts at the end of RAM instead of 0
  std::span<const RegisterRow> registers;
  std::span<const VectorRow> vectors;
  std::span<const PinRow> pins;
  bool from_headers = false;  ///< written at build time: no pins, and registers that nothing is known about
};

extern const DeviceTable kATmega16;
extern const DeviceTable kATmega328P;
extern const DeviceTable kATmega32U4;
extern const DeviceTable kATmega2560;
extern const DeviceTable kATtiny85;

/// Devices from the headers of avr-libc, as far as they were there when this was built.
std::span<const DeviceTable> header_devices();

}  // namespace whittle::avr
