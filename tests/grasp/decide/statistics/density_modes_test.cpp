#include "grasp/decide/statistics/density_modes.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <numbers>

#include "grasp/base/probability/random.hpp"
#include "grasp/decide/statistics/peaks.hpp"

using namespace graspmap;

namespace {

/// Independent standard normal numbers (Box and Muller 1958) and others, reproducibly.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : seed_(seed) {}
  double uniform() { return uniform_open(seed_, 0, next_++); }
  double normal() {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  std::uint64_t seed_;
  std::uint32_t next_ = 0;
};

const Eigen::Vector3d kResolution{1e-6, 1e-6, 1e-7};

WeightedSample sample_of(int n, std::uint64_t seed,
                         const std::function<Eigen::Vector3d(Draws&)>& draw) {
  Draws draws(seed);
  WeightedSample sample{Eigen::MatrixXd(n, 3), Eigen::VectorXd::Ones(n)};
  for (Eigen::Index k = 0; k < n; ++k) sample.values.row(k) = draw(draws).transpose();
  return sample;
}

Eigen::Vector3d normal3(Draws& draws) {
  const double x = draws.normal();
  const double y = draws.normal();
  return {x, y, draws.normal()};
}

int modes_of(const WeightedSample& sample) { return density_modes(sample, kResolution).count; }

}  // namespace

TEST_CASE("moments of weighted numbers are those of repeated ones", "[statistics]") {
  WeightedSample sample{Eigen::MatrixXd(3, 2), Eigen::Vector3d(1, 2, 1)};
  sample.values << 1e9 + 1, 0, 1e9 + 2, 5, 1e9 + 3, 4;
  const Moments m = moments(sample);
  CHECK(m.mean[0] - 1e9 == Approx(2));
  CHECK(m.mean[1] == Approx(3.5));
  // sum w = 4, sum w^2 = 6: n = 8/3, n / (n - 1) = 1.6.
  CHECK(m.effective_number == Approx(8.0 / 3));
  CHECK(m.covariance(0, 0) == Approx(1.6 * 0.5));
  CHECK(m.covariance(0, 1) == Approx(1.6 * 1.0));
  CHECK(m.covariance(1, 1) == Approx(1.6 * (12.25 + 2 * 2.25 + 0.25) / 4));
  CHECK(m.standard_errors()[0] == Approx(std::sqrt(0.8 / (8.0 / 3))));
  CHECK(correlations(m.covariance, {true, true})(0, 1) == Approx(1.0 / std::sqrt(0.5 * 4.25)));
  CHECK(correlations(m.covariance, {true, false})(1, 0) == 0.0);
}

TEST_CASE("one observation has a mean and no covariance", "[statistics]") {
  WeightedSample sample{Eigen::MatrixXd::Constant(1, 3, 7.0), Eigen::VectorXd::Constant(1, 0.3)};
  CHECK(moments(sample).mean[2] == 7.0);
  CHECK(std::isnan(moments(sample).covariance(0, 0)));
  CHECK(modes_of(sample) == 1);
}

TEST_CASE("quantiles are where the weight below reaches them", "[statistics]") {
  const Eigen::Vector4d values(3, 1, 2, 10);
  const Eigen::Vector4d weights(1, 1, 2, 4);
  const std::vector<double> shares = {0.1, 0.125, 0.13, 0.5, 0.51, 1.0};
  CHECK(weighted_quantiles(values, weights, shares) == std::vector<double>{1, 1, 2, 3, 10, 10});
}

TEST_CASE("peaks that rise above the saddle by more than noise are kept", "[statistics]") {
  //                                 0  1  2  3  4  5  6  7  8
  const std::vector<double> values = {0, 3, 5, 4, 4.5, 2, 1, 3, 0};
  const auto peaks = [&](double noise) {
    return find_peaks({9, 1, 1}, values, [&](std::size_t peak, std::size_t saddle) {
      return values[peak] - values[saddle] <= noise;
    });
  };
  CHECK(peaks(0).nodes == std::vector<std::size_t>{2, 4, 7});
  CHECK(peaks(0).basin == std::vector<int>{-1, 0, 0, 0, 1, 1, 2, 2, -1});
  CHECK(peaks(0.5).nodes == std::vector<std::size_t>{2, 7});
  CHECK(peaks(2).nodes == std::vector<std::size_t>{2});
  // The same in a column, and in depth.
  for (const GridShape& shape : {GridShape{1, 9, 1}, GridShape{1, 1, 9}}) {
    CHECK(find_peaks(shape, values, [](std::size_t, std::size_t) { return false; }).nodes.size() ==
          3);
  }
  CHECK(connected_above({9, 1, 1}, values, 2, 4) == std::vector<std::size_t>{2, 3, 4});
}

TEST_CASE("one group is one mode whatever its shape", "[statistics]") {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    CAPTURE(seed);
    CHECK(modes_of(sample_of(500, seed, normal3)) == 1);
    CHECK(modes_of(sample_of(40, seed, normal3)) == 1);
    // Flat, with a sharp edge and a tail, correlated, skewed.
    CHECK(modes_of(sample_of(500, seed, [](Draws& d) {
            return Eigen::Vector3d(d.uniform(), d.uniform(), 0.1);
          })) == 1);
    CHECK(modes_of(sample_of(500, seed, [](Draws& d) {
            const double x = d.normal();
            return Eigen::Vector3d(x, 15 - std::log(d.uniform()), -0.05 * x);
          })) == 1);
    found += modes_of(sample_of(500, seed, [](Draws& d) {
      return Eigen::Vector3d(std::exp(d.normal()), d.normal() * d.normal(), d.uniform());
    }));
  }
  CHECK(found == 3);
}

TEST_CASE("two groups are two modes", "[statistics]") {
  for (const double share : {0.5, 0.1}) {
    for (const double distance : {6.0, 40.0}) {
      CAPTURE(share, distance);
      constexpr int kObservations = 1000;
      const auto draw = [&](Draws& d) {
        const bool second = d.uniform() < share;
        return Eigen::Vector3d(normal3(d) + Eigen::Vector3d(second ? distance : 0, 0, 0));
      };
      const WeightedSample sample = sample_of(kObservations, 7, draw);
      const DensityModes modes = density_modes(sample, kResolution);
      REQUIRE(modes.count == 2);
      int wrong = 0;
      for (Eigen::Index k = 0; k < sample.size(); ++k) {
        const bool right = sample.values(k, 0) > distance / 2;
        // The first mode is the larger one; at one half either may be.
        wrong += (modes.mode[static_cast<std::size_t>(k)] == 1) != right ? 1 : 0;
      }
      CHECK(std::min(wrong, kObservations - wrong) < 20);
    }
  }
}

TEST_CASE("a long tail is no group and a far group is", "[statistics]") {
  const auto tail = [](Draws& d) {
    return Eigen::Vector3d(0, std::exp(2.2 * d.normal()), 0);  // up to 20 standard deviations
  };
  for (std::uint64_t seed = 1; seed <= 5; ++seed) CHECK(modes_of(sample_of(2000, seed, tail)) == 1);
  CHECK(modes_of(sample_of(2000, 7, [](Draws& d) {
          return Eigen::Vector3d(d.normal(), d.uniform() < 0.02 ? 60 + d.normal() : d.normal(), 0);
        })) == 2);
}

TEST_CASE("weights count", "[statistics]") {
  // Two groups of equal numbers, of which one weighs next to nothing.
  WeightedSample sample = sample_of(500, 8, [](Draws& d) {
    return Eigen::Vector3d(normal3(d) + Eigen::Vector3d(d.uniform() < 0.5 ? 8 : 0, 0, 0));
  });
  CHECK(modes_of(sample) == 2);
  for (Eigen::Index k = 0; k < sample.size(); ++k) {
    if (sample.values(k, 0) > 4) sample.weights[k] = 1e-4;
  }
  CHECK(modes_of(sample) == 1);
}

TEST_CASE("rounding is no group and does not hide one", "[statistics]") {
  // x and theta differ by rounding only, in two atoms.
  const auto rounding = [](Draws& d) {
    const double atom = d.uniform() < 0.5 ? 0.0 : 1e-9;
    return Eigen::Vector3d(5 + atom, 15 + d.normal(), 2e-9 * d.uniform());
  };
  CHECK(modes_of(sample_of(800, 9, rounding)) == 1);
  const auto two = [&](Draws& d) {
    return Eigen::Vector3d(rounding(d) + Eigen::Vector3d(0, d.uniform() < 0.4 ? 9 : 0, 0));
  };
  CHECK(modes_of(sample_of(800, 9, two)) == 2);
  // Nothing but rounding; and all the same.
  CHECK(modes_of(sample_of(
            100, 9, [](Draws& d) { return Eigen::Vector3d(1e-9 * d.uniform(), 15, 0); })) == 1);
  // Two atoms without any spread of their own.
  CHECK(modes_of(sample_of(200, 9, [](Draws& d) {
          return Eigen::Vector3d(d.uniform() < 0.3 ? 1 : 0, 15, 0);
        })) == 2);
}

namespace {

/// Observations and their mirror images, x and theta with the other sign.
WeightedSample with_mirror_images(const WeightedSample& half) {
  const Eigen::Index n = half.size();
  WeightedSample both{Eigen::MatrixXd(2 * n, 3), Eigen::VectorXd(2 * n)};
  both.values.topRows(n) = half.values;
  both.values.bottomRows(n) = half.values * Eigen::Vector3d(-1, 1, -1).asDiagonal();
  both.weights << half.weights, half.weights;
  return both;
}

/// The share, |mean of x| and mean of y of each mode; ascending, for comparison.
std::vector<std::array<double, 3>> modes_of_side(const WeightedSample& sample,
                                                 const DensityModes& modes, double sign) {
  std::vector<std::array<double, 3>> result;
  for (int m = 0; m < modes.count; ++m) {
    std::vector<Eigen::Index> rows;
    for (Eigen::Index k = 0; k < sample.size(); ++k) {
      if (modes.mode[static_cast<std::size_t>(k)] == m) rows.push_back(k);
    }
    const WeightedSample part = subsample(sample, rows);
    const Eigen::VectorXd mean = moments(part).mean;
    if (sign * mean[0] < 0.05) continue;
    result.push_back({part.weights.sum(), sign * mean[0], mean[1]});
  }
  std::sort(result.begin(), result.end());
  return result;
}

/// Nine groups: one in the middle, four on a side, narrow and wide ones, some close together.
WeightedSample nine_groups(int half, std::uint64_t seed) {
  const WeightedSample right = sample_of(half, seed, [](Draws& d) {
    const double u = d.uniform();
    const double a = d.normal();
    const double b = d.normal();
    if (u < 0.2) return Eigen::Vector3d(0.02 * a, 17 + 0.02 * b, 0.0);  // in the middle
    if (u < 0.5) return Eigen::Vector3d(1.0 + 0.25 * a, 15 + 0.3 * b, 0.05);
    if (u < 0.7) return Eigen::Vector3d(3.0 + 0.01 * a, 15 + 0.01 * b, 0.10);
    if (u < 0.85) return Eigen::Vector3d(3.08 + 0.01 * a, 15 + 0.01 * b, 0.10);
    return Eigen::Vector3d(3.0 + 0.01 * a, 15.08 + 0.01 * b, 0.10);
  });
  return with_mirror_images(right);
}

}  // namespace

TEST_CASE("narrow groups are told apart beside wide ones, and alike on both sides",
          "[statistics]") {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    CAPTURE(seed);
    const WeightedSample sample = nine_groups(1500, seed);
    const DensityModes modes = density_modes(sample, kResolution);
    CHECK(modes.count == 9);
    const auto left = modes_of_side(sample, modes, -1);
    const auto right = modes_of_side(sample, modes, 1);
    REQUIRE(left.size() == right.size());
    for (std::size_t k = 0; k < left.size(); ++k) {
      for (std::size_t i = 0; i < 3; ++i) CHECK(left[k][i] == Approx(right[k][i]).margin(1e-9));
    }
  }
}

TEST_CASE("a sample that is its own mirror image has mirrored modes, however few there are",
          "[statistics]") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    // A low bump between two groups, and groups that are hardly apart.
    const WeightedSample sample = with_mirror_images(sample_of(60, seed, [](Draws& d) {
      const double x = d.uniform() < 0.15 ? 0.3 * d.normal() : 1.6 + 0.5 * d.normal();
      return Eigen::Vector3d(x, 15 + 0.3 * d.normal(), 0.1 * x);
    }));
    const DensityModes modes = density_modes(sample, kResolution);
    const auto left = modes_of_side(sample, modes, -1);
    const auto right = modes_of_side(sample, modes, 1);
    REQUIRE(left.size() == right.size());
    for (std::size_t k = 0; k < left.size(); ++k) {
      for (std::size_t i = 0; i < 3; ++i) CHECK(left[k][i] == Approx(right[k][i]).margin(1e-9));
    }
  }
}

TEST_CASE("observations of different kinds are in different modes", "[statistics]") {
  const WeightedSample sample = sample_of(600, 3, normal3);
  std::vector<int> label;
  for (Eigen::Index k = 0; k < sample.size(); ++k) {
    label.push_back(k < 3 ? 7 : sample.values(k, 0) < 0.4 ? 1 : 2);  // 7: too few for a mode
  }
  CHECK(density_modes(sample, kResolution).count == 1);
  const DensityModes modes = density_modes(sample, kResolution, label);
  REQUIRE(modes.count == 2);
  int wrong = 0;
  for (std::size_t k = 3; k < label.size(); ++k) wrong += modes.mode[k] != label[k] - 1 ? 1 : 0;
  CHECK(wrong == 0);
  // Nothing but small kinds: looked at together.
  std::vector<int> each;
  for (int k = 0; k < 600; ++k) each.push_back(k);
  CHECK(density_modes(sample, kResolution, each).count == 1);
}
