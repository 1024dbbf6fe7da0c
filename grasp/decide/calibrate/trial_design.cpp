#include "grasp/decide/calibrate/trial_design.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "grasp/base/algebra/dense.hpp"
#include "grasp/base/probability/random.hpp"
#include "grasp/decide/calibrate/friction_law.hpp"

namespace graspmap {
namespace {

constexpr std::array<std::uint64_t, 12> kPrimes = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
constexpr std::uint32_t kShiftDraw = 1000;  // of the numbers of an index, beyond those of points
constexpr double kLogisticSd = 1.8137993642342178;  // pi / sqrt(3): of the standard logistic law

const Distribution kStandardNormal{.kind = DistributionKind::kNormal, .sigma = 1.0};

double logistic_quantile(double u) { return std::log(u / (1 - u)) / kLogisticSd; }

/// A draw of a law plus noise. `even` has the better spread and goes to the wider of the two.
double draw(const Distribution& law, double noise, double even, double other) {
  switch (law.kind) {
    case DistributionKind::kFixed:
    case DistributionKind::kNormal:
      return law.mean + std::hypot(law.sigma, noise) * quantile(kStandardNormal, even);
    case DistributionKind::kUniform: {
      const bool is_wide = law.max - law.min > noise;
      return quantile(law, is_wide ? even : other) +
             noise * logistic_quantile(is_wide ? other : even);
    }
    case DistributionKind::kTruncatedNormal:
      return quantile({law.kind, law.mean, std::hypot(law.sigma, noise), law.min, law.max}, even);
    default:
      throw std::logic_error("a calibration has no law of this kind");
  }
}

/// Multiplies weights by what smoothed_density is at all points, but for a factor that is the same
/// at all of them.
void multiply_kernel(const Distribution& law, double bandwidth,
                     const Eigen::Ref<const Eigen::ArrayXf>& z, Eigen::ArrayXf& weights) {
  if (law.kind == DistributionKind::kUniform) {
    const double h = bandwidth / kLogisticSd;
    const double d = (law.max - law.min) / (2 * h);
    const auto c = static_cast<float>(std::exp(-2 * d));
    const auto mean = static_cast<float>((law.min + law.max) / 2);
    const auto slope = static_cast<float>(1 / h);
    const Eigen::ArrayXf e = ((z - mean).abs() * slope - static_cast<float>(d)).min(80.F).exp();
    weights /= e + c / e + (1 + c);
    return;
  }
  const auto mean = static_cast<float>(law.mean);
  const auto slope = static_cast<float>(1 / std::hypot(law.sigma, bandwidth));
  weights *= (-0.5F * ((z - mean) * slope).square()).exp();
  if (law.kind == DistributionKind::kTruncatedNormal) {
    weights =
        (z < static_cast<float>(law.min) || z > static_cast<float>(law.max)).select(0.F, weights);
  }
}

/// The density of a round at a point.
double round_density(const ProposalRound& round, const NonNegative& non_negative,
                     const Eigen::ArrayXXd& points, Eigen::Index row) {
  double sum = 0;
  for (const std::vector<Distribution>& laws : round.laws) {
    double product = 1;
    for (std::size_t d = 0; d < laws.size() && product > 0; ++d) {
      const double z = points(row, static_cast<Eigen::Index>(d));
      double value = smoothed_density(laws[d], round.noise[d], z);
      if (non_negative[d]) value += smoothed_density(laws[d], round.noise[d], -z);
      product *= value;
    }
    sum += product;
  }
  return sum / static_cast<double>(round.laws.size());
}

/// A column of ones, then for each input its deviation from the law's mean and its squared
/// deviation less the law's variance, in units of the smoothed law's spread; of some points.
Eigen::MatrixXf deviations(const Eigen::ArrayXXf& values, const std::vector<Eigen::Index>& points,
                           std::span<const Distribution> laws, std::span<const double> bandwidths) {
  const auto inputs = static_cast<Eigen::Index>(laws.size());
  const auto count = static_cast<Eigen::Index>(points.size());
  Eigen::MatrixXf basis(count, 1 + 2 * inputs);
  basis.col(0).setOnes();
  for (Eigen::Index d = 0; d < inputs; ++d) {
    const auto k = static_cast<std::size_t>(d);
    const double variance = variance_of_law(laws[k]);
    const double unit = std::sqrt(variance + bandwidths[k] * bandwidths[k]);
    const auto mean = static_cast<float>(mean_of_law(laws[k]));
    const auto scale = static_cast<float>(1 / unit);
    const auto share = static_cast<float>(variance / (unit * unit));
    for (Eigen::Index i = 0; i < count; ++i) {
      const float x = (values(points[static_cast<std::size_t>(i)], d) - mean) * scale;
      basis(i, 1 + 2 * d) = x;
      basis(i, 2 + 2 * d) = x * x - share;
    }
  }
  return basis;
}

/// The points whose weights are not negligible.
std::vector<Eigen::Index> points_that_count(const Eigen::ArrayXf& weights) {
  constexpr float kNegligible = 1e-6F;  // of the largest
  const float least = kNegligible * weights.maxCoeff();
  std::vector<Eigen::Index> points;
  for (Eigen::Index i = 0; i < weights.size(); ++i) {
    if (weights(i) > least) points.push_back(i);
  }
  return points;
}

}  // namespace

double shifted_halton(std::uint64_t index, std::size_t k, std::uint64_t seed) {
  const auto base = static_cast<double>(kPrimes[k]);
  double scale = 1;
  double value = uniform_open(seed, 0, kShiftDraw + static_cast<std::uint32_t>(k));
  for (std::uint64_t rest = index + 1; rest > 0; rest /= kPrimes[k]) {
    scale /= base;
    value += scale * static_cast<double>(rest % kPrimes[k]);
  }
  value -= std::floor(value);
  return std::min(std::max(value, 1e-12), 1 - 1e-12);
}

Eigen::ArrayXXd draw_points(const ProposalRound& round, const NonNegative& non_negative,
                            Eigen::Index first, Eigen::Index count, std::uint64_t seed) {
  const std::size_t inputs = round.noise.size();
  Eigen::ArrayXXd points(count, static_cast<Eigen::Index>(inputs));
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto index = static_cast<std::uint64_t>(first + i);
    const std::vector<Distribution>& laws = round.laws[index % round.laws.size()];
    for (std::size_t d = 0; d < inputs; ++d) {
      const double z = draw(laws[d], round.noise[d], shifted_halton(index, d, seed),
                            uniform_open(seed, index, static_cast<std::uint32_t>(d)));
      points(i, static_cast<Eigen::Index>(d)) = non_negative[d] ? std::abs(z) : z;
    }
  }
  return points;
}

Eigen::ArrayXd mixture_density(std::span<const ProposalRound> rounds,
                               std::span<const double> shares, const NonNegative& non_negative,
                               const Eigen::ArrayXXd& points) {
  Eigen::ArrayXd density = Eigen::ArrayXd::Zero(points.rows());
  for (std::size_t r = 0; r < rounds.size(); ++r) {
    for (Eigen::Index i = 0; i < points.rows(); ++i) {
      density(i) += shares[r] * round_density(rounds[r], non_negative, points, i);
    }
  }
  return density;
}

DesignPoints::DesignPoints(const Eigen::ArrayXXd& points, const Eigen::ArrayXd& density)
    : values(points.cast<float>()), inverse_density((density.minCoeff() / density).cast<float>()) {}

PointWeights weights_for(const DesignPoints& design, std::span<const Distribution> laws,
                         std::span<const double> bandwidths) {
  constexpr float kRidge = 1e-3F;  // of a sum of squares: few points are calibrated less
  Eigen::ArrayXf all = design.inverse_density;
  for (std::size_t d = 0; d < laws.size(); ++d) {
    multiply_kernel(laws[d], bandwidths[d], design.values.col(static_cast<Eigen::Index>(d)), all);
  }
  PointWeights result;
  result.points = points_that_count(all);
  if (result.points.empty()) return result;
  Eigen::VectorXf weights(static_cast<Eigen::Index>(result.points.size()));
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    weights(static_cast<Eigen::Index>(i)) = all(result.points[i]) / all.maxCoeff();
  }
  weights /= weights.sum();
  const Eigen::MatrixXf basis = deviations(design.values, result.points, laws, bandwidths);
  Eigen::MatrixXf gram =
      transposed_product(basis, (basis.array().colwise() * weights.array()).matrix());
  // As if a few points more lay about the mean with the basis' own spread.
  gram.diagonal().tail(gram.rows() - 1) *= 1 + kRidge + weights.squaredNorm();
  gram.diagonal().array() += 1e-6F;
  const Eigen::VectorXf target = Eigen::VectorXf::Unit(gram.rows(), 0);
  const Eigen::VectorXf factors = solve_semidefinite(gram, target);
  result.values = (basis * factors).array() * weights.array();
  result.values /= result.values.sum();
  result.effective_points = 1 / static_cast<double>(result.values.squaredNorm());
  return result;
}

}  // namespace graspmap
