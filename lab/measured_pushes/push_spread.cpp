#include "lab/measured_pushes/push_spread.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <numbers>

#include "grasp/base/probability/random.hpp"
#include "lab/measured_pushes/normal_draws.hpp"

namespace graspmap {
namespace {

/// The errors of one push, in units of their standard deviations: of the six parameters, of the
/// start and of the end, x, y, theta each.
constexpr int kErrors = 12;
using PushErrors = Eigen::Matrix<double, kErrors, 1>;

PushErrors sizes_of(const PushSpread& spread) {
  PushErrors sizes;
  sizes.head<5>().setConstant(spread.axes);
  sizes[5] = spread.friction;
  const Vec3 camera(spread.position_mm, spread.position_mm, spread.angle_rad);
  sizes.segment<3>(6) = camera;
  sizes.tail<3>() = camera;
  return sizes;
}

/// One push with errors.
class UncertainPush {
 public:
  UncertainPush(const PushData& data, const PushStudy& study, std::size_t number)
      : push_(data.pushes[number]),
        start_(study.predictions[number].start),
        fit_(study.fits.at(push_.set())),
        scene_(data.shapes.at(push_.shape)) {}

  [[nodiscard]] const RecordedPush& push() const { return push_; }

  /// The end that a camera with these errors sees.
  [[nodiscard]] SimulatedPush end(const PushErrors& errors, Workspace& workspace,
                                  SimulationResult& result) const {
    RecordedPush push = push_;
    push.start = moved(push_.start, errors.segment<3>(6));
    const PushStart start{scene_.in_contact(push).part, start_.moved_mm};
    PushFit fit = fit_;
    fit.parameters.head<6>() += errors.head<6>();
    const PushLaw law = fit.law_at(push_.start.angle_rad);
    SimulatedPush seen = scene_.simulated(push, start, law, workspace, result);
    seen.end = moved(seen.end, errors.tail<3>());
    return seen;
  }

 private:
  const RecordedPush& push_;
  const PushStart& start_;
  const PushFit& fit_;
  PushScene scene_;
};

/// A push that laws were fitted on: where it ended beside where it should, and what errors do.
struct LinearPush {
  Vec3 residual;
  Eigen::Matrix<double, 3, kErrors> slopes;
};

LinearPush linear(const UncertainPush& push, Workspace& workspace, SimulationResult& result) {
  PushErrors steps =
      sizes_of({.axes = 0.05, .friction = 0.05, .position_mm = 0.2, .angle_rad = 0.005});
  const Pose2 middle = push.end(PushErrors::Zero(), workspace, result).end;
  LinearPush one;
  one.residual = difference(*push.push().end, middle);
  for (int k = 0; k < kErrors; ++k) {
    const Pose2 there = push.end(steps[k] * PushErrors::Unit(k), workspace, result).end;
    one.slopes.col(k) = difference(there, middle) / steps[k];
  }
  return one;
}

/// Minus the log likelihood of ends, without what does not depend on the spread.
double unlikelihood(const std::vector<LinearPush>& pushes, const PushSpread& spread) {
  const double nu = spread.freedom;
  // The errors' own variance is 1: they are normal over the root of chi^2_nu / nu.
  const double constant =
      boost::math::lgamma(0.5 * (nu + 3.0)) - boost::math::lgamma(0.5 * nu) - 1.5 * std::log(nu);
  const PushErrors variances = sizes_of(spread).cwiseAbs2();
  double sum = 0.0;
  for (const LinearPush& push : pushes) {
    const Eigen::Matrix3d covariance =
        push.slopes * variances.asDiagonal() * push.slopes.transpose();
    const Eigen::LLT<Eigen::Matrix3d> factor(covariance);
    const double distance = push.residual.dot(factor.solve(push.residual));
    sum += factor.matrixL().toDenseMatrix().diagonal().array().log().sum() +
           0.5 * (nu + 3.0) * std::log1p(distance / nu) - constant;
  }
  return sum;
}

}  // namespace

PushSpread fit_spread(const PushData& data, const PushStudy& study, const std::string& surface,
                      const SweepControl& control) {
  std::vector<std::size_t> numbers;
  for (std::size_t k = 0; k < data.pushes.size(); ++k) {
    if (data.pushes[k].surface == surface && is_trained_on(data.pushes[k])) numbers.push_back(k);
  }
  std::vector<LinearPush> pushes(numbers.size());
  for_all(numbers.size(), control,
          [&](std::size_t k, Workspace& workspace, SimulationResult& result) {
            pushes[k] = linear({data, study, numbers[k]}, workspace, result);
          });
  PushSpread spread;
  constexpr int kSweeps = 8;
  constexpr int kBits = 12;
  const std::array<std::pair<double*, std::array<double, 2>>, 5> unknowns{
      {{&spread.axes, {1e-3, 2.0}},
       {&spread.friction, {1e-3, 2.0}},
       {&spread.position_mm, {1e-2, 10.0}},
       {&spread.angle_rad, {1e-4, 0.3}},
       {&spread.freedom, {1.0, 100.0}}}};
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (const auto& [number, range] : unknowns) {
      const auto at = [&, value = number](double log_value) {
        *value = std::exp(log_value);
        return unlikelihood(pushes, spread);
      };
      *number = std::exp(
          boost::math::tools::brent_find_minima(at, std::log(range[0]), std::log(range[1]), kBits)
              .first);
    }
  }
  return spread;
}

std::vector<double> ranks_of_ends(const PushData& data, const PushStudy& study,
                                  const PushSpread& spread, const std::vector<std::size_t>& pushes,
                                  int draws, std::uint64_t seed, const SweepControl& control) {
  const PushErrors sizes = sizes_of(spread);
  const boost::math::chi_squared chi(spread.freedom);
  std::vector<double> ranks(pushes.size());
  for_all(
      pushes.size(), control, [&](std::size_t i, Workspace& workspace, SimulationResult& result) {
        const UncertainPush push(data, study, pushes[i]);
        const Pose2& measured = *push.push().end;
        Eigen::Matrix3Xd ends = Eigen::Matrix3Xd::Zero(3, draws + 1);  // from the measured one
        for (int j = 0; j < draws; ++j) {
          const std::uint64_t number =
              pushes[i] * static_cast<std::uint64_t>(draws) + static_cast<std::uint64_t>(j);
          const PushErrors errors = normal_draws(kErrors, seed, number);
          const double scale = std::sqrt(
              spread.freedom / quantile(chi, uniform_open(seed, number, std::uint32_t{kErrors})));
          ends.col(j + 1) = difference(
              push.end(scale * sizes.cwiseProduct(errors), workspace, result).end, measured);
        }
        const Vec3 mean = ends.rowwise().mean();
        ends.colwise() -= mean;
        const Eigen::LLT<Eigen::Matrix3d> covariance(ends * ends.transpose());
        const Eigen::VectorXd distances =
            (ends.array() * covariance.solve(ends).array()).colwise().sum();
        const auto further_in = (distances.tail(draws).array() < distances[0]).count();
        ranks[i] = (static_cast<double>(further_in) + 0.5) / (draws + 1);
      });
  return ranks;
}

double cover_of(const std::vector<double>& ranks, double level) {
  const auto inside =
      std::count_if(ranks.begin(), ranks.end(), [&](double rank) { return rank < level; });
  return static_cast<double>(inside) / static_cast<double>(ranks.size());
}

}  // namespace graspmap
