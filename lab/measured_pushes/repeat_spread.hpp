#pragma once

#include <cstddef>
#include <cstdint>

#include "lab/measured_pushes/repeat_fit.hpp"

namespace graspmap {

/// How runs of a plan differ, beside their starts: standard deviations of normal errors.
struct RepeatErrors {
  double log_friction = 0.3;   ///< of the fingers, from run to run; to begin with from push to push
  double log_length = 0.08;    ///< of the limit surface; the same. Both are what R1 finds.
  Vec3 camera = Vec3::Zero();  ///< of a pose at rest, mm, mm, rad
};

/// The camera's error, from successive poses of parts while the hand stands still at the end of
/// runs.
Vec3 camera_error(const RepeatedPushes& data);

/// The mean of some poses whose angles are near each other.
Pose2 mean_of(const std::vector<Pose2>& poses);

/// Standard deviations (n - 1) of x, y (mm) and the angle (rad) of some poses; two at least.
Vec3 spread_of(const std::vector<Pose2>& poses);

/// The runs of one plan.
struct PlanSpread {
  std::string plan = {};
  std::string object = {};
  std::vector<std::size_t> runs = {};  ///< numbers of RepeatedPushes::runs
  bool fitted_on = false;              ///< RepeatErrors are: the first plan of each object
  Pose2 mean_start = {};
  Vec3 measured_start = Vec3::Zero();
  Vec3 measured_end = Vec3::Zero();
  Vec3 starts_alone = Vec3::Zero();  ///< of the simulated ends, nothing else uncertain
  Vec3 predicted = Vec3::Zero();     ///< median over the draws
  Vec3 low = Vec3::Zero();           ///< 5 % quantile of such a measurement with as many runs
  Vec3 high = Vec3::Zero();          ///< 95 % quantile
};

struct RepeatStudy {
  std::map<std::string, HandFit> fits;
  RepeatErrors errors;
  double share = 0.0;                      ///< of R1's errors of friction and length
  std::vector<std::optional<Pose2>> ends;  ///< of RepeatedPushes::runs, from their measured starts
  std::vector<PlanSpread> plans;           ///< those with two runs or more
  std::ptrdiff_t unsolved = 0;             ///< simulations of `ends` and of all draws of `plans`
};

/// Fits, simulates each run from its start, and then each plan `draws` times as a whole: each run
/// from a start drawn with the measured spread, with a friction and a length of its own, and seen
/// by the camera at its end. The share of R1's errors is the one that makes the measured spread of
/// the plans `fitted_on` most likely, normal ends taken. Keyed by seed and run. Throws
/// AnalysisStopped.
RepeatStudy study_repeats(const RepeatedPushes& data, int draws, std::uint64_t seed,
                          const SweepControl& control);

}  // namespace graspmap
