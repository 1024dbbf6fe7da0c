#include "lab/measured_pushes/repeat_spread.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "grasp/base/probability/distribution.hpp"
#include "lab/measured_pushes/least_squares.hpp"
#include "lab/measured_pushes/normal_draws.hpp"
#include "lab/measured_pushes/push_study.hpp"

namespace graspmap {
namespace {

constexpr int kRunErrors = 8;           // camera at start and end, friction, length
constexpr std::ptrdiff_t kSettled = 3;  // rows for which the hand has stood still
constexpr double kLowLevel = 0.05;
constexpr double kLeastPredicted = 1e-4;  // mm or rad: runs without any errors end alike
constexpr std::array kShares{0.0, 1.0 / 32, 1.0 / 16, 1.0 / 8, 1.0 / 4, 1.0 / 2, 1.0};

using RunDraw = Eigen::Matrix<double, kRunErrors, 1>;

/// How a plan's runs differ: their starts' mean and standard deviation, and the rest.
struct RunSpread {
  Pose2 mean_start;
  Vec3 start = Vec3::Zero();
  RepeatErrors errors;
};

/// The end of a run under a law and these errors, as the camera sees it.
std::optional<Pose2> drawn_end(const RepeatedRun& run, const HandScene& scene,
                               const PushedShape& shape, const HandParameters& fitted,
                               const RunSpread& spread, const RunDraw& draw, Workspace& workspace,
                               SimulationResult& result) {
  HandParameters parameters = fitted;
  parameters[kLogFriction] += spread.errors.log_friction * draw[6];
  parameters[kLogLength] += spread.errors.log_length * draw[7];
  const Pose2 start = moved(spread.mean_start, spread.start.cwiseProduct(draw.head<3>()));
  const std::vector<Pose2> rests =
      scene.rests(run, start, hand_law(shape, parameters), workspace, result);
  if (rests.empty()) return std::nullopt;
  return moved(rests.back(), spread.errors.camera.cwiseProduct(draw.segment<3>(3)));
}

using RunEnds = std::vector<std::optional<Pose2>>;

/// Those that were solved.
std::vector<Pose2> known(const RunEnds& ends) {
  std::vector<Pose2> all;
  for (const auto& end : ends) {
    if (end) all.push_back(*end);
  }
  return all;
}

/// A run of a plan.
struct PlannedRun {
  const PlanSpread* plan;
  std::size_t run;
};

/// The ends of runs in each draw, by their number; without draws from their measured starts.
std::vector<RunEnds> drawn_ends(const RepeatedPushes& data, const RepeatStudy& study,
                                const std::vector<PlannedRun>& some, int draws, std::uint64_t seed,
                                const SweepControl& control) {
  std::vector<RunEnds> ends(data.runs.size());
  for_all(some.size(), control, [&](std::size_t i, Workspace& workspace, SimulationResult& result) {
    const PlanSpread* const plan = some[i].plan;
    const std::size_t number = some[i].run;  // clang captures no structured bindings
    const RepeatedRun& run = data.runs[number];
    const PushedShape& shape = data.shapes.at(run.object);
    const HandScene scene(shape);
    const HandParameters& fitted = study.fits.at(run.object).parameters;
    const auto add = [&](const RunSpread& spread, const RunDraw& draw) {
      ends[number].push_back(drawn_end(run, scene, shape, fitted, spread, draw, workspace, result));
    };
    if (draws == 0) add({run.start, Vec3::Zero(), {}}, RunDraw::Zero());
    for (int j = 0; j < draws; ++j) {
      const std::uint64_t key =
          number * static_cast<std::uint64_t>(draws) + static_cast<std::uint64_t>(j);
      add({plan->mean_start, plan->measured_start, study.errors},
          normal_draws(kRunErrors, seed, key));
    }
  });
  return ends;
}

void predict_spread(PlanSpread& plan, const std::vector<RunEnds>& ends) {
  std::array<std::vector<double>, 3> found;
  for (std::size_t draw = 0; draw < ends[plan.runs[0]].size(); ++draw) {
    RunEnds drawn;
    for (const std::size_t run : plan.runs) drawn.push_back(ends[run][draw]);
    const std::vector<Pose2> poses = known(drawn);
    if (poses.size() < 2) continue;
    const Vec3 spread = spread_of(poses);
    for (std::size_t k = 0; k < 3; ++k) found[k].push_back(spread[static_cast<Eigen::Index>(k)]);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    if (found[k].empty()) continue;
    plan.predicted[row] = sample_quantile(found[k], 0.5);
    plan.low[row] = sample_quantile(found[k], kLowLevel);
    plan.high[row] = sample_quantile(found[k], 1.0 - kLowLevel);
  }
}

/// Minus the log likelihood of the measured standard deviations, without constants.
double misfit_of(const PlanSpread& plan) {
  const auto freedom = static_cast<double>(plan.runs.size() - 1);
  const Vec3 predicted = plan.predicted.cwiseMax(kLeastPredicted);
  const Vec3 ratio = plan.measured_end.cwiseQuotient(predicted);
  return freedom * (0.5 * ratio.squaredNorm() + predicted.array().log().sum());
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
    plan.mean_start = mean_of(starts);
    plan.measured_start = spread_of(starts);
    plan.measured_end = spread_of(ends);
  }
  return plans;
}

}  // namespace

Vec3 camera_error(const RepeatedPushes& data) {
  Vec3 sum = Vec3::Zero();
  int pairs = 0;
  for (const RepeatedRun& run : data.runs) {
    const std::vector<HandSample>& path = run.pushes.back();
    for (std::size_t k = kSettled; k < path.size(); ++k) {
      const auto begin = path.begin() + static_cast<std::ptrdiff_t>(k) - kSettled;
      const bool stands = std::all_of(begin, begin + kSettled, [&](const HandSample& sample) {
        return sample.hand == path[k].hand;
      });
      if (!stands || !path[k].part || !path[k - 1].part) continue;
      sum += difference(*path[k].part, *path[k - 1].part).cwiseAbs();
      ++pairs;
    }
  }
  // The mean |a - b| of normal a and b is 2 / sqrt(pi) of their standard deviation.
  return 0.5 * std::sqrt(std::numbers::pi) / std::max(pairs, 1) * sum;
}

Pose2 mean_of(const std::vector<Pose2>& poses) {
  Vec3 sum = Vec3::Zero();
  for (const Pose2& pose : poses) sum += difference(pose, poses[0]);
  return moved(poses[0], sum / static_cast<double>(poses.size()));
}

Vec3 spread_of(const std::vector<Pose2>& poses) {
  Eigen::Matrix3Xd from_first(3, static_cast<Eigen::Index>(poses.size()));
  for (std::size_t k = 0; k < poses.size(); ++k) {
    from_first.col(static_cast<Eigen::Index>(k)) = difference(poses[k], poses[0]);
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
  std::vector<PlannedRun> all;
  std::vector<PlannedRun> fitted_on;
  for (const PlanSpread& plan : study.plans) {
    for (const std::size_t run : plan.runs) {
      all.push_back({&plan, run});
      if (plan.fitted_on) fitted_on.push_back(all.back());
    }
  }
  const Vec3 camera = camera_error(data);
  const auto set_share = [&](double share) {
    study.share = share;
    study.errors = {.camera = camera};
    study.errors.log_friction *= share;
    study.errors.log_length *= share;
  };
  double best = 0.0;
  double least = std::numeric_limits<double>::infinity();
  for (const double share : kShares) {
    set_share(share);
    const std::vector<RunEnds> ends = drawn_ends(data, study, fitted_on, draws, seed, control);
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
  study.ends.resize(data.runs.size());
  const std::vector<RunEnds> own = drawn_ends(data, study, all, 0, seed, control);
  const std::vector<RunEnds> drawn = drawn_ends(data, study, all, draws, seed, control);
  for (const PlannedRun& run : all) {
    study.ends[run.run] = own[run.run].front();
    for (const std::vector<RunEnds>* some : {&own, &drawn}) {
      const RunEnds& ends = (*some)[run.run];
      study.unsolved += std::count(ends.begin(), ends.end(), std::nullopt);
    }
  }
  for (PlanSpread& plan : study.plans) {
    RunEnds simulated;
    for (const std::size_t k : plan.runs) simulated.push_back(study.ends[k]);
    const std::vector<Pose2> solved = known(simulated);
    if (solved.size() >= 2) plan.starts_alone = spread_of(solved);
    predict_spread(plan, drawn);
  }
  return study;
}

}  // namespace graspmap
