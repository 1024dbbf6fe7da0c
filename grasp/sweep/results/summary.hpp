#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grasp/base/io/result.hpp"
#include "grasp/sweep/adaptive/rounds.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/results/unmet_summary.hpp"
#include "grasp/sweep/store/stored_trials.hpp"
#include "grasp/sweep/trials/success_map.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {

/// How an adaptive run spent its trials and why it stopped: a pure function of its trials.
struct AdaptiveSummary {
  AdaptiveSampling sampling;
  AdaptiveState state = AdaptiveState::kGoesOn;
  int rounds = 0;                    ///< complete ones
  std::int64_t trials = 0;           ///< so far
  std::int64_t complete_trials = 0;  ///< of the complete run: all trials in all cells
  double confidence = 0.0;           ///< of the sweet spot
  bool sweet_spot_known = false;
  std::optional<std::int64_t> trials_when_known;  ///< when it was first
  double standard_error = 0.0;
  std::int64_t edge_cells = 0;
  std::int64_t wide_cells = 0;

  [[nodiscard]] bool finished() const { return state != AdaptiveState::kGoesOn; }
};

/// `forecast` is that of the rounds; nothing while none is complete.
AdaptiveSummary summarize(const SweepConfig& config, const AdaptiveRounds& rounds,
                          const std::optional<SweetSpotForecast>& forecast, std::int64_t trials);

/// For a person, a few lines: why the run stopped, how sure the sweet spot is, what was saved.
std::string adaptive_text(const AdaptiveSummary& summary);

/// The field "adaptive" of summary.json.
Object adaptive_fields(const AdaptiveSummary& summary);

/// Whether the grasp succeeds reliably somewhere: with the plateau's probability or more.
enum class Answer {
  kYes,     ///< surely in the sweet spot's square as a whole, and perhaps in each of its cells
  kNo,      ///< surely not in the sweet spot's square as a whole, or in one of its cells
  kUnknown  ///< there are too few trials
};

/// "yes", "no", "unknown".
const char* word(Answer answer);

/// A run that can have more trials.
struct MoreTrials {
  std::string program;
  std::filesystem::path folder;  ///< empty: texts name settings in place of commands
  std::int64_t per_cell = 0;     ///< that it has
};

/// Nothing of a run that is not complete, or whose cells do not all have as many.
std::optional<MoreTrials> more_trials(const SweepConfig& config, std::int64_t trials,
                                      const std::filesystem::path& run_folder);

/// How many times as many trials would decide whether a probability is `reliable`, if as large a
/// share of them succeeded; 0 when 64 times as many would not.
std::int64_t trials_factor(double successes, double trials, double reliable);

/// "To know: " and the command that runs `factor` times as many trials, or their number.
std::string more_trials_text(const MoreTrials& run, std::int64_t factor);

/// Where to put the gripper with the robot's error ([robot]) in it. grasp/decide/plan answers that.
struct RobotAnswer {
  Answer answer = Answer::kUnknown;
  std::array<double, 3> at{};  ///< x (mm), y (mm), theta (rad)
  bool found = false;          ///< false: no success is known of, there is no such place
  std::string text;            ///< the headline
  Object fields;               ///< the field "robot" of summary.json
};

/// What a run found, in numbers: a pure function of its trials, and of [robot].
struct RunSummary {
  std::string name;
  std::uint64_t seed = 0;
  const char* program = "graspmap";  ///< that simulates its trials
  bool has_obstacles = false;
  std::int64_t trials_asked = 0;  ///< of an adaptive run, at most
  std::int64_t trials_done = 0;
  CellCounts totals;
  double independent_trials = 0.0;  ///< of the same precision: graspmap::independent_trials
  /// The mean over the cells.
  double success_probability = 0.0;
  Interval success_interval;
  Axis theta_rad;        ///< of the map
  SweetSpot sweet_spot;  ///< of an adaptive run, where that of the complete run most likely is
  Answer answer = Answer::kUnknown;
  CellCounts square;                 ///< the trials in the sweet spot's square
  double best_cell_probability = 0;  ///< of the most successful cell, the first of equal ones
  Vec2 best_cell_mm{0, 0};           ///< its middle
  double plateau_probability = 0.0;  ///< the threshold
  Plateau plateau;
  Interval plateau_area_interval;  ///< 95 %, of plateau.area_mm2
  std::int64_t cells = 0;          ///< of the whole map
  StepStatistics statistics;       ///< sums and worst values over all trials
  std::vector<TrialRow> failed;    ///< the first few failed trials
  double most_work = 0.0;          ///< as in RunTotals, like the next one
  std::int64_t failed_too_long = 0;

  std::optional<AdaptiveSummary> adaptive;
  std::optional<UnmetSummary> unmet;  ///< of a stored run
  std::optional<RobotAnswer> robot;   ///< of one with [robot]

  /// All trials are there, or the rule of an adaptive run has stopped it.
  [[nodiscard]] bool complete() const {
    return adaptive ? adaptive->finished() : trials_done == trials_asked;
  }
};

/// What depends on the machine and the moment.
struct RunTiming {
  double wall_s = 0.0;
  int threads = 0;
};

/// Sums up a run that has `trials_asked` trials when it is complete.
RunSummary summarize(const SweepConfig& config, const RunTotals& totals, std::int64_t trials_asked);

/// The command line that runs one trial of a run again.
std::string replay_line(std::string_view program, const std::filesystem::path& run_folder,
                        std::int64_t index);

/// summary.json. All but the object "timing" is the same for any number of threads. Failed trials
/// are listed with the command that replays them. Without a run folder (an empty path), as in a
/// browser, this and the texts below leave such commands out.
Object summary_fields(const RunSummary& summary, const RunTiming& timing,
                      const std::filesystem::path& run_folder);

/// What a person should know first: where to put the gripper, or why nowhere.
std::string headline_text(const RunSummary& summary, const std::filesystem::path& run_folder);

/// Why no grasp, or none reliably, succeeds, and which trial to look at; "" when that is not known.
std::string reason_text(const RunSummary& summary, const std::filesystem::path& run_folder);

/// The same for a person: the headline first, then outcomes, then the solver's health.
std::string summary_text(const RunSummary& summary, const RunTiming& timing,
                         const std::filesystem::path& run_folder);

/// What figures mark: where to put the gripper with the robot's error, else the sweet spot.
SweetSpot marked_spot(const RunSummary& summary);

}  // namespace graspmap
