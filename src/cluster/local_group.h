// A group of threads of one process, for tests: what one process would hold is given to each thread on its own.
//
//   LocalGroups groups(3);
//   std::jthread thread([&] { work(groups[1]); });
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "cluster/group.h"

namespace whittle::cluster {

class LocalGroups {
 public:
  explicit LocalGroups(unsigned size) {
    for (unsigned rank = 0; rank < size; ++rank) members_.push_back(std::make_unique<Member>(*this, rank));
  }
  Group& operator[](unsigned rank) { return *members_[rank]; }

 private:
  class Member final : public Group {
   public:
    Member(LocalGroups& all, unsigned rank) : all_(all), rank_(rank) {}
    unsigned rank() const override { return rank_; }
    unsigned size() const override { return static_cast<unsigned>(all_.members_.size()); }
    unsigned size_here() const override { return size(); }
    void send(unsigned to, std::vector<uint8_t> bytes) override {
      Member& other = *all_.members_[to];
      std::lock_guard lock(other.mutex_);
      other.arrived_.push_back({rank_, std::move(bytes)});
    }
    bool receive(Message& message) override {
      std::lock_guard lock(mutex_);
      if (arrived_.empty()) return false;
      message = std::move(arrived_.front());
      arrived_.pop_front();
      return true;
    }
    uint64_t unsent() override { return 0; }
    void idle() override { std::this_thread::sleep_for(std::chrono::microseconds(20)); }
    void busy() override {}
    void leave() override {}

   private:
    LocalGroups& all_;
    const unsigned rank_;
    std::mutex mutex_;
    std::deque<Message> arrived_;
  };

  std::vector<std::unique_ptr<Member>> members_;
};

}  // namespace whittle::cluster
