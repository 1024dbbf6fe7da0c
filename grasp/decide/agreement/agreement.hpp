#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "grasp/base/probability/proportions.hpp"

/// Trials of an experiment against what a model predicts at the same placements: pure statistics.
/// docs/explanation/statistics.md, "A run and an experiment", has the formulas.

namespace graspmap {

/// A systematic change of the success probabilities that an experiment is searched for.
enum class Change {
  kLevel,           ///< more or fewer successes in all (probability)
  kShiftX,          ///< the gripper is off in x (mm)
  kShiftY,          ///< the gripper is off in y (mm)
  kTurn,            ///< the part is turned (rad)
  kJawFriction,     ///< the jaws' friction distribution is shifted
  kSupportFriction  ///< the table's friction distribution is shifted
};
inline constexpr std::size_t kChangeCount = 6;
inline constexpr std::array kChanges = {Change::kLevel,       Change::kShiftX,
                                        Change::kShiftY,      Change::kTurn,
                                        Change::kJawFriction, Change::kSupportFriction};

/// "success in all", "shift in x", ..., "jaw friction", "support friction".
const char* name(Change change);
/// For files: "level", "shift_x_mm", "shift_y_mm", "turn_rad", "jaw_friction", "support_friction".
const char* key(Change change);
/// "mm", "rad", "" (friction), "points" (level, whose values are probabilities).
const char* unit(Change change);

/// The model's success probability at a placement when the change is -step and +step; NaN where it
/// is not known.
struct ChangedSuccess {
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
};

/// The trials of an experiment with one intended placement in one session, and the model's.
struct PredictedSite {
  double x_mm = 0.0;
  double y_mm = 0.0;
  std::size_t session = 0;
  std::size_t place = 0;       ///< its number in SessionDraws
  std::size_t group = 0;       ///< sites of one group are summed where places are compared
  std::int64_t trials = 0;     ///< of the experiment
  std::int64_t successes = 0;  ///< of the experiment
  SampleCounts model;          ///< simulated trials at the placement, at least one
  std::array<ChangedSuccess, kChangeCount> changed = {};  ///< by Change; kLevel is not looked at
};

/// The model in a session, in which friction is constant: for each of some draws from the run's
/// friction distributions the success probability at each placement.
struct SessionDraws {
  std::size_t places = 0;
  std::vector<float> success;  ///< of draw j at placement k: [j * places + k]

  [[nodiscard]] std::size_t draws() const { return places == 0 ? 0 : success.size() / places; }
};

struct AgreementSettings {
  double confidence = 0.95;
  double within = 0.10;  ///< the difference in probability that is still agreement, 0 to 1
  std::array<double, kChangeCount> steps = {};  ///< of ChangedSuccess, in the unit of the change
  std::int64_t replicates = 9'999;              ///< simulated experiments under "the model is true"
  std::uint64_t seed = 1996;
  bool detectable = true;  ///< whether to compute ChangeResult::detectable_*
  /// After so many simulated experiments, and after three times as many, it ends when each test is
  /// clear: for who wants the verdict only. 0: never.
  std::int64_t first_look = 0;
};

/// What an experiment shows of one change, as if nothing else were changed.
struct ChangeResult {
  Change change = Change::kLevel;
  Estimate estimate;        ///< to first order, with its interval at `confidence`
  bool at_bound = false;    ///< the estimate was cut at the least that there can be
  double p_value = 1.0;     ///< of "no such change"
  double adjusted_p = 1.0;  ///< for the number of tests, by Westfall and Young
  /// The largest mean absolute change of the success probability, over the experiment's trials,
  /// that the interval at 2 confidence - 1 allows.
  double largest_effect = 0.0;
  /// The size of the change that the test, corrected for the number of tests, would find with
  /// probability 80 %, 90 %: of the sign that is harder to find, unless that one cannot be found
  /// so often at all; NaN where none can. Up to 6 steps are looked at.
  double detectable_80 = std::numeric_limits<double>::quiet_NaN();
  double detectable_90 = std::numeric_limits<double>::quiet_NaN();
};

struct TestResult {
  double p_value = 1.0;
  double adjusted_p = 1.0;
};

struct SessionResult {
  std::size_t session = 0;
  std::int64_t trials = 0;
  std::int64_t successes = 0;
  double expected = 0.0;     ///< successes
  double expected_sd = 0.0;  ///< of the successes, if the model is true
};

/// The experiment's trials of one group.
struct GroupResult {
  std::size_t group = 0;
  std::int64_t trials = 0;
  std::int64_t successes = 0;
  double expected = 0.0;     ///< successes
  double expected_sd = 0.0;  ///< of successes - expected, if the model is true
};

enum class AgreementVerdict { kDiffers, kAgrees, kCannotTell };

/// "differs", "agrees", "cannot tell".
const char* name(AgreementVerdict verdict);

struct Agreement {
  double confidence = 0.95;
  double within = 0.10;
  std::int64_t trials = 0;
  std::int64_t successes = 0;
  double expected = 0.0;                       ///< successes at the experiment's own placements
  double expected_sd = 0.0;                    ///< of successes - expected, if the model is true
  std::vector<ChangeResult> changes;           ///< kLevel first, then those that are known
  TestResult places;                           ///< differences by place, in any pattern
  std::optional<TestResult> between_sessions;  ///< more difference than the distributions explain
  double p_value = 1.0;                        ///< of "no difference": the smallest adjusted one
  double mean_difference = 0.0;  ///< mean |observed - expected| share over groups, by trials
  double mean_by_chance = 0.0;   ///< the same, if the model is true
  double largest_mean = 0.0;     ///< upper limit of mean_difference at `confidence`
  double smallest_within = 1.0;  ///< "agrees within d" holds for d from here on
  AgreementVerdict verdict = AgreementVerdict::kCannotTell;
  bool significant = false;       ///< p_value <= 1 - confidence
  double session_widening = 1.0;  ///< standard deviation of the total over that without sessions
  std::vector<SessionResult> sessions;  ///< empty without sessions
  std::vector<GroupResult> groups;
  std::int64_t replicates = 0;

  /// The result of a change; nothing when it is not known.
  [[nodiscard]] const ChangeResult* of(Change change) const;
};

/// Cuts the estimate of a change at the least that there can be, as of a friction that ends at 0.
void cut_at(Agreement& agreement, Change change, double least);

/// Whether an experiment and a model agree. `draws` is null when friction varies from trial to
/// trial as in the model; else each session has one draw.
///
/// Tests, all corrected together (Westfall and Young 1993, step-down min-p over simulated
/// experiments): the total of the successes at the experiment's own placements; each change, with
/// the weights with which it is found best; differences by place in any pattern; with several
/// sessions, differences between them. Without sessions simulated experiments are drawn given the
/// sums of both at each site, which makes the tests exact whatever the number of trials.
///
/// Verdict: `kAgrees` when, at `confidence`, the mean success over the experiment's trials differs
/// by at most `within` and no change that is looked for can change the success by more than
/// `within` in the mean over them (two one-sided tests each); where differences by place are found,
/// moreover their mean must be at most `within`. Else `kDiffers` when a test finds a difference,
/// else `kCannotTell`. Failed simulated trials count once as successes, once as none, and what says
/// less is returned.
Agreement agreement(std::span<const PredictedSite> sites, const SessionDraws* draws,
                    const AgreementSettings& settings);

}  // namespace graspmap
