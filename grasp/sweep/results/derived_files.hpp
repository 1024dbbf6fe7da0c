#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/packing.hpp"
#include "grasp/sweep/results/map_reasons.hpp"
#include "grasp/sweep/results/summary.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/store/stored_trials.hpp"
#include "grasp/sweep/trials/computed_columns.hpp"
#include "grasp/sweep/trials/success_map.hpp"
#include "grasp/sweep/trials/trial.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"

namespace graspmap {

/// The summary of a store whose trials have these totals.
RunSummary summarize(const RunStore& store, const RunTotals& totals);

/// How long the run took, over all who added trials; threads are those of the last one.
RunTiming timing(const RunStore& store);

/// Whether config.toml, map.csv and summary.json are in a run folder, of `trials` trials or more.
bool derived_files_have(const std::filesystem::path& folder, std::int64_t trials);

/// Writes config.toml, map.csv and summary.json of a store into a run folder. `summary` is that of
/// the totals. Throws IoError.
void write_derived_files(const std::filesystem::path& folder, const RunStore& store,
                         const RunTotals& totals, const RunSummary& summary);

/// The intervals of a cell that map.csv has.
enum class MapIntervals {
  kWilson,
  kWilsonAndAnytime  ///< of adaptive runs
};

/// Those that map.csv of a run has.
MapIntervals map_intervals(const SweepConfig& config);

/// map.csv, as docs/reference/formats.md has it: one row per cell, x fastest, then y, then theta.
/// The probability of a cell without valid trials is "nan". The bounds of one angle are equal.
std::string map_csv(const SuccessMap& map, MapIntervals intervals = MapIntervals::kWilson);

/// Reads map.csv back: bounds, cells and counts, the rest follows from them. Throws ConfigError
/// naming file, line and column.
SuccessMap read_map_csv(const std::filesystem::path& file);

/// The first line of trials.csv: index, the columns of visit_trial_columns without most of the
/// solver's work, the keys of uncertain numbers, and ComputedColumns.
std::string trials_csv_header(const UncertainColumns& uncertain);

/// Appends a trial's line to `text`. Numbers have the fewest digits that read back the same double.
void append_trial_csv(std::string& text, const TrialRow& row, const UncertainColumns& uncertain,
                      std::span<const double> computed = {});

/// Writes trials.csv, completely or not at all: see AtomicWriter. Rows are given one by one; the
/// memory used does not depend on their number. Throws IoError.
class TrialsCsv {
 public:
  TrialsCsv(const std::filesystem::path& file, const UncertainColumns& uncertain);

  void add(const TrialRow& row);

  /// Gives the file its final name. Unless called, no file remains.
  void commit();

 private:
  void write(const TrialRow& row, std::span<const double> computed);

  AtomicWriter writer_;
  UncertainColumns uncertain_;
  RowsWithColumns rows_;
  std::string line_;
};

/// trials.csv of a stored run as a text: for those who have no disk.
std::string trials_csv(const RunStore& store);

/// Writes trials.npz: an array `index`, one for each column of visit_trial_columns,
/// `outcome_names`, so that outcome_names[outcome] are words, and one for each uncertain number,
/// named by its key, and for each of ComputedColumns. Rows are given one by one; the memory used
/// does not depend on their number. Throws IoError.
class TrialsNpz {
 public:
  TrialsNpz(const std::filesystem::path& file, const UncertainColumns& uncertain);

  void add(const TrialRow& row);

  /// Gives the file its final name, see NpzWriter::commit. Unless called, no file remains.
  [[nodiscard]] bool commit(const std::atomic<int>& stop);

 private:
  void write(const TrialRow& row, std::span<const double> computed);

  NpzWriter npz_;
  UncertainColumns uncertain_;
  RowsWithColumns rows_;
  std::vector<NpyArray*> columns_;  ///< `index`, then as visit_trial_columns
  std::vector<NpyArray*> drawn_;    ///< the uncertain numbers, then ComputedColumns
};

/// The folder of the figures in the folder of a run.
inline constexpr const char* kFiguresFolder = "figures";

/// Draws the figures of a run into RUN_DIR/figures/: success_map, histogram_3d, histogram_3d_half
/// (the cells with x >= 0, where there are any), outcomes, and trials (where cells have different
/// numbers of them, as in adaptive runs) and, with `reasons`, reasons, each as PNG and SVG, with
/// the gnuplot script that draws them (`gnuplot success_map.gp` in that folder) and, as CSV, what
/// it draws: the values of the cells or the histograms' faces. The success map of several angles
/// has a panel for each, and the others show the sweet spot's.
///
/// `title` is any text. The success map outlines the cells with success probability >=
/// `plateau_probability`, and shows part and fingers of the `scenario`, if given, to scale.
/// `gnuplot` is a program on the PATH or a path. The same input gives the same files, byte for
/// byte. Nothing is put into the folder until all figures are complete; other files in it are left
/// alone. Throws IoError when gnuplot is missing or fails, or when a file cannot be written.
void make_figures(const std::filesystem::path& run_dir, const SuccessMap& map,
                  const SweetSpot& sweet_spot, const std::string& title,
                  double plateau_probability = 0.95, const Scenario* scenario = nullptr,
                  const MapReasons* reasons = nullptr, const std::string& gnuplot = "gnuplot");
/// The same of a stored run, in its folder, with the reasons that `unmet` leads to (map_reasons).
void make_figures(const RunStore& store, const SuccessMap& map, const SweetSpot& sweet_spot,
                  const std::optional<UnmetSummary>& unmet);

}  // namespace graspmap
