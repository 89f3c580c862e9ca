#include "exec/host_math.h"

#include <bit>
#include <cmath>
#include <string>
#include <utility>

namespace whittle::exec {
namespace {

using Unary = double (*)(double);
using Binary = double (*)(double, double);
using UnaryF = float (*)(float);
using BinaryF = float (*)(float, float);

#define WHITTLE_UNARY(X)                                                                                              \
  X(sin)                                                                                                              \
  X(cos)                                                                                                              \
  X(tan)                                                                                                              \
  X(asin)                                                                                                             \
  X(acos)                                                                                                             \
  X(atan)                                                                                                             \
  X(sinh)                                                                                                             \
  X(cosh) X(tanh) X(asinh) X(acosh) X(atanh) X(exp) X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(cbrt) X(sqrt) \
      X(fabs) X(floor) X(ceil) X(trunc) X(round) X(rint) X(nearbyint) X(erf) X(erfc) X(tgamma) X(lgamma) X(logb)
#define WHITTLE_BINARY(X) X(pow) X(atan2) X(fmod) X(hypot) X(fmin) X(fmax) X(fdim) X(copysign) X(remainder) X(nextafter)

constexpr std::pair<std::string_view, Unary> kUnary[] = {
#define X(name) {#name, ::name},
    WHITTLE_UNARY(X)
#undef X
};
constexpr std::pair<std::string_view, UnaryF> kUnaryF[] = {
#define X(name) {#name "f", ::name##f},
    WHITTLE_UNARY(X)
#undef X
};
constexpr std::pair<std::string_view, Binary> kBinary[] = {
#define X(name) {#name, ::name},
    WHITTLE_BINARY(X)
#undef X
};
constexpr std::pair<std::string_view, BinaryF> kBinaryF[] = {
#define X(name) {#name "f", ::name##f},
    WHITTLE_BINARY(X)
#undef X
};

template <typename Table>
auto find(const Table& table, std::string_view name) -> decltype(table[0].second) {
  for (const auto& [key, function] : table)
    if (key == name) return function;
  return nullptr;
}

double f64(u128 bits) { return std::bit_cast<double>(static_cast<uint64_t>(bits)); }
float f32(u128 bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }
/// One NaN for all, as everywhere in whittle.
u128 bits(double v) { return std::isnan(v) ? 0x7ff8000000000000u : std::bit_cast<uint64_t>(v); }
u128 bits(float v) { return std::isnan(v) ? 0x7fc00000u : std::bit_cast<uint32_t>(v); }

}  // namespace

std::optional<u128> host_math(std::string_view name, std::span<const u128> a, unsigned width) {
  if (name == "fma" && a.size() == 3) return bits(std::fma(f64(a[0]), f64(a[1]), f64(a[2])));
  if (name == "fmaf" && a.size() == 3) return bits(std::fma(f32(a[0]), f32(a[1]), f32(a[2])));
  if (width == 64 && a.size() == 1)
    if (auto f = find(kUnary, name)) return bits(f(f64(a[0])));
  if (width == 64 && a.size() == 2)
    if (auto f = find(kBinary, name)) return bits(f(f64(a[0]), f64(a[1])));
  if (width == 32 && a.size() == 1)
    if (auto f = find(kUnaryF, name)) return bits(f(f32(a[0])));
  if (width == 32 && a.size() == 2)
    if (auto f = find(kBinaryF, name)) return bits(f(f32(a[0]), f32(a[1])));
  return std::nullopt;
}

}  // namespace whittle::exec
