#include "grasp/results/export_columns.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "grasp/io/atomic_file.hpp"

namespace graspmap {
namespace {

constexpr bool kCsv = true;
constexpr bool kNpzOnly = false;

/// A count of the row as a column of 32 bits holds it.
std::int32_t count32(const TrialRow& row, std::int64_t count) {
  if (!std::in_range<std::int32_t>(count)) {
    throw IoError(fmt::format("trial {}: a count of {} does not fit into a column of 32 bits",
                              row.index, count));
  }
  return static_cast<std::int32_t>(count);
}

std::int32_t steps_by(const TrialRow& row, Rung rung) {
  return count32(row, row.statistics.by_rung[static_cast<std::size_t>(rung)]);
}

using Row = TrialRow;

constexpr ExportColumn kColumns[] = {
    {"index", kCsv, [](const Row& row) { return row.index; }},
    {"cell_x", kCsv, [](const Row& row) -> std::int32_t { return row.cell_x; }},
    {"cell_y", kCsv, [](const Row& row) -> std::int32_t { return row.cell_y; }},
    {"cell_theta", kCsv, [](const Row& row) -> std::int32_t { return row.cell_theta; }},
    {"x_mm", kCsv, [](const Row& row) { return row.parameters.placement_x_mm; }},
    {"y_mm", kCsv, [](const Row& row) { return row.parameters.placement_y_mm; }},
    {"theta_rad", kCsv, [](const Row& row) { return row.parameters.theta_rad; }},
    {"mu_jaw", kCsv, [](const Row& row) { return row.parameters.mu_jaw; }},
    {"mu_support", kCsv, [](const Row& row) { return row.parameters.mu_support; }},
    {"outcome", kCsv, [](const Row& row) { return row.outcome; }},
    {"end_time_s", kCsv, [](const Row& row) { return row.end_time_s; }},
    {"part_x_mm", kCsv, [](const Row& row) -> double { return row.final_pose.position_mm.x(); }},
    {"part_y_mm", kCsv, [](const Row& row) -> double { return row.final_pose.position_mm.y(); }},
    {"part_theta_rad", kCsv, [](const Row& row) { return row.final_pose.angle_rad; }},
    {"jaw_right_x_mm", kCsv, [](const Row& row) { return row.jaw_right_mm; }},
    {"jaw_left_x_mm", kCsv, [](const Row& row) { return row.jaw_left_mm; }},
    {"steps", kCsv, [](const Row& row) { return count32(row, row.statistics.steps); }},
    {"newton_iterations", kNpzOnly,
     [](const Row& row) { return count32(row, row.statistics.newton_iterations); }},
    {"steps_warm", kNpzOnly, [](const Row& row) { return steps_by(row, Rung::kWarm); }},
    {"steps_cold", kNpzOnly, [](const Row& row) { return steps_by(row, Rung::kCold); }},
    {"steps_damped", kNpzOnly, [](const Row& row) { return steps_by(row, Rung::kDamped); }},
    {"steps_pattern", kNpzOnly, [](const Row& row) { return steps_by(row, Rung::kPattern); }},
    {"steps_halved", kNpzOnly, [](const Row& row) { return steps_by(row, Rung::kHalved); }},
    {"worst_residual", kCsv, [](const Row& row) { return row.statistics.worst_residual; }},
    {"worst_gap_mm", kNpzOnly, [](const Row& row) { return row.statistics.worst_gap_mm; }},
    {"least_dissipation_mn_mm", kNpzOnly,
     [](const Row& row) { return row.statistics.least_dissipation; }},
};

}  // namespace

std::span<const ExportColumn> export_columns() { return kColumns; }

}  // namespace graspmap
