#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "grasp/base/io/json.hpp"
#include "grasp/show/report/packed_numbers.hpp"
#include "grasp/sweep/store/run_store.hpp"

namespace graspmap {

/// The most trials that a report holds: about 13 bytes each, 10 of them once compressed.
inline constexpr std::int64_t kMostReportTrials = 200'000;

/// The numbers of a trial's end that a report keeps.
inline constexpr std::array<const char*, 6> kPackedColumns = {
    "part_x_mm", "part_y_mm", "part_theta_rad", "jaw_right_x_mm", "jaw_left_x_mm", "end_time_s"};

/// The trials of a run for a page: how each ended. What was drawn for a trial (placement, noise,
/// friction) is not kept: it follows from the seed and its index, and the page computes it, to the
/// last digits. Of more trials than `most` those of lowest index are taken, which are the first of
/// each cell.
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
void write_trial_table(JsonWriter& json, const TrialTable& table);

}  // namespace graspmap
