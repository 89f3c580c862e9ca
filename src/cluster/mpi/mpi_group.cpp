// Processes that mpirun started. MPI knows how to reach them; nothing here depends on where they run.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <list>
#include <thread>

#include "cluster/group.h"

namespace whittle::cluster {
namespace {

class MpiGroup final : public Group {
 public:
  MpiGroup() {
    // Open MPI ends a process that was reading the memory of one that dies, before it can say anything. A setting of the user stays.
    ::setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 0);
    ::setenv("OMPI_MCA_btl_sm_single_copy_mechanism", "none", 0);
    // Only the thread that joined calls it.
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    rank_ = ask(MPI_Comm_rank, MPI_COMM_WORLD);
    size_ = ask(MPI_Comm_size, MPI_COMM_WORLD);
    MPI_Comm here;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    size_here_ = ask(MPI_Comm_size, here);
    MPI_Comm_free(&here);
  }

  unsigned rank() const override { return rank_; }
  unsigned size() const override { return size_; }
  unsigned size_here() const override { return size_here_; }

  void send(unsigned to, std::vector<uint8_t> bytes) override {
    clear_sent();
    Sent& sent = sent_.emplace_back();
    sent.bytes = std::move(bytes);
    unsent_ += sent.bytes.size();
    MPI_Isend(sent.bytes.data(), static_cast<int>(sent.bytes.size()), MPI_BYTE, static_cast<int>(to), kTag, MPI_COMM_WORLD, &sent.request);
  }
  bool receive(Message& message) override {
    int there = 0;
    MPI_Message matched;
    MPI_Status status;
    MPI_Improbe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &there, &matched, &status);
    if (there == 0) {
      clear_sent();
      return false;
    }
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    message.from = static_cast<unsigned>(status.MPI_SOURCE);
    message.bytes.resize(static_cast<size_t>(count));
    MPI_Mrecv(message.bytes.data(), count, MPI_BYTE, &matched, MPI_STATUS_IGNORE);
    return true;
  }
  uint64_t unsent() override {
    clear_sent();
    return unsent_;
  }
  void idle() override {
    idle_ = std::min(idle_ + 1, kLongestIdle);
    std::this_thread::sleep_for(std::chrono::microseconds(10 * idle_));
  }
  void busy() override { idle_ = 0; }
  void leave() override { MPI_Finalize(); }

 private:
  static constexpr int kTag = 1;
  static constexpr int kLongestIdle = 100;  ///< times 10 us
  struct Sent {
    std::vector<uint8_t> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  template <typename Function>
  static unsigned ask(Function function, MPI_Comm group) {
    int answer = 0;
    function(group, &answer);
    return static_cast<unsigned>(answer);
  }
  void clear_sent() {
    std::erase_if(sent_, [&](Sent& sent) {
      int done = 0;
      MPI_Test(&sent.request, &done, MPI_STATUS_IGNORE);
      if (done != 0) unsent_ -= sent.bytes.size();
      return done != 0;
    });
  }

  unsigned rank_ = 0, size_ = 1, size_here_ = 1;
  std::list<Sent> sent_;
  uint64_t unsent_ = 0;
  int idle_ = 0;
};

}  // namespace
}  // namespace whittle::cluster

extern "C" whittle::cluster::Group* whittle_join_mpi() { return new whittle::cluster::MpiGroup; }
