// What the world around the chip is allowed to do. Without restrictions every input bit may be anything at every read
// and every enabled interrupt may come at any time.
//
//   # the door contact is closed, the keypad has three keys, and INT1 comes at most twice
//   PINA.0 = 1
//   PIND in 0x00, 0x10, 0x20, 0x40..0x43
//   never TIMER1_OVF
//   at most 2 INT1
//   never watchdog
//   stack ucHeap                   # tasks have their stacks in this variable; or: stack 0x0200..0x02ff
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "avr/device.h"

namespace whittle::avr {

struct Environment {
  struct Fixed {
    uint8_t mask = 0, value = 0;
  };
  std::map<uint16_t, Fixed> fixed;                   ///< by register address
  std::map<uint16_t, std::vector<uint8_t>> allowed;  ///< by register address
  std::vector<uint8_t> never;                        ///< vectors
  std::map<uint8_t, uint8_t> at_most;                ///< by vector
  bool watchdog_resets = true;
  /// RAM in which the program has further stacks: an object's name, or addresses.
  struct Stack {
    std::string object;
    uint16_t from = 0, to = 0;
    std::string where;  ///< "room.env:3"
  };
  std::vector<Stack> stacks;
};

/// Error(BadInput) "NAME:LINE: ..." with the nearest name where one was misspelt.
Environment parse_environment(std::string_view text, const std::string& name, const Device& device);
Environment load_environment(const std::string& path, const Device& device);

}  // namespace whittle::avr
