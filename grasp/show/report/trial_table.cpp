#include "grasp/show/report/trial_table.hpp"

#include <algorithm>
#include <vector>

#include "grasp/sweep/trials/trial_record.hpp"

namespace graspmap {
namespace {

using Columns = std::array<double, kPackedColumns.size()>;

Columns columns_of(const TrialRow& row) {
  return {row.final_pose.position_mm.x(),
          row.final_pose.position_mm.y(),
          row.final_pose.angle_rad,
          row.jaw_right_mm,
          row.jaw_left_mm,
          row.end_time_s};
}

/// The first `most` trials of ranges.
TrialRanges first_of(const TrialRanges& ranges, std::int64_t most) {
  TrialRanges first;
  for (const TrialRange& range : ranges) {
    const std::int64_t left = most - count_trials(first);
    if (left <= 0) break;
    first.push_back({range.first, std::min(range.end, range.first + left)});
  }
  return first;
}

/// The trials that are kept, while they are read.
struct KeptTrials {
  std::string outcomes;
  std::vector<Columns> columns;

  void add(const TrialRow& row) {
    outcomes += static_cast<char>(row.outcome);
    columns.push_back(columns_of(row));
  }
};

std::string packed(const TrialTable& table, const KeptTrials& kept) {
  std::string bytes;
  for (const TrialRange& range : table.trials) {
    append_double(bytes, static_cast<double>(range.first));
    append_double(bytes, static_cast<double>(range.end));
  }
  bytes += kept.outcomes;
  std::vector<std::uint16_t> words(kept.columns.size());
  for (std::size_t c = 0; c < kPackedColumns.size(); ++c) {
    std::transform(kept.columns.begin(), kept.columns.end(), words.begin(),
                   [&](const Columns& row) { return table.range[c].pack(row[c]); });
    append_planes(bytes, words);
  }
  return bytes;
}

}  // namespace

TrialTable read_trial_table(const RunStore& store, std::int64_t most) {
  TrialTable table;
  const TrialRanges stored = store.stored();
  table.stored = count_trials(stored);
  table.trials = first_of(stored, most);
  const std::int64_t end = table.trials.empty() ? 0 : table.trials.back().end;
  KeptTrials kept;
  TrialDigest digest;
  store.for_each([&](const TrialRow& row) {
    digest.add(row);
    if (row.index < end) kept.add(row);
  });
  for (const Columns& row : kept.columns) {
    for (std::size_t c = 0; c < row.size(); ++c) table.range[c].include(row[c]);
  }
  table.digest = digest.hex();
  table.bytes = packed(table, kept);
  return table;
}

void write_trial_table(JsonWriter& json, const TrialTable& table) {
  json.object("trial_table", [&] {
    json.field("stored", table.stored);
    json.field("trials", count_trials(table.trials));
    json.field("ranges", static_cast<std::int64_t>(table.trials.size()));
    json.array("columns", kPackedColumns, [&](const char* name) {
      const auto c = static_cast<std::size_t>(
          std::find(kPackedColumns.begin(), kPackedColumns.end(), name) - kPackedColumns.begin());
      json.object([&] {
        json.field("name", name);
        json.field("low", table.range[c].low);
        json.field("high", table.range[c].high);
        json.field("rounded_by_at_most", table.range[c].step() / 2);
      });
    });
  });
}

}  // namespace graspmap
