#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/probability/stratified.hpp"
#include "grasp/sweep/config/config_document.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/trials/success_map.hpp"

namespace graspmap {

/// What a trial is run with, one by one.
inline constexpr std::size_t kTrialInputs = 5;
inline constexpr std::array<const char*, kTrialInputs> kTrialInputNames = {
    "placement x", "placement y", "angle", "friction of the jaws", "friction of the table"};

/// A number that is uncertain in one run, or in both.
struct PairedNumber {
  std::string key;
  bool in_a = false;
  bool in_b = false;
  std::int64_t equal = 0;   ///< in how many pairs it has the same value, if it is in both
  bool same_draws = false;  ///< its random numbers are the same in both
};

/// The trials of two runs on the same grid, side by side.
struct RunPairs {
  std::vector<PairTable> cells;  ///< per cell: the trials that both have
  std::int64_t pairs = 0;
  /// In how many pairs an input has the same value, in the order of kTrialInputNames.
  std::array<std::int64_t, kTrialInputs> equal{};
  std::vector<PairedNumber> uncertain;  ///< by key
};

/// How the trials of two runs belong together.
enum class Pairing {
  kPaired,      ///< same seed, points and grid: trials of one index have the same random numbers
  kIndependent  ///< otherwise: each run's trials by themselves
};

/// A against B in one cell. Differences of runs are P_B - P_A: what is gained from A to B.
struct CellDifference {
  double probability_a = 0.0;  ///< of all valid trials of the run; NaN without any
  double probability_b = 0.0;
  Estimate difference;
  double p_value = 1.0;      ///< of "equally good"
  double adjusted_p = 1.0;   ///< by Benjamini and Hochberg over all cells
  bool significant = false;  ///< adjusted_p <= the false discovery rate
};

/// A against B over several cells.
struct RegionDifference {
  std::int64_t cells = 0;
  double probability_a = 0.0;  ///< mean over the cells with valid trials; NaN without any
  double probability_b = 0.0;
  Estimate difference;
};

/// What one run is for the comparison.
struct ComparedRun {
  std::string run;  ///< as a person names it
  SuccessMap map;   ///< all its trials
  std::int64_t trials = 0;
  SweetSpot sweet_spot;
  Plateau plateau;
  double plateau_probability = 0.0;  ///< the threshold
  Scenario scenario;                 ///< part and gripper, for figures
};

/// Two designs against each other.
struct RunDifference {
  ComparedRun a;
  ComparedRun b;
  std::vector<ConfigDifference> configuration;  ///< what differs, apart from trials and name
  Pairing pairing = Pairing::kPaired;
  RunPairs pairs;
  std::vector<CellDifference> cells;
  RegionDifference whole;
  RegionDifference plateaus;  ///< the cells that are on the plateau of A or of B
  RegionDifference at_a;      ///< the square of A's sweet spot; no cells without one
  RegionDifference at_b;
  double pairing_gain = 1.0;  ///< over the map; 1 for independent trials
  double confidence = 0.95;
  double false_discovery_rate = 0.05;

  /// Significant cells in which B is better (sign 1) or worse (-1).
  [[nodiscard]] std::int64_t significant_cells(int sign) const;
};

/// What `graspmap difference` and Run.difference are asked; fields() says what each means.
struct DifferenceRequest {
  double false_discovery_rate = 0.05;
  double confidence = 0.95;

  RequestFields fields();
};

/// Compares two runs. Paired when their seeds agree: by cell Tango's interval and McNemar's exact
/// test, otherwise Mee's interval and Fisher's exact test. Cells weigh equally. A failed trial
/// counts in intervals once as success and once as no success; in the test it counts against the
/// difference that was found. Throws ConfigError when the grids differ, or a run has no trials.
RunDifference compare_runs(const RunStore& a, const RunStore& b, const DifferenceRequest& request);

/// For a person: the answer first, then what differs and how the trials are paired, then a table.
std::string difference_text(const RunDifference& result);

/// difference.csv: a row per cell, x fastest.
Table difference_table(const RunDifference& result);

/// difference.json: the same as the text, in numbers.
Object difference_fields(const RunDifference& result);

/// Four maps: A, B, B minus A, and the same where it is significant; of several angles, at that of
/// A's sweet spot, and a second figure of where B minus A is significant at each angle, if they are
/// not more than 9.
std::vector<Figure> difference_figures(const RunDifference& result);

}  // namespace graspmap
