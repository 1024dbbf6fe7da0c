#include "grasp/trial_table.hpp"

#include <fmt/format.h>

#include <iterator>

namespace graspmap {
namespace {

constexpr const char* kHeader =
    "index,cell_x,cell_y,x_mm,y_mm,theta_rad,mu_jaw,mu_support,outcome,end_time_s,part_x_mm,part_y_"
    "mm,"
    "part_theta_rad,jaw_right_x_mm,jaw_left_x_mm,steps,worst_residual\n";
constexpr std::size_t kTypicalRowLength = 240;

void append_row(std::string& text, const TrialRow& row) {
  const TrialParameters& p = row.parameters;
  auto out = std::back_inserter(text);
  fmt::format_to(out, "{},{},{},{},{},{},{},{},{},", row.index, row.cell_x, row.cell_y,
                 p.placement_x_mm, p.placement_y_mm, p.theta_rad, p.mu_jaw, p.mu_support,
                 name(row.outcome));
  fmt::format_to(out, "{},{},{},{},{},{},{},{}\n", row.end_time_s, row.final_pose.position_mm.x(),
                 row.final_pose.position_mm.y(), row.final_pose.angle_rad, row.jaw_right_mm,
                 row.jaw_left_mm, row.statistics.steps, row.statistics.worst_residual);
}

}  // namespace

std::string trials_csv(const std::vector<TrialRow>& rows) {
  std::string text = kHeader;
  text.reserve(rows.size() * kTypicalRowLength);
  for (const TrialRow& row : rows) append_row(text, row);
  return text;
}

}  // namespace graspmap
