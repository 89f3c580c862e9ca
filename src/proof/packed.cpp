#include "proof/packed.h"

#include <zstd.h>

#include <array>
#include <memory>

#include "base/error.h"

namespace whittle::proof {

namespace {

constexpr int kLevel = 6;
constexpr size_t kLargest = size_t{1} << 28;
constexpr std::string_view kMagic = "\x28\xb5\x2f\xfd";

}  // namespace

std::string packed(std::string_view text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  const size_t size = ZSTD_compress(out.data(), out.size(), text.data(), text.size(), kLevel);
  if (ZSTD_isError(size) != 0) fail_internal("zstd: {}", ZSTD_getErrorName(size));
  out.resize(size);
  return out;
}

std::string unpacked(std::string bytes) {
  if (!bytes.starts_with(kMagic)) return bytes;
  // What the file says of its size may be a lie: it is read piece by piece.
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
  std::string text;
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  for (size_t left = 1; in.pos < in.size || left != 0;) {
    std::array<char, 1 << 16> piece;
    ZSTD_outBuffer out{piece.data(), piece.size(), 0};
    const size_t before = in.pos;
    left = ZSTD_decompressStream(context.get(), &out, &in);
    if (ZSTD_isError(left) != 0) fail_input("proof: damaged: {}", ZSTD_getErrorName(left));
    if (out.pos == 0 && in.pos == before && left != 0) fail_input("proof: damaged: the file ends too early");
    text.append(piece.data(), out.pos);
    if (text.size() > kLargest) fail_input("proof: more than {} MiB when unpacked", kLargest >> 20);
  }
  return text;
}

}  // namespace whittle::proof
