#include "grasp/base/probability/random.hpp"

#include <Random123/philox.h>

namespace graspmap {
namespace {

constexpr std::uint32_t low_word(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
constexpr std::uint32_t high_word(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

}  // namespace

PhiloxCounter philox(const PhiloxCounter& counter, const PhiloxKey& key) {
  const r123::Philox4x32::ctr_type in = {{counter[0], counter[1], counter[2], counter[3]}};
  const r123::Philox4x32::key_type k = {{key[0], key[1]}};
  const r123::Philox4x32::ctr_type out = r123::Philox4x32()(in, k);
  return {out[0], out[1], out[2], out[3]};
}

double uniform_open(std::uint64_t seed, std::uint64_t index, std::uint32_t draw) {
  const PhiloxCounter bits =
      philox({low_word(index), high_word(index), draw, 0}, {low_word(seed), high_word(seed)});
  const std::uint64_t word = (std::uint64_t{bits[0]} << 32) | bits[1];
  // 53 bits, the last one set: never 0 or 1, and 1 - u is as likely as u.
  return static_cast<double>((word >> 11) | 1U) * 0x1p-53;
}

}  // namespace graspmap
