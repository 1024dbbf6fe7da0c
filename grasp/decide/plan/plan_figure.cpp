#include "grasp/decide/plan/plan_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grasp/base/pictures/script_parts.hpp"
#include "grasp/sweep/figures/map_panels.hpp"

namespace graspmap {
namespace {

/// An ellipse of this many standard deviations holds 95 % of a normal error in two coordinates.
const double kEllipse95 = std::sqrt(-2 * std::log(0.05));

/// The figure's cells along an axis are at least this many, for a smooth map of P(mu).
constexpr int kLeastCells = 60;

/// The same axis in cells that are whole fractions of its own.
Axis finer(const Axis& axis) {
  const int factor = std::max((kLeastCells + axis.cells - 1) / axis.cells, 1);
  return {axis.min, axis.max, axis.cells * factor};
}

/// The angle that the figure shows.
double shown_angle(const PlacementPlan& plan) {
  if (plan.for_error && !plan.for_error->placements.empty()) {
    return plan.for_error->placements.front().at[2];
  }
  if (plan.for_probability && plan.for_probability->ellipse.estimate.reached) {
    return plan.for_probability->ellipse.estimate.placement.at[2];
  }
  return plan.axes[2].min;
}

bool is_shown(const PlacementPlan& plan, const PlacementVector& at) {
  return plan.axes[2].nearest_cell(at[2]) == plan.axes[2].nearest_cell(shown_angle(plan));
}

HeatMark ellipse(const PlacementVector& at, const PlacementError& error, std::string label) {
  return {HeatMark::Kind::kEllipse,   at[0], at[1],           kEllipse95 * error[0].size,
          kEllipse95 * error[1].size, 0.0,   std::move(label)};
}

bool has_extent(const PlacementError& error) { return error[0].size > 0 && error[1].size > 0; }

void add_placements(std::vector<HeatMark>& marks, const PlacementPlan& plan,
                    const ErrorPlan& found) {
  int rank = 0;
  for (const PlannedPlacement& p : found.placements) {
    ++rank;
    if (!is_shown(plan, p.at)) continue;
    if (has_extent(found.error.overall)) marks.push_back(ellipse(p.at, found.error.overall, ""));
    marks.push_back({HeatMark::Kind::kPoint, p.at[0], p.at[1], 0, 0, 0,
                     fmt::format("{}: {:.1f} %", rank, 100 * p.success.probability)});
  }
}

std::string sigma_text(const ErrorLimit& normal) {
  const auto& [x, y, theta] = normal.error;
  return x.size == y.size ? fmt::format("σ = {:.4g} mm", x.size)
                          : fmt::format("σ = {:.4g}, {:.4g} mm", x.size, y.size);
}

void add_limits(std::vector<HeatMark>& marks, const PlacementPlan& plan,
                const RequiredPlan& required) {
  const std::string share = fmt::format("{:.6g} %", 100 * required.probability);
  const ErrorLimit& normal = required.ellipse.estimate;
  if (normal.reached && has_extent(normal.error) && is_shown(plan, normal.placement.at)) {
    marks.push_back(ellipse(normal.placement.at, normal.error, share + ": " + sigma_text(normal)));
  }
  const ErrorLimit& square = required.square.estimate;
  if (square.reached && square.size_mm > 0 && is_shown(plan, square.placement.at)) {
    marks.push_back({HeatMark::Kind::kRectangle, square.placement.at[0], square.placement.at[1],
                     square.size_mm, square.size_mm, 0.0,
                     fmt::format("{}: ±{:.4g} mm", share, square.size_mm)});
  }
}

HeatPanel success_panel(const PlacementPlan& plan, const SuccessField& field) {
  const CellGrid grid{plan.axes[0], plan.axes[1], plan.axes[2]};
  const int slice = plan.axes[2].nearest_cell(shown_angle(plan));
  HeatPanel panel = slice_panel(grid, slice, "success probability p", [&](std::size_t cell) {
    return field.counts(cell).success_probability();
  });
  if (plan.for_probability) add_limits(panel.marks, plan, *plan.for_probability);
  return panel;
}

HeatPanel expected_panel(const PlacementPlan& plan, const SuccessField& field) {
  HeatPanel panel;
  panel.title = "expected success P(nominal placement)";
  panel.x_mm = finer(plan.axes[0]);
  panel.y_mm = finer(plan.axes[1]);
  PlacementGrid grid;
  for (int i = 0; i < panel.x_mm.cells; ++i) grid.values[0].push_back(panel.x_mm.cell_center(i));
  for (int j = 0; j < panel.y_mm.cells; ++j) grid.values[1].push_back(panel.y_mm.cell_center(j));
  grid.values[2] = {shown_angle(plan)};
  panel.values = screened_success(field, plan.for_error->error, grid);
  return panel;
}

std::string subtitle(const PlacementPlan& plan) {
  std::string text = grouped(static_cast<std::int64_t>(plan.trials)) + " trials";
  if (plan.has_angle()) text += fmt::format("; angle {:.4g} rad", shown_angle(plan));
  if (!plan.for_error && !plan.for_probability) return text;
  return text + "; ellipses hold 95 % of a normal error";
}

}  // namespace

Figure plan_figure(const PlacementPlan& plan, const SuccessField& field) {
  HeatPanelsInput input;
  input.name = "plan_map";
  input.title = plan.name + ": where to put the gripper";
  input.subtitle = subtitle(plan);
  input.colours = {HeatScale::kProbability, "probability of success", std::nullopt};
  input.nan_label = "no counted trials";
  input.panels.push_back(success_panel(plan, field));
  if (plan.for_error) input.panels.push_back(expected_panel(plan, field));
  for (HeatPanel& panel : input.panels) {
    if (plan.for_error) add_placements(panel.marks, plan, *plan.for_error);
    if (plan.request.required_probability) panel.outline = plan.request.required_probability;
  }
  return heat_panels_figure(input);
}

}  // namespace graspmap
