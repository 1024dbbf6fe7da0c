#pragma once

#include <array>
#include <cstdint>

namespace graspmap {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

/// Philox 4x32-10 of Random123 (Salmon et al. 2011): a keyed bijection of 128-bit counters whose
/// outputs on successive counters pass for independent random bits.
PhiloxCounter philox(const PhiloxCounter& counter, const PhiloxKey& key);

/// The random number that belongs to (seed, index, draw): uniform in the open interval (0, 1),
/// 53 bits of which the last is always one (so neither end can occur, and u and 1 - u are equally
/// exact). A pure function; key = seed, counter = (index, draw).
double uniform_open(std::uint64_t seed, std::uint64_t index, std::uint32_t draw);

}  // namespace graspmap
