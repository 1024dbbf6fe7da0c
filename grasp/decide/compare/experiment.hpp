#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/decide/agreement/predicted_sites.hpp"
#include "grasp/sweep/trials/success_map.hpp"

namespace graspmap {

/// Where the numbers of an experiment come from.
enum class ExperimentOrigin {
  kMeasured,   ///< counted in a lab
  kDigitised,  ///< read off a published figure
  kSimulated   ///< by this or another program
};

inline constexpr std::array kExperimentOrigins = {
    ExperimentOrigin::kMeasured, ExperimentOrigin::kDigitised, ExperimentOrigin::kSimulated};

/// Borders this close, in parts of the smaller cell, are one: neighbours whose common border is
/// rounded to two doubles do not overlap.
inline constexpr double kBorderRounding = 1e-9;

/// The word for an origin: "measured", "digitised", "simulated".
const char* name(ExperimentOrigin origin);

/// Trials with placements in a rectangle.
struct ExperimentCell : Rectangle {
  std::int64_t trials = 0;
  std::int64_t successes = 0;
  std::size_t session = 0;  ///< in Experiment::sessions; 0 without sessions
};

/// One trial, at its intended placement.
struct ExperimentTrial {
  double x_mm = 0.0;
  double y_mm = 0.0;
  bool success = false;
  std::size_t session = 0;               ///< in Experiment::sessions; 0 without sessions
  std::optional<double> theta_rad = {};  ///< of all trials or of none
};

/// The trials of an experiment: as cells, or one by one; never both. Two cells are the same
/// rectangle, of two sessions, or do not overlap.
struct Experiment {
  std::string file;  ///< as named in reports
  ExperimentOrigin origin = ExperimentOrigin::kMeasured;
  std::string source;  ///< a remark of its author, carried into reports; may be empty
  std::vector<ExperimentCell> cells;
  std::vector<ExperimentTrial> single_trials;
  /// What was constant within each: one pair of surfaces, one day. In the order in which they first
  /// occur; empty without a column "session".
  std::vector<std::string> sessions = {};
  std::int64_t failed = 0;  ///< further simulated trials, which say nothing
  /// Rows without a result: to be predicted. Their `success` means nothing.
  std::vector<ExperimentTrial> planned = {};
};

/// What the lines before a table's header say.
struct TableHead {
  ExperimentOrigin origin = ExperimentOrigin::kMeasured;
  std::string source;  ///< may be empty
};

/// Reads the lines that begin with '#' at the start of `text`: "# origin = measured" (or digitised,
/// simulated), once, and at most once "# source = any text". `file` is named in errors. `without`:
/// the origin of a file that says none, which is refused without it. Throws ConfigError.
TableHead read_head(std::string_view text, const std::string& file,
                    const std::optional<ExperimentOrigin>& without = {});

/// The cells of all sessions together: equal rectangles become one, in the order in which they
/// first occur, of session 0.
std::vector<ExperimentCell> pooled_cells(const Experiment& experiment);

/// Reads EXPERIMENT.csv: first "# origin = measured" (or digitised, simulated), optionally
/// "# source = any text", then CSV with the columns
/// x_min_mm,x_max_mm,y_min_mm,y_max_mm,trials,successes or x_mm,y_mm,success (0 or 1), the latter
/// optionally with theta_rad; either optionally with session (any text). A trial whose success is
/// empty is planned.
/// docs/reference/formats.md says more. Throws ConfigError "FILE:LINE: COLUMN: ...".
/// `columns`, "x_mm=X", say what its columns are called instead: of a laboratory's own log, which
/// is measured unless it says otherwise. Throws RequestError for others. An experiment of planned
/// trials alone is one only without `results_needed`.
Experiment read_experiment(const std::filesystem::path& file,
                           const std::vector<std::string>& columns = {},
                           bool results_needed = true);

/// --columns.
RequestField columns_field(std::vector<std::string>& member);

/// Another run's map as an experiment (simulated): the trials of its cells of one slice of angles,
/// without failed ones. `file` is how reports name it.
Experiment experiment_of_map(const SuccessMap& map, int slice, std::string file);

}  // namespace graspmap
