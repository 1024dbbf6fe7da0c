#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grasp/base/io/json.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/plan/placement_plan.hpp"
#include "grasp/decide/tolerances/lots.hpp"
#include "grasp/decide/tolerances/width_limits.hpp"
#include "grasp/sweep/figures/map_figures.hpp"

namespace graspmap {
namespace {

void write_place(JsonWriter& json, const PlacementPlan& plan, const PlacementVector& at) {
  json.field("x_mm", at[0]);
  json.field("y_mm", at[1]);
  if (plan.has_angle()) json.field("theta_rad", at[2]);
}

void write_placement(JsonWriter& json, const PlacementPlan& plan, const PlannedPlacement& p) {
  write_place(json, plan, p.at);
  json.field("success_probability", p.success.probability);
  json.interval("interval", p.success.interval);
  json.field("unknown_share", 1 - p.success.known_share);
  json.field("effective_trials", p.success.effective_trials);
  json.field("standard_error", p.standard_error);
  json.object("as_good", [&] {
    json.interval("x_mm", p.as_good.low[0], p.as_good.high[0]);
    json.interval("y_mm", p.as_good.low[1], p.as_good.high[1]);
    if (plan.has_angle()) json.interval("theta_rad", p.as_good.low[2], p.as_good.high[2]);
  });
  if (p.unknowns) {
    json.object("unknown_but_constant", [&] {
      json.interval("success_probability", p.unknowns->worlds);
      json.interval("interval_of_trials_alone", p.unknowns->trials);
      json.field("success_probability_of_random_part", p.unknowns->random_part_success);
    });
  }
  json.object("outcomes", [&] {
    for (const Outcome outcome : kOutcomes) {
      json.field(name(outcome), p.success.shares[static_cast<std::size_t>(outcome)]);
    }
  });
}

void write_error_plan(JsonWriter& json, const PlacementPlan& plan, const ErrorPlan& found) {
  json.array("position_sigma_mm", *plan.request.position_sigma_mm);
  const ErrorModel& model = plan.request.model;
  if (!model.is_simple()) {
    json.object("error_model", [&] {
      json.array("covariance", model.covariance, [&](const auto& row) { json.values(row); });
      json.field("repeats", model.repeats);
      json.array("offset_sigma", model.offset_sigma);
      if (model.draws.empty()) return;
      json.field("after", plan.request.after);
      json.field("posterior_draws", model.draws.size());
    });
  }
  json.objects("placements", found.placements,
               [&](const PlannedPlacement& p) { write_placement(json, plan, p); });
  if (!found.unselected) return;
  json.object("unselected", [&] {
    json.field("success_probability", found.unselected->probability);
    json.objects("halves", std::array<std::size_t, 2>{0, 1}, [&](std::size_t k) {
      write_place(json, plan, found.unselected->at[k]);
      json.field("success_probability", found.unselected->measured[k]);
    });
  });
}

/// The size of the error that `write_size()` names, and the best placement under it.
template <typename F>
void write_limit(JsonWriter& json, const PlacementPlan& plan, const ErrorLimit& limit,
                 const F& write_size) {
  json.field("reached", limit.reached);
  if (!limit.reached) return;
  write_size();
  json.field("limited_by_map", limit.limited_by_map);
  write_placement(json, plan, limit.placement);
}

template <typename T, typename F>
void write_by_evidence(JsonWriter& json, const char* key, const ByEvidence<T>& found,
                       const F& write_fields) {
  json.object(key, [&] {
    json.object("estimate", [&] { write_fields(found.estimate); });
    json.object("confidence", [&] { write_fields(found.confidence); });
  });
}

void write_required(JsonWriter& json, const PlacementPlan& plan, const RequiredPlan& required) {
  json.object("required", [&] {
    json.field("probability", required.probability);
    write_by_evidence(json, "normal", required.ellipse, [&](const ErrorLimit& limit) {
      write_limit(json, plan, limit, [&] {
        json.field("sigma_x_mm", limit.size_mm * required.proportions[0]);
        json.field("sigma_y_mm", limit.size_mm * required.proportions[1]);
      });
    });
    write_by_evidence(json, "square", required.square, [&](const ErrorLimit& limit) {
      write_limit(json, plan, limit, [&] { json.field("half_width_mm", limit.size_mm); });
    });
    write_by_evidence(json, "guaranteed_square", required.guaranteed,
                      [&](const GuaranteedSquare& square) {
                        json.field("reached", square.found);
                        if (!square.found) return;
                        json.field("half_width_mm", square.half_width_mm);
                        json.field("limited_by_map", square.limited_by_map);
                        write_place(json, plan, {square.x_mm, square.y_mm, square.theta_rad});
                      });
  });
}

/// One row: the error of x and y is normal ("sigma") or uniform ("half width"), not both.
std::string csv_row(const std::string& what, const PlacementError& error,
                    const PlannedPlacement& p) {
  const auto sigma = [&](std::size_t axis) { return error[axis].sigma().value_or(0.0); };
  const auto* uniform = error[0].as<Uniform>();
  std::string row =
      fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}", what, p.at[0], p.at[1], p.at[2],
                  sigma(0), sigma(1), sigma(2), uniform != nullptr ? uniform->max : 0.0,
                  p.success.probability, p.success.interval.low, p.success.interval.high,
                  1 - p.success.known_share, p.success.effective_trials);
  for (const double share : p.success.shares) row += fmt::format(",{}", share);
  return row + "\n";
}

}  // namespace

std::string plan_json(const PlacementPlan& plan) {
  return json_document([&](JsonWriter& json) {
    json.field("name", plan.name);
    json.field("trials", plan.trials);
    json.field("confidence", plan.request.confidence);
    json.field("sweep_has_placement_noise", plan.has_noise);
    if (plan.has_angle()) json.field("angle_sigma_rad", plan.request.angle_sigma_rad);
    if (plan.for_error) write_error_plan(json, plan, *plan.for_error);
    if (plan.for_probability) write_required(json, plan, *plan.for_probability);
    if (plan.widths) {
      json.object("tolerances", [&] { write_width_limits(json, *plan.widths); });
    }
    if (plan.lots) json.object("lots", [&] { write_lots(json, *plan.lots); });
  });
}

std::string plan_csv(const PlacementPlan& plan) {
  std::string csv =
      "what,x_mm,y_mm,theta_rad,sigma_x_mm,sigma_y_mm,sigma_theta_rad,half_width_mm,"
      "success_probability,interval_low,interval_high,unknown_share,effective_trials";
  for (const Outcome outcome : kOutcomes) csv += fmt::format(",{}", name(outcome));
  csv += "\n";
  if (plan.for_error) {
    int rank = 1;
    for (const PlannedPlacement& placement : plan.for_error->placements) {
      csv += csv_row(fmt::format("placement_{}", rank++), plan.for_error->error.overall, placement);
    }
  }
  if (plan.for_probability) {
    const RequiredPlan& required = *plan.for_probability;
    const auto add = [&](const char* what, const ErrorLimit& limit) {
      if (limit.reached) csv += csv_row(what, limit.error, limit.placement);
    };
    add("largest_normal_estimate", required.ellipse.estimate);
    add("largest_normal_confidence", required.ellipse.confidence);
    add("largest_square_estimate", required.square.estimate);
    add("largest_square_confidence", required.square.confidence);
  }
  return csv;
}

namespace {

/// An ellipse of this many standard deviations holds 95 % of a normal error in two coordinates.
const double kEllipse95 = std::sqrt(-2 * std::log(0.05));

/// The figure's cells along an axis are at least this many, for a smooth map of P(mu).
constexpr int kLeastCells = 60;

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
  return {HeatMark::Kind::kEllipse,      at[0], at[1],           kEllipse95 * error[0].width(),
          kEllipse95 * error[1].width(), 0.0,   std::move(label)};
}

bool has_extent(const PlacementError& error) {
  return error[0].width() > 0 && error[1].width() > 0;
}

void add_placements(std::vector<HeatMark>& marks, const PlacementPlan& plan,
                    const ErrorPlan& found) {
  int rank = 0;
  for (const PlannedPlacement& p : found.placements) {
    ++rank;
    if (!is_shown(plan, p.at)) continue;
    if (has_extent(found.error.overall)) marks.push_back(ellipse(p.at, found.error.overall, ""));
    marks.push_back({HeatMark::Kind::kPoint, p.at[0], p.at[1], 0, 0, 0,
                     fmt::format("{}: {}", rank, percent(p.success.probability))});
  }
}

void add_limits(std::vector<HeatMark>& marks, const PlacementPlan& plan,
                const RequiredPlan& required) {
  const std::string share = given_percent(required.probability);
  const ErrorLimit& normal = required.ellipse.estimate;
  if (normal.reached && has_extent(normal.error) && is_shown(plan, normal.placement.at)) {
    const auto& [x, y, theta] = normal.error;
    const std::string sigma = x.width() == y.width()
                                  ? fmt::format("σ = {:.4g} mm", x.width())
                                  : fmt::format("σ = {:.4g}, {:.4g} mm", x.width(), y.width());
    marks.push_back(ellipse(normal.placement.at, normal.error, share + ": " + sigma));
  }
  const ErrorLimit& square = required.square.estimate;
  if (square.reached && square.size_mm > 0 && is_shown(plan, square.placement.at)) {
    marks.push_back({HeatMark::Kind::kRectangle, square.placement.at[0], square.placement.at[1],
                     square.size_mm, square.size_mm, 0.0,
                     fmt::format("{}: ±{:.4g} mm", share, square.size_mm)});
  }
}

HeatPanel expected_panel(const PlacementPlan& plan, const SuccessField& field) {
  HeatPanel panel;
  panel.title = "expected success P(nominal placement)";
  const auto finer = [](const Axis& axis) {  // in cells that are whole fractions of its own
    const int factor = std::max((kLeastCells + axis.cells - 1) / axis.cells, 1);
    return Axis{axis.min, axis.max, axis.cells * factor};
  };
  panel.x_mm = finer(plan.axes[0]);
  panel.y_mm = finer(plan.axes[1]);
  PlacementGrid grid;
  for (int i = 0; i < panel.x_mm.cells; ++i) grid.values[0].push_back(panel.x_mm.cell_center(i));
  for (int j = 0; j < panel.y_mm.cells; ++j) grid.values[1].push_back(panel.y_mm.cell_center(j));
  grid.values[2] = {shown_angle(plan)};
  panel.values = screened_success(field, plan.for_error->error, grid);
  return panel;
}

}  // namespace

Figure plan_figure(const PlacementPlan& plan, const SuccessField& field) {
  HeatPanelsInput input;
  input.name = "plan_map";
  input.title = plan.name + ": where to put the gripper";
  input.subtitle = grouped(static_cast<std::int64_t>(plan.trials)) + " trials";
  if (plan.has_angle()) input.subtitle += fmt::format("; angle {:.4g} rad", shown_angle(plan));
  if (plan.for_error || plan.for_probability) {
    input.subtitle += "; ellipses hold 95 % of a normal error";
  }
  input.colours = {HeatScale::kProbability, "probability of success", std::nullopt};
  input.nan_label = "no counted trials";
  input.panels.push_back(
      slice_panel(CellGrid{plan.axes[0], plan.axes[1], plan.axes[2]},
                  plan.axes[2].nearest_cell(shown_angle(plan)), "success probability p",
                  [&](std::size_t cell) { return field.counts(cell).success_probability(); }));
  if (plan.for_probability) add_limits(input.panels.back().marks, plan, *plan.for_probability);
  if (plan.for_error) input.panels.push_back(expected_panel(plan, field));
  for (HeatPanel& panel : input.panels) {
    if (plan.for_error) add_placements(panel.marks, plan, *plan.for_error);
    if (plan.request.required_probability) panel.outline = plan.request.required_probability;
  }
  return heat_panels_figure(input);
}

}  // namespace graspmap
