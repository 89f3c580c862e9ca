// What a step did to static memory, and where the parts of a state are: enough to do the same step again to the bytes
// of another state without running it.
//
//   Recording recording;
//   machine.bytes().set_recording(&recording);
//   machine.schedule(t);                       // fills it anew
//   machine.bytes().set_recording(nullptr);
//   if (recording.repeatable) ...              // what the step did depends on: the number and the part of thread t,
//   the
//                                              // dynamic objects, and the bytes that `accesses` read
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace whittle::exec {

struct Recording {
  struct Access {
    uint32_t offset = 0;  ///< in a state
    uint32_t size = 0;
    bool read = false, write = false;
  };
  std::vector<Access> accesses;  ///< of static objects, in order
  /// Other threads' parts, dynamic objects and the set of threads are what they were and played no part, and all
  /// accesses are there.
  bool repeatable = false;
  /// There are objects that others cannot reach: whoever writes what may be a pointer must look after them.
  bool confined = false;

  void clear() {
    accesses.clear();
    repeatable = true;
    confined = false;
  }
};

/// Where the parts of a state are.
struct StateParts {
  struct Part {
    uint32_t begin = 0, length = 0;  ///< with the number that says how long it is
    bool alive = false;
  };
  bool scheduling = false;     ///< a scheduling point
  uint32_t threads_begin = 0;  ///< before it: two bytes, then static memory
  std::vector<Part> threads;   ///< by number
  uint32_t alive = 0;          ///< how many
  uint32_t objects = 0;        ///< begin of the dynamic objects; they go up to the end
};

}  // namespace whittle::exec
