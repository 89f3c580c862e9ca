// Devices that are relatives of those in tables.h.
#pragma once

#include "avr/devices/tables.h"

namespace whittle::avr {

extern const DeviceTable kATmega8;
extern const DeviceTable kATmega48;
extern const DeviceTable kATmega88;
extern const DeviceTable kATmega168;
extern const DeviceTable kATmega168P;
extern const DeviceTable kATmega328;
extern const DeviceTable kATmega644;
extern const DeviceTable kATmega1284P;
extern const DeviceTable kATtiny13;
extern const DeviceTable kATtiny24;
extern const DeviceTable kATtiny44;
extern const DeviceTable kATtiny84;

}  // namespace whittle::avr
