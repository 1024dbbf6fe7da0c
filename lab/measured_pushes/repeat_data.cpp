#include "lab/measured_pushes/repeat_data.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lab/measured_pushes/pose_columns.hpp"

namespace graspmap {
namespace {

namespace fs = std::filesystem;

void read_runs(const fs::path& file, RepeatedPushes& data) {
  const CsvTable table = read_csv(file);
  const std::size_t id = table.column("run_id");
  const std::size_t object = table.column("object");
  const std::size_t plan = table.column("plan");
  const std::size_t repeat = table.column("repeat");
  const PoseColumns start(table, "start_");
  const PoseColumns end(table, "end_");
  for (const CsvRow& row : table.rows) {
    RepeatedRun run;
    run.id = row.fields[id];
    run.object = shape_in(table, row, object, data.shapes);
    run.plan = row.fields[plan];
    run.repeat = table.integer(row, repeat);
    run.start = start.pose(row);
    run.end = end.pose(row);
    for (const RepeatedRun& other : data.runs) {
      if (other.id == run.id) table.fail(row, id, fmt::format("'{}' is there twice", run.id));
      if (other.plan == run.plan && other.object != run.object) {
        table.fail(row, object,
                   fmt::format("'{}'; must be that of all runs of {}, '{}'", run.object, run.plan,
                               other.object));
      }
    }
    data.runs.push_back(run);
  }
  std::stable_sort(data.runs.begin(), data.runs.end(),
                   [](const auto& a, const auto& b) { return a.plan < b.plan; });
}

void read_paths(const fs::path& file, RepeatedPushes& data) {
  const CsvTable table = read_csv(file);
  const std::size_t id = table.column("run_id");
  const std::size_t time = table.column("t_s");
  const std::size_t phase = table.column("phase");
  const PoseColumns hand(table, "hand_");
  const PoseColumns part(table, "part_");
  std::map<std::string, RepeatedRun*> runs;
  for (RepeatedRun& run : data.runs) runs[run.id] = &run;
  const CsvRow* before = nullptr;
  std::string push_phase;
  for (const CsvRow& row : table.rows) {
    const auto found = runs.find(row.fields[id]);
    if (found == runs.end()) {
      table.fail(row, id, fmt::format("no run '{}'; must be one of runs.csv", row.fields[id]));
    }
    auto& pushes = found->second->pushes;
    const bool follows = before != nullptr && before->fields[id] == row.fields[id];
    if (!follows && !pushes.empty()) {
      table.fail(row, id,
                 fmt::format("'{}' again; must be in rows after each other", found->first));
    }
    const HandSample sample{table.number(row, time), hand.pose(row), part.pose_or_none(row)};
    if (follows && !(sample.time_s > pushes.back().back().time_s)) {
      table.fail(row, time,
                 fmt::format("{}; must be > {}, that of the row before", sample.time_s,
                             pushes.back().back().time_s));
    }
    // Some logs name the next phase a row before the hand has left.
    const bool goes_on =
        follows && (row.fields[phase] == push_phase || sample.hand == pushes.back().back().hand);
    if (!goes_on) {
      pushes.emplace_back();
      push_phase = row.fields[phase];
    }
    pushes.back().push_back(sample);
    before = &row;
  }
  for (const RepeatedRun& run : data.runs) {
    if (!run.pushes.empty()) continue;
    throw ConfigError(fmt::format("{}: no row of run '{}'; must have some", file.string(), run.id));
  }
}

}  // namespace

RepeatedPushes read_repeated_pushes(const fs::path& folder) {
  RepeatedPushes data;
  data.shapes = read_shapes(folder / "shapes.toml");
  read_runs(folder / "runs.csv", data);
  read_paths(folder / "paths.csv", data);
  return data;
}

}  // namespace graspmap
