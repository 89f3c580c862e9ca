#include <gtest/gtest.h>

#include <thread>

#include "cluster/forked_group.h"
#include "cluster/local_group.h"
#include "cluster/parcel.h"

namespace whittle::cluster {
namespace {

TEST(Parcel, GivesBackWhatWasPutIn) {
  Parcel parcel;
  parcel.value(uint32_t{7});
  parcel.text("seven");
  parcel.text("");
  parcel.value(2.5);
  const std::vector<uint8_t> bytes = parcel.take();
  Unpacker in(bytes);
  EXPECT_EQ(in.value<uint32_t>(), 7u);
  EXPECT_EQ(in.text(), "seven");
  EXPECT_EQ(in.text(), "");
  EXPECT_EQ(in.value<double>(), 2.5);
  EXPECT_TRUE(in.empty());
  EXPECT_THROW(in.value<uint8_t>(), Error);
}

TEST(Parcel, ATextThatClaimsToBeLongerIsRefused) {
  Parcel parcel;
  parcel.value(uint32_t{1000});
  const std::vector<uint8_t> bytes = parcel.take();
  Unpacker in(bytes);
  EXPECT_THROW(in.text(), Error);
}

TEST(LocalGroups, MessagesArriveInTheOrderInWhichEachSenderSentThem) {
  constexpr uint32_t kCount = 2000;
  LocalGroups groups(3);
  std::vector<std::jthread> senders;
  for (unsigned rank : {1u, 2u})
    senders.emplace_back([&, rank] {
      for (uint32_t i = 0; i < kCount; ++i) {
        Parcel parcel;
        parcel.value(i);
        groups[rank].send(0, parcel.take());
      }
    });
  uint32_t next[3] = {};
  while (next[1] < kCount || next[2] < kCount) {
    Message message;
    if (!groups[0].receive(message)) {
      groups[0].idle();
      continue;
    }
    Unpacker in(message.bytes);
    ASSERT_EQ(in.value<uint32_t>(), next[message.from]++);
  }
}

TEST(ForkedGroup, MessagesOfAnySizeGoBothWays) {
  Limits limits;
  ForkedGroup workers(3, limits, [](Group& group, Limits& own) {
    for (Message message; own.poll() == Stop::No;) {
      if (!group.receive(message)) {
        group.idle();
        continue;
      }
      if (message.bytes.empty()) return;
      for (uint8_t& byte : message.bytes) byte = static_cast<uint8_t>(byte + group.rank());
      group.send(0, message.bytes);
    }
  });
  Group& here = workers.here();
  EXPECT_EQ(here.rank(), 0u);
  ASSERT_EQ(here.size(), 4u);
  const size_t sizes[] = {1, 100, 70'000, 3'000'000, 5};
  for (size_t size : sizes)
    for (unsigned to = 1; to < 4; ++to) here.send(to, std::vector<uint8_t>(size, 7));
  size_t next[4] = {};
  for (unsigned missing = 15; missing > 0;) {
    Message message;
    if (!here.receive(message)) {
      here.idle();
      continue;
    }
    --missing;
    ASSERT_EQ(message.bytes.size(), sizes[next[message.from]++]);
    ASSERT_EQ(message.bytes.front(), 7 + message.from);
    ASSERT_EQ(message.bytes.back(), 7 + message.from);
  }
  EXPECT_EQ(here.unsent(), 0u);
}

TEST(ForkedGroup, AWorkerThatFailsIsLostAndWhatItSentBeforeArrives) {
  Limits limits;
  ForkedGroup workers(2, limits, [](Group& group, Limits&) {
    group.send(0, {static_cast<uint8_t>(group.rank())});
    if (group.rank() == 1) throw std::bad_alloc();
    for (Message message;;)
      if (!group.receive(message)) group.idle();
  });
  Group& here = workers.here();
  unsigned heard = 0;
  while (!workers.lost(1) || heard < 2) {
    Message message;
    if (here.receive(message))
      ++heard;
    else
      here.idle();
  }
  EXPECT_FALSE(workers.lost(2));
}

}  // namespace
}  // namespace whittle::cluster
