#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grasp/base/io/result.hpp"
#include "grasp/sweep/results/summary.hpp"
#include "grasp/sweep/store/run_store.hpp"

namespace graspmap {

/// Numbers in two bytes, for data that a page shows.

/// The range of numbers that are packed; empty (low > high) before the first.
struct PackedRange {
  double low = 1.0;
  double high = 0.0;

  /// Grows to hold a number, unless it is not finite.
  void include(double number);
  /// What two neighbouring packed numbers differ by, at most: numbers are off by half of it.
  [[nodiscard]] double step() const;
  /// 0 to 65534, the nearest to low + (high - low) q / 65534; 65535 for what is not finite.
  [[nodiscard]] std::uint16_t pack(double number) const;
};

/// Appends a number as two bytes, the lower first.
void append_word(std::string& bytes, std::uint16_t word);
/// The same for a number from -1 to 1 as a signed number of 16 bits: round(32767 x).
void append_fraction(std::string& bytes, double fraction);
/// Appends an IEEE double, little-endian.
void append_double(std::string& bytes, double number);
/// Appends words as two planes: all upper bytes, then all lower ones, which compresses better.
void append_planes(std::string& bytes, std::span<const std::uint16_t> words);

/// The most trials that a report holds: about 13 bytes each, 10 of them once compressed.
inline constexpr std::int64_t kMostReportTrials = 200'000;

/// The numbers of a trial's end that a report keeps.
inline constexpr std::array<const char*, 6> kPackedColumns = {
    "part_x_mm", "part_y_mm", "part_theta_rad", "jaw_right_x_mm", "jaw_left_x_mm", "end_time_s"};

/// The trials of a run for a page: how each ended. What was drawn for a trial (placement, noise,
/// friction) is not kept: it follows from the seed and its index, and the page's engine computes
/// it. Of more trials than `most` those of lowest index are taken, which are the first of each
/// cell.
struct TrialTable {
  TrialRanges trials;                ///< the indices
  std::int64_t stored = 0;           ///< trials of the run
  std::array<PackedRange, 6> range;  ///< of each of kPackedColumns
  /// For n trials in the order of the index: first and end of each range of indices as doubles; n
  /// outcomes, a byte each (kOutcomes); for each column n packed numbers (append_planes).
  std::string bytes;
  std::string digest;  ///< of all trials, as `graspmap hash`
};

/// Reads all trials of a run. Throws as RunStore.
TrialTable read_trial_table(const RunStore& store, std::int64_t most = kMostReportTrials);

/// The field "trial_table" of run.json: what one needs to read `bytes`.
Object trial_table_fields(const TrialTable& table);

/// Trials that a page shows as they move, without a simulator.
struct TrialFilms {
  /// JSON: the scales, and for each film its trial, its story (trial_text), the number of its
  /// frames and where they begin in `frames`, in words.
  std::string json;
  /// Little-endian signed words of two bytes, each k / 32767 of a scale, all in the gripper's
  /// frame. A frame: time (`time_s`); part x, y (`length_mm`), theta (`part_theta_rad`); right,
  /// left jaw
  /// (`length_mm`); the gripper on the table, as the part; the program's phase, from 0, and the
  /// number of contacts (both unscaled). A contact: side + 4 grip (unscaled; side 0 right, 1 left,
  /// 2 palm, 3 an obstacle; grip 0 rests, 1 sticks, 2 slides); x, y (`length_mm`); angle of the
  /// normal out of the jaw (`normal_rad`); force along it, friction force along the normal turned
  /// by +90 degrees (`force_n`).
  std::string frames;
  std::size_t films = 0;
};

inline constexpr std::size_t kMostFilms = 500;
inline constexpr std::size_t kMostFilmFrames = 36;

/// The trials that get a film: the first of each outcome of each cell among those of a table; of
/// more than `most` some of them, taken evenly. In the order of the cells.
std::vector<std::int64_t> film_trials(const RunStore& store, const TrialTable& table,
                                      std::size_t most = kMostFilms);

/// Simulates trials again and keeps their stories and at most kMostFilmFrames moments of each,
/// evenly in time, the end among them. The program must have the run's time-stepper.
TrialFilms make_films(const SweepConfig& config, const std::vector<std::int64_t>& trials);

/// run.json of a report: what the page needs to know of a run besides its other parts: the axes of
/// the map, the seed, the distributions of friction, where sweet spot and plateau are, who ran it,
/// how trials are packed, and the shapes of part and fingers as polygons (web/report/facts.ts has
/// the fields). `run` is the run as a person named it.
std::string run_facts_json(const RunStore& store, const RunSummary& summary,
                           const TrialTable& table, const std::string& run);

}  // namespace graspmap
