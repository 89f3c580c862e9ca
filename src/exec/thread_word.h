// How locks and names of threads say which thread they mean.
#pragma once

#include <cstdint>

namespace whittle::exec {

/// What the models put into memory to name the thread with this number (runtime/src/threads.h has the same formula): a
/// lock's owner, a pthread_t, perhaps with the highest bit set. The number of an ended thread is used again when its
/// word is nowhere in the state.
constexpr uint32_t thread_word(uint32_t number) { return (number + 1) | (~(number + 1) & 0x7fff) << 16; }

}  // namespace whittle::exec
