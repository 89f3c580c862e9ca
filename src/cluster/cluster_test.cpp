#include <gtest/gtest.h>

#include <thread>

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

}  // namespace
}  // namespace whittle::cluster
