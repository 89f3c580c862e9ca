// The processes of one run that were started together, and the messages between them.
//
//   std::unique_ptr<Group> group = join();              // null: this process is alone
//   group->send(1, bytes);
//   for (Message message; group->receive(message);) ...
//
// Messages are bytes. Nothing waits: what is sent goes out while the sender works on, and who has nothing to do looks again
// after a while (idle()). Messages from one process to another arrive in the order in which they were sent.
// Two kinds: processes started by mpirun (mpi/, a library that is loaded only then) and threads (local_group.h), for tests.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace whittle::cluster {

struct Message {
  unsigned from = 0;
  std::vector<uint8_t> bytes;
};

class Group {
 public:
  virtual ~Group() = default;

  /// 0 .. size()-1. Process 0 reads the command line, gives out work and prints.
  virtual unsigned rank() const = 0;
  virtual unsigned size() const = 0;
  /// Processes of the group on this machine, this one included: they share its cores.
  virtual unsigned size_here() const = 0;

  virtual void send(unsigned to, std::vector<uint8_t> bytes) = 0;
  /// False: there is no message.
  virtual bool receive(Message& message) = 0;
  /// Bytes sent that are still held here, because the receiver has not taken them. Who sends much looks at it.
  virtual uint64_t unsent() = 0;
  /// Nothing to do: lets others run, the longer the more often it is called in a row. busy() begins a new row.
  virtual void idle() = 0;
  virtual void busy() = 0;

  /// The last call, by all: what was sent is delivered. Not when a process was lost: then the processes simply end.
  virtual void leave() = 0;
};

/// What follows "interrupted" in messages of a group.
inline constexpr std::string_view kWhyInterrupted = " (mpirun ends a run this way, too, when one of its processes is lost)";

/// The group this process was started in; null if it was started alone. `library`: mpi.so, empty if there is none.
/// Throws Error (usage) when it was started by mpirun with others, but has no way to talk to them.
std::unique_ptr<Group> join(const std::string& library);

/// Was this process started together with others?
bool started_with_others();

}  // namespace whittle::cluster
