#pragma once

#include <string>
#include <vector>

#include "bench/compare/agreement.hpp"
#include "bench/compare/measurement.hpp"

namespace graspmap::bench {

/// The names of our curves begin with this word.
inline constexpr const char* kOurs = "graspmap";

/// An engine at one step size: work and precision.
struct Score {
  std::string curve;    ///< "Box2D"
  std::string setting;  ///< "1/480 s"
  Measurement measured;
  Agreement agreement;

  [[nodiscard]] double median_trials_per_s() const;
  [[nodiscard]] bool ours() const { return curve.starts_with(kOurs); }
};

/// Several engines on the same trials of a sweep.
struct Comparison {
  std::string name;  ///< of the configuration
  int repetitions = 0;
  double reference_step_s = 0.0;
  std::vector<ReferenceTrial> reference;
  std::vector<Score> scores;  ///< those of a curve side by side

  [[nodiscard]] int robust() const;
  /// The names of the curves, in the order of their scores.
  [[nodiscard]] std::vector<std::string> curves() const;
};

/// What a setting of another engine must reach to count as usable, and ours as right.
inline constexpr double kUsableShare = 0.99;
inline constexpr double kRightMedian_mm = 0.05;
inline constexpr double kRightMedian_deg = 0.1;

/// At least 99 % of the robust trials have the right outcome.
bool is_usable(const Score& score);

/// All robust trials have the right outcome, and the final pose is within 0.05 mm and 0.1 degree of
/// the reference's in the median.
bool is_right(const Score& score);

/// The fastest setting of all our curves that is right; or nullptr.
const Score* fastest_right(const Comparison& comparison);

/// The fastest usable setting of a curve; or nullptr.
const Score* fastest_usable(const Comparison& comparison, const std::string& curve);

/// graspmap's default tolerance for the lock piece.
inline constexpr const char* kDefaultSetting = "0.02 mm";

/// What a page shows, in order: our default, the most right setting of each curve, and before the
/// best one of each engine ("Box2D" of "Box2D, fewer corners") the next faster one of its curve.
std::vector<const Score*> main_scores(const Comparison& comparison);

/// The setting of a curve with the most robust trials right, the fastest of those; nullptr for a
/// curve without settings.
const Score* most_right(const Comparison& comparison, const std::string& curve);

}  // namespace graspmap::bench
