#include "lab/measured_pushes/repeat_spread.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "grasp/base/probability/distribution.hpp"
#include "lab/measured_pushes/least_squares.hpp"
#include "lab/measured_pushes/normal_draws.hpp"
#include "lab/measured_pushes/push_study.hpp"

namespace graspmap {
namespace {

constexpr int kRunErrors = 8;           // camera at start and end, friction, length
constexpr std::ptrdiff_t kSettled = 3;  // rows for which the hand has stood still
constexpr double kLowLevel = 0.05;
constexpr std::array kShares{0.0, 1.0 / 32, 1.0 / 16, 1.0 / 8, 1.0 / 4, 1.0 / 2, 1.0};

using RunDraw = Eigen::Matrix<double, kRunErrors, 1>;

/// The end of a run under a law and these errors, as the camera sees it.
std::optional<Pose2> drawn_end(const RepeatedRun& run, const PushedShape& shape,
                               const HandParameters& fitted, const RunErrors& errors,
                               const RunDraw& draw, Workspace& workspace,
                               SimulationResult& result) {
  HandParameters parameters = fitted;
  parameters[5] += errors.log_friction * draw[6];
  parameters[6] += errors.log_length * draw[7];
  const Pose2 start = moved(run.start, errors.camera.cwiseProduct(draw.head<3>()));
  const std::vector<Pose2> rests =
      HandScene(shape).rests(run, start, hand_law(shape, parameters), workspace, result);
  if (rests.empty()) return std::nullopt;
  return moved(rests.back(), errors.camera.cwiseProduct(draw.segment<3>(3)));
}

using Ends = std::vector<std::optional<Pose2>>;

/// Those that were solved.
std::vector<Pose2> known(const Ends& ends) {
  std::vector<Pose2> all;
  for (const auto& end : ends) {
    if (end) all.push_back(*end);
  }
  return all;
}

/// The ends of each run of `some` for each draw; without any the run as it is.
std::vector<Ends> drawn_ends(const RepeatedPushes& data, const RepeatStudy& study,
                             const std::vector<std::size_t>& some, int draws, std::uint64_t seed,
                             const SweepControl& control) {
  std::vector<Ends> ends(data.runs.size());
  for_all(some.size(), control, [&](std::size_t i, Workspace& workspace, SimulationResult& result) {
    const RepeatedRun& run = data.runs[some[i]];
    const auto add = [&](const RunDraw& draw) {
      ends[some[i]].push_back(drawn_end(run, data.shapes.at(run.object),
                                        study.fits.at(run.object).parameters, study.errors, draw,
                                        workspace, result));
    };
    if (draws == 0) add(RunDraw::Zero());
    for (int j = 0; j < draws; ++j) {
      const std::uint64_t number =
          some[i] * static_cast<std::uint64_t>(draws) + static_cast<std::uint64_t>(j);
      add(normal_draws(kRunErrors, seed, number));
    }
  });
  return ends;
}

void predict_spread(PlanSpread& plan, const std::vector<Ends>& ends) {
  std::array<std::vector<double>, 3> found;
  Vec3 squares = Vec3::Zero();
  for (std::size_t draw = 0; draw < ends[plan.runs[0]].size(); ++draw) {
    Ends drawn;
    for (const std::size_t run : plan.runs) drawn.push_back(ends[run][draw]);
    const std::vector<Pose2> poses = known(drawn);
    if (poses.size() < 2) continue;
    const Vec3 spread = spread_of(poses);
    squares += spread.cwiseAbs2();
    for (std::size_t k = 0; k < 3; ++k) found[k].push_back(spread[static_cast<Eigen::Index>(k)]);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    if (found[k].empty()) continue;
    plan.predicted[row] = std::sqrt(squares[row] / static_cast<double>(found[k].size()));
    plan.low[row] = sample_quantile(found[k], kLowLevel);
    plan.high[row] = sample_quantile(found[k], 1.0 - kLowLevel);
  }
}

/// Minus the log likelihood of the measured standard deviations, without constants.
double misfit_of(const PlanSpread& plan) {
  const auto freedom = static_cast<double>(plan.runs.size() - 1);
  const Vec3 ratio = plan.measured_end.cwiseQuotient(plan.predicted);
  return freedom * (0.5 * ratio.squaredNorm() + plan.predicted.array().log().sum());
}

std::vector<PlanSpread> plans_of(const RepeatedPushes& data) {
  std::vector<PlanSpread> plans;
  for (std::size_t k = 0; k < data.runs.size(); ++k) {
    const RepeatedRun& run = data.runs[k];
    if (plans.empty() || plans.back().plan != run.plan) {
      const bool is_first = std::none_of(plans.begin(), plans.end(), [&](const PlanSpread& plan) {
        return plan.object == run.object;
      });
      plans.push_back({.plan = run.plan, .object = run.object, .fitted_on = is_first});
    }
    plans.back().runs.push_back(k);
  }
  std::erase_if(plans, [](const PlanSpread& plan) { return plan.runs.size() < 2; });
  for (PlanSpread& plan : plans) {
    std::vector<Pose2> starts;
    std::vector<Pose2> ends;
    for (const std::size_t k : plan.runs) {
      starts.push_back(data.runs[k].start);
      ends.push_back(data.runs[k].end);
    }
    plan.measured_start = spread_of(starts);
    plan.measured_end = spread_of(ends);
  }
  return plans;
}

}  // namespace

Vec3 camera_error(const RepeatedPushes& data) {
  Vec3 squares = Vec3::Zero();
  int pairs = 0;
  for (const RepeatedRun& run : data.runs) {
    const std::vector<HandSample>& path = run.pushes.back();
    for (std::size_t k = kSettled; k < path.size(); ++k) {
      const auto begin = path.begin() + static_cast<std::ptrdiff_t>(k) - kSettled;
      const bool stands = std::all_of(begin, begin + kSettled, [&](const HandSample& sample) {
        return sample.hand == path[k].hand;
      });
      if (!stands || !path[k].part || !path[k - 1].part) continue;
      squares += difference(*path[k].part, *path[k - 1].part).cwiseAbs2();
      ++pairs;
    }
  }
  return (squares / std::max(2.0 * pairs, 1.0)).cwiseSqrt();
}

Vec3 spread_of(const std::vector<Pose2>& poses) {
  Eigen::Matrix3Xd from_first(3, static_cast<Eigen::Index>(poses.size()));
  for (std::size_t k = 0; k < poses.size(); ++k) {
    from_first.col(static_cast<Eigen::Index>(k)) << poses[k].position_mm - poses[0].position_mm,
        wrapped_angle(poses[k].angle_rad - poses[0].angle_rad);
  }
  const Vec3 mean = from_first.rowwise().mean();
  from_first.colwise() -= mean;
  return (from_first.cwiseAbs2().rowwise().sum() / static_cast<double>(poses.size() - 1))
      .cwiseSqrt();
}

RepeatStudy study_repeats(const RepeatedPushes& data, int draws, std::uint64_t seed,
                          const SweepControl& control) {
  RepeatStudy study;
  study.fits = fit_hands(data, control);
  study.plans = plans_of(data);
  std::vector<std::size_t> all(data.runs.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<std::size_t> fitted_on;
  for (const PlanSpread& plan : study.plans) {
    if (plan.fitted_on) fitted_on.insert(fitted_on.end(), plan.runs.begin(), plan.runs.end());
  }
  const auto set_share = [&](double share) {
    study.share = share;
    study.errors = {.camera = camera_error(data)};
    study.errors.log_friction *= share;
    study.errors.log_length *= share;
  };
  double best = 0.0;
  double least = std::numeric_limits<double>::infinity();
  for (const double share : kShares) {
    set_share(share);
    const std::vector<Ends> ends = drawn_ends(data, study, fitted_on, draws, seed, control);
    double sum = 0.0;
    for (PlanSpread& plan : study.plans) {
      if (!plan.fitted_on) continue;
      predict_spread(plan, ends);
      sum += misfit_of(plan);
    }
    if (sum >= least) continue;
    least = sum;
    best = share;
  }
  set_share(best);
  for (const Ends& ends : drawn_ends(data, study, all, 0, seed, control)) {
    study.ends.push_back(ends.front());
  }
  const std::vector<Ends> drawn = drawn_ends(data, study, all, draws, seed, control);
  for (const Ends& ends : drawn)
    study.unsolved += std::count(ends.begin(), ends.end(), std::nullopt);
  study.unsolved += std::count(study.ends.begin(), study.ends.end(), std::nullopt);
  for (PlanSpread& plan : study.plans) {
    Ends simulated;
    for (const std::size_t k : plan.runs) simulated.push_back(study.ends[k]);
    const std::vector<Pose2> solved = known(simulated);
    if (solved.size() >= 2) plan.starts_alone = spread_of(solved);
    predict_spread(plan, drawn);
  }
  return study;
}

}  // namespace graspmap
