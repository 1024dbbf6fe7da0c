#include "grasp/base/probability/random.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

using namespace graspmap;

TEST_CASE("Philox gives the known answers of Random123's kat_vectors") {
  CHECK(philox({0, 0, 0, 0}, {0, 0}) ==
        PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) ==
        PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("a uniform number is the first 53 bits of its Philox block, the last one set") {
  // The block of counter 0 and key 0 above: 0x6627e8d5e169c58d.
  const double u = static_cast<double>(0x6627e8d5e169c58dULL >> 11 | 1U) / 9007199254740992.0;
  CHECK(uniform_open(0, 0, 0) == u);
}

TEST_CASE("all 64 bits of seed and index and the draw number matter") {
  std::set<double> distinct = {uniform_open(0, 0, 0)};
  for (int bit = 0; bit < 64; ++bit) {
    distinct.insert(uniform_open(std::uint64_t{1} << bit, 0, 0));
    distinct.insert(uniform_open(0, std::uint64_t{1} << bit, 0));
  }
  for (int bit = 0; bit < 32; ++bit) distinct.insert(uniform_open(0, 0, std::uint32_t{1} << bit));
  CHECK(distinct.size() == 1 + 64 + 64 + 32);
}

namespace {

constexpr int kSamples = 100'000;

std::vector<double> samples(std::uint64_t seed, std::uint32_t draw, std::uint64_t first = 0) {
  std::vector<double> values;
  for (std::uint64_t i = 0; i < kSamples; ++i) {
    values.push_back(uniform_open(seed, first + i, draw));
  }
  return values;
}

/// The correlation of two samples of uniform numbers, whose mean is 1/2 and variance 1/12.
double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - 0.5) * (b[i] - 0.5);
  return 12 * sum / static_cast<double>(a.size());
}

}  // namespace

TEST_CASE("uniform numbers fill (0, 1) evenly") {
  constexpr int kBins = 100;
  std::vector<int> counts(kBins);
  for (const double u : samples(1, 0)) {
    REQUIRE(u > 0);
    REQUIRE(u < 1);
    ++counts[static_cast<std::size_t>(u * kBins)];
  }
  double chi_square = 0;
  for (const int n : counts) {
    // NOLINTNEXTLINE(bugprone-integer-division): there is no remainder
    chi_square += std::pow(n - kSamples / kBins, 2) / (kSamples / kBins);
  }
  // 99 degrees of freedom: mean 99, standard deviation 14.1. Too even is as wrong as too uneven.
  CHECK(chi_square > 99 - 4 * 14.1);
  CHECK(chi_square < 99 + 4 * 14.1);
}

TEST_CASE("draws, neighbouring trials and neighbouring seeds are uncorrelated") {
  const double four_sigma = 4 / std::sqrt(kSamples);
  const std::vector<double> u = samples(1, 0);
  CHECK(correlation(u, u) == Approx(1.0).margin(four_sigma));
  CHECK(std::abs(correlation(u, samples(1, 1))) < four_sigma);
  CHECK(std::abs(correlation(u, samples(2, 0))) < four_sigma);
  CHECK(std::abs(correlation(u, samples(1, 0, 1))) < four_sigma);
}
