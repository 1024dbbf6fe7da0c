#pragma once

#include <array>
#include <ctime>
#include <exception>
#include <string>

#include "tests/property/trial_watch.hpp"
#include "tests/support/mirror_image.hpp"

namespace graspmap::testing {

/// What a trial may do that it must not, or that is worth counting.
enum class Fault {
  kFailed,        ///< a step was not solved
  kThrown,        ///< an exception
  kTooManySteps,  ///< TrialWatch::kMostSteps
  kSlow,          ///< a second or more
  kNotFinite,     ///< a number
  kOverlap,       ///< of part and fingers
  kMomentum,      ///< the momentum balance of a step
  kDrift,         ///< the same moves a light part: by kMostDrift of the closing speed in a step,
                  ///< beyond what rounding errors of the impulses that squeeze it explain
  kFriction,      ///< outside of its cone, or it drives
  kPull,          ///< a negative normal impulse
  kEnergy,        ///< more than the closing force gave
  kOpening,       ///< wider than at the start, or closed before the last step
  kCrossed,       ///< the jaws have passed each other
  kLate,          ///< the end is a step or more after the timeout
  kEnd,           ///< the end's reason is not what the last state says
  kLost,          ///< the jaws stopped, but nothing is between them
  kNotRepeated,   ///< the same trial again ends with other bits
  kMirrorDigits,  ///< the mirrored trial ends elsewhere by more than 1e-9 of the part's size
  kMirrorFar,     ///< by more than 1e-3
  kMirrorEnd      ///< for another reason
};
inline constexpr int kFaults = 20;
inline constexpr std::array<const char*, kFaults> kFaultNames = {
    "failed", "thrown",   "steps",  "slow",   "finite",  "overlap",   "momentum",
    "drift",  "friction", "pull",   "energy", "opening", "crossed",   "late",
    "end",    "lost",     "repeat", "digits", "mirror",  "mirror-end"};

/// What is judged by, dimensionless as in Sighting.
inline constexpr double kMostOverlap = 1e-6;
inline constexpr double kMostLaw = 1e-6;
inline constexpr double kMostEnergy = 1e-2;
inline constexpr double kMostDrift = 1e-3;

/// A trial, judged.
struct Judgement {
  SimulationResult result;
  Sighting seen;
  double mirror = 0.0;  ///< how far the mirrored trial ends elsewhere, in sizes of the part
  double seconds = 0.0;
  std::array<bool, kFaults> faults{};

  [[nodiscard]] bool has(Fault fault) const { return faults[static_cast<std::size_t>(fault)]; }
};

/// Runs trials and judges them. One thread.
class Judge {
 public:
  /// `all_laws`: gaps and the limit surface of the support at each step. `repeats`: each trial is
  /// run again in a fresh workspace.
  Judgement judge(const LegalTrial& trial, bool all_laws, bool repeats) {
    Judgement judgement;
    const auto mark = [&](Fault fault, bool is) {
      judgement.faults[static_cast<std::size_t>(fault)] = is;
    };
    TrialWatch watch(trial, all_laws);
    const StepObserver observer = [&](const StepRecord& record) { watch(record); };
    const std::clock_t begin = std::clock();
    try {
      simulate(trial.scenario, trial.parameters, workspace_, judgement.result, &observer);
    } catch (const TooManySteps&) {
      mark(Fault::kTooManySteps, true);
    } catch (const std::exception&) {
      mark(Fault::kThrown, true);
    }
    judgement.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    mark(Fault::kSlow, judgement.seconds >= 1.0);
    const bool ended = !judgement.has(Fault::kTooManySteps) && !judgement.has(Fault::kThrown);
    judgement.seen = ended ? watch.finish(judgement.result) : watch.seen_so_far();
    mark_laws(judgement);
    if (!ended) return judgement;
    mark(Fault::kFailed, is_unsolved(judgement.result.end));
    if (judgement.has(Fault::kFailed)) return judgement;
    mirror(trial, judgement);
    if (repeats) mark(Fault::kNotRepeated, !repeated(trial, judgement.result));
    return judgement;
  }

 private:
  static void mark_laws(Judgement& judgement) {
    const Sighting& seen = judgement.seen;
    const StepLaws& laws = seen.laws;
    const auto mark = [&](Fault fault, bool is) {
      judgement.faults[static_cast<std::size_t>(fault)] = is;
    };
    // Equations are solved to a residual in the closing force's impulse, or in the support's, or in
    // the momentum of what the gripper takes along.
    const double law = kMostLaw * std::max({1.0, seen.support, seen.moved}) + 100.0 * seen.rounding;
    mark(Fault::kNotFinite, !seen.finite || !laws.finite);
    mark(Fault::kOverlap, seen.overlap > kMostOverlap);
    mark(Fault::kMomentum, laws.momentum > law || laws.kinematics > law || !laws.symmetric);
    mark(Fault::kDrift, laws.drift_beyond_rounding > kMostDrift);
    mark(Fault::kFriction, laws.cone > law || laws.opposition > law || laws.dissipation < -law ||
                               laws.support_limit > law || laws.support_power > law);
    mark(Fault::kPull, seen.negative_impulse > law);
    mark(Fault::kEnergy, seen.energy > kMostEnergy);
    mark(Fault::kOpening, seen.opening > 0.0);
    mark(Fault::kCrossed, seen.crossed);
    mark(Fault::kLate, seen.late >= 1.0);
    mark(Fault::kEnd, seen.end_wrong);
    mark(Fault::kLost, seen.lost);
  }

  void mirror(const LegalTrial& trial, Judgement& judgement) {
    simulate(mirror_image(trial.scenario), mirror_image(trial.parameters), workspace_, other_);
    const State a = judgement.result.final_state;
    const State b = mirror_image(other_.final_state);
    const Vec3 moved = a.part_pose - b.part_pose;
    judgement.mirror = std::max({moved.head<2>().norm() / trial.size_mm, std::abs(moved[2]),
                                 std::abs(a.jaw_right_mm - b.jaw_right_mm) / trial.size_mm,
                                 std::abs(a.jaw_left_mm - b.jaw_left_mm) / trial.size_mm});
    const bool same_end = other_.end == judgement.result.end;
    judgement.faults[static_cast<std::size_t>(Fault::kMirrorEnd)] = !same_end;
    judgement.faults[static_cast<std::size_t>(Fault::kMirrorFar)] =
        same_end && judgement.mirror > 1e-3;
    judgement.faults[static_cast<std::size_t>(Fault::kMirrorDigits)] =
        same_end && judgement.mirror > 1e-9 && judgement.mirror <= 1e-3;
  }

  bool repeated(const LegalTrial& trial, const SimulationResult& first) {
    Workspace fresh;
    simulate(trial.scenario, trial.parameters, fresh, other_);
    const State& a = first.final_state;
    const State& b = other_.final_state;
    return other_.end == first.end && other_.end_time_s == first.end_time_s &&
           other_.phase_ends.size() == first.phase_ends.size() &&
           other_.statistics.newton_iterations == first.statistics.newton_iterations &&
           a.part_pose == b.part_pose && a.mount == b.mount && a.part_velocity == b.part_velocity &&
           a.jaw_right_mm == b.jaw_right_mm && a.jaw_left_mm == b.jaw_left_mm &&
           other_.right_touches == first.right_touches && other_.left_touches == first.left_touches;
  }

  Workspace workspace_;
  SimulationResult other_;
};

}  // namespace graspmap::testing
