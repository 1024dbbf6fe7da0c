#include "grasp/show/story/trial_list.hpp"

#include <fmt/format.h>

namespace graspmap {

std::string trial_list_text(const std::vector<TrialRow>& rows) {
  std::string text = fmt::format("{:>12}  {:<8} {:>9} {:>9} {:>7} {:>9} {:>9} {:>9} {:>7} {:>10}\n",
                                 "trial", "outcome", "residual", "gap/mm", "steps", "x/mm", "y/mm",
                                 "theta/rad", "mu_jaw", "mu_support");
  for (const TrialRow& row : rows) {
    const TrialParameters& p = row.parameters;
    text += fmt::format(
        "{:>12}  {:<8} {:>9.2e} {:>9.2g} {:>7} {:>9.4g} {:>9.4g} {:>9.3g} {:>7.4f} {:>10.4f}\n",
        row.index, name(row.outcome), row.statistics.worst_residual, row.statistics.worst_gap_mm,
        row.statistics.steps, p.placement_x_mm, p.placement_y_mm, p.theta_rad, p.mu_jaw,
        p.mu_support);
  }
  return text;
}

}  // namespace graspmap
