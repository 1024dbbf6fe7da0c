#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grasp/base/io/number_text.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/plan/placement_plan.hpp"
#include "grasp/decide/tolerances/lots.hpp"
#include "grasp/decide/tolerances/width_limits.hpp"
#include "grasp/sweep/figures/grasp_drawing.hpp"
#include "grasp/sweep/figures/map_figures.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/store/run_store.hpp"

namespace graspmap {
namespace {

Object place_fields(const PlacementPlan& plan, const PlacementVector& at) {
  return {{"x_mm", at[0]},
          {"y_mm", at[1]},
          {"theta_rad", value_if(plan.has_angle(), at[2]), "for a sweep over angles"}};
}

Object outcome_fields(const ExpectedSuccess& success) {
  Object shares;
  for (const Outcome outcome : kOutcomes) {
    shares.add({name(outcome), success.shares[static_cast<std::size_t>(outcome)]});
  }
  return shares;
}

/// The box of placements that are as good, each coordinate as [min, max].
Object box_fields(const PlacementPlan& plan, const PlacementBox& box) {
  const auto ends = [&](std::size_t axis) { return Ends{box.low[axis], box.high[axis]}; };
  return {{"x_mm", ends(0)},
          {"y_mm", ends(1)},
          {"theta_rad", plan.has_angle() ? Value(ends(2)) : Value()}};
}

Object unknown_fields(const ConstantUnknowns& unknowns) {
  return {{"success_probability", unknowns.worlds, "over these"},
          {"interval_of_trials_alone", unknowns.trials},
          {"success_probability_of_random_part", unknowns.random_part_success, "without them"}};
}

Object placement_fields(const PlacementPlan& plan, const PlannedPlacement& p) {
  return {place_fields(plan, p.at),
          {"success_probability", p.success.probability, "unknown counting as failure"},
          {"interval", p.success.interval, "unknown as failure, and as success"},
          {"unknown_share", 1 - p.success.known_share,
           "of the error's mass: beyond the map, or in cells without trials"},
          {"effective_trials", p.success.effective_trials,
           "simple random trials with the same information"},
          {"standard_error", p.standard_error,
           "from the highest estimate around it to its interval's lower end at z = 1"},
          {"as_good", box_fields(plan, p.as_good), "the largest box around it within that"},
          {"unknown_but_constant", maybe(p.unknowns, unknown_fields),
           "with an offset, repeats or a calibration"},
          {"outcomes", outcome_fields(p.success),
           "shares; all except failed sum to 1 with unknown_share"}};
}

Object part_fields(const ErrorPart& part) {
  return {{"covariance", part.covariance, "of x, y, theta: mm2, mm rad, rad2"},
          {"half_width", part.half_width, "of what is uniform: mm, mm, rad"},
          {"measured", part.measured.size(), "deviations"},
          {"repeats", part.repeats},
          {"offset_sigma", part.offset_sigma, "mm, mm, rad"}};
}

/// Nothing when the error is independent standard deviations.
Value error_model_fields(const PlanQuestion& request) {
  const ErrorModel model = request.model();
  if (model.is_simple() && model.half_width == PlacementVector{}) return {};
  Object fields = part_fields(model);
  fields.add({"camera", maybe(model.camera, part_fields)});
  if (!model.draws.empty()) {
    fields.add(Object{{"after", request.after, "the calibration's file"},
                      {"posterior_draws", model.draws.size()}});
  }
  return fields;
}

Object error_plan_fields(const PlacementPlan& plan, const ErrorPlan& found) {
  const auto unselected = [&](const UnselectedSuccess& success) {
    const auto half = [&](std::size_t k) {
      return Object{place_fields(plan, success.at[k]),
                    {"success_probability", success.measured[k]}};
    };
    return Object{{"success_probability", success.probability, "mean of the halves"},
                  {"halves", list_of(row_numbers(2), half),
                   "half of each cell's trials choose the placement, the others measure it"}};
  };
  const auto [x, y, theta] = plan.request.sigma();
  const std::optional<PlannedPlacement> best = found.best();
  return {{"answer", word(answer_of(best, plan.request.reliable())),
           "yes, no or unknown: whether the best placement succeeds with the required probability, "
           "else the plateau's"},
          {"error", error_words(*plan.request.error), "in words"},
          {"position_sigma_mm", std::array{x, y}, "standard deviations; 0: exact, the cell"},
          {"judged_sigma", best ? Value(best->judged_with) : Value(),
           "of x (mm), y (mm), theta (rad), where those asked for are finer than the trials show"},
          {"error_model", error_model_fields(plan.request),
           "unless the error is independent standard deviations"},
          {"placements",
           list_of(found.placements,
                   [&](const PlannedPlacement& p) { return placement_fields(plan, p); }),
           "the best and other local maxima"},
          {"unselected", best ? maybe(best->unselected, unselected) : Value(),
           "without selection bias"}};
}

/// The size of an error, and the best placement under it.
Object limit_fields(const PlacementPlan& plan, const ErrorLimit& limit, const Object& size) {
  if (!limit.reached) return {{"reached", false, "false: not even without an error"}};
  return {{"reached", true},
          size,
          {"limited_by_map", limit.limited_by_map, "perhaps larger"},
          placement_fields(plan, limit.placement)};
}

template <typename T, typename F>
Object evidence_fields(const ByEvidence<T>& found, const F& fields_of) {
  return {{"estimate", fields_of(found.estimate), "by the estimate"},
          {"confidence", fields_of(found.confidence),
           "by the interval's lower end: one-sided (1 + C)/2"}};
}

Object required_fields(const PlacementPlan& plan, const RequiredPlan& required) {
  const auto normal = [&](const ErrorLimit& limit) {
    return limit_fields(plan, limit,
                        {{"sigma_x_mm", limit.size_mm * required.proportions[0], "the largest"},
                         {"sigma_y_mm", limit.size_mm * required.proportions[1]}});
  };
  const auto square = [&](const ErrorLimit& limit) {
    return limit_fields(plan, limit, {{"half_width_mm", limit.size_mm, "the largest"}});
  };
  const auto guaranteed = [&](const GuaranteedSquare& found) {
    if (!found.found) return Object{{"reached", false}};
    return Object{{"reached", true},
                  {"half_width_mm", found.half_width_mm, "the largest"},
                  {"limited_by_map", found.limited_by_map, "perhaps larger"},
                  place_fields(plan, {found.x_mm, found.y_mm, found.theta_rad})};
  };
  return {{"probability", required.probability},
          {"normal", evidence_fields(required.ellipse, normal)},
          {"square", evidence_fields(required.square, square)},
          {"guaranteed_square", evidence_fields(required.guaranteed, guaranteed),
           "each of its cells reaches the probability"}};
}

/// A row of plan.csv.
struct PlanRow {
  std::string what;
  PlacementError error{};
  PlannedPlacement placement{};
};

std::vector<PlanRow> plan_rows(const PlacementPlan& plan) {
  std::vector<PlanRow> rows;
  if (plan.for_error) {
    for (const PlannedPlacement& placement : plan.for_error->placements) {
      rows.push_back(
          {fmt::format("placement_{}", rows.size() + 1), plan.for_error->error.overall, placement});
    }
  }
  if (plan.for_probability) {
    const RequiredPlan& required = *plan.for_probability;
    for (const auto& [what, limit] : {std::pair{"normal_estimate", &required.ellipse.estimate},
                                      {"normal_confidence", &required.ellipse.confidence},
                                      {"square_estimate", &required.square.estimate},
                                      {"square_confidence", &required.square.confidence}}) {
      if (!limit->reached) continue;
      rows.push_back({std::string("largest_") + what, limit->error, limit->placement});
    }
  }
  return rows;
}

}  // namespace

Object plan_fields(const PlacementPlan& plan) {
  const auto for_error = [&](const ErrorPlan& found) { return error_plan_fields(plan, found); };
  const auto for_probability = [&](const RequiredPlan& required) {
    return Object{{"required", required_fields(plan, required), "with --required-probability"}};
  };
  return {{"name", plan.name},
          {"trials", plan.trials},
          {"confidence", plan.request.confidence},
          {"sweep_has_placement_noise", plan.has_noise,
           "included in all probabilities; the error is added"},
          {"angle_sigma_rad", value_if(plan.has_angle(), plan.request.sigma()[2])},
          {"", maybe(plan.for_error, for_error)},
          {"", maybe(plan.for_probability, for_probability)},
          {"tolerances", maybe(plan.widths, width_limits_fields),
           "with uncertain inputs, at the planned placement, with the given error"},
          {"lots", maybe(plan.lots, lots_fields), "with lots"}};
}

Table plan_table(const PlacementPlan& plan) {
  return table_of<PlanRow>(plan_rows(plan), [](const PlanRow& row) {
    // The error of x and y is normal or uniform, not both.
    const auto sigma = [&](std::size_t axis) { return row.error[axis].sigma().value_or(0.0); };
    const auto* uniform = row.error[0].as<Uniform>();
    const PlacementVector& at = row.placement.at;
    const ExpectedSuccess& success = row.placement.success;
    return Object{
        {"what", row.what},
        {"x_mm", at[0]},
        {"y_mm", at[1]},
        {"theta_rad", at[2]},
        {"sigma_x_mm", sigma(0), "of the error judged with"},
        {"sigma_y_mm", sigma(1)},
        {"sigma_theta_rad", sigma(2)},
        {"half_width_mm", uniform != nullptr ? uniform->max : 0.0, "uniform in x and y; 0: normal"},
        {"success_probability", success.probability},
        {"interval", success.interval},
        {"unknown_share", 1 - success.known_share},
        {"effective_trials", success.effective_trials},
        outcome_fields(success)};
  });
}

std::vector<ResultFile> plan_files(const PlacementPlan& plan) {
  std::vector<ResultFile> files{{"plan.json", plan_fields(plan)}, {"plan.csv", plan_table(plan)}};
  if (plan.widths) files.push_back({"tolerances.csv", width_limits_table(*plan.widths)});
  return files;
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

HeatMark ellipse(const PlacementVector& at, const PlacementError& error, std::string legend,
                 HeatMark::Line line) {
  return {HeatMark::Kind::kEllipse,
          at[0],
          at[1],
          kEllipse95 * error[0].width(),
          kEllipse95 * error[1].width(),
          0.0,
          "",
          std::move(legend),
          line};
}

/// "2 mm", "2, 1 mm"
std::string widths_text(const PlacementError& error) {
  const auto& [x, y, theta] = error;
  return x.width() == y.width() ? fmt::format("{:.4g} mm", x.width())
                                : fmt::format("{:.4g}, {:.4g} mm", x.width(), y.width());
}

/// 95 % of an error, or all of a uniform one.
HeatMark extent_of(const PlacementVector& at, const PlacementError& error, const std::string& which,
                   HeatMark::Line line) {
  const std::string widths = widths_text(error);
  HeatMark mark = ellipse(at, error, fmt::format("95 % of {}: σ = {}", which, widths), line);
  if (!error[0].is<Uniform>() || !error[1].is<Uniform>()) return mark;
  mark.kind = HeatMark::Kind::kRectangle;
  mark.half_width_mm = error[0].width();
  mark.half_height_mm = error[1].width();
  mark.legend = fmt::format("{}: ±{}", which, widths);
  return mark;
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
    const PlacementError& error = found.error.overall;
    if (has_extent(error)) {
      const char* which = p.judged_with ? "the error judged with" : "the given error";
      marks.push_back(extent_of(p.at, error, which, HeatMark::Line::kSolid));
    }
    marks.push_back({HeatMark::Kind::kPoint, p.at[0], p.at[1], 0, 0, 0, std::to_string(rank),
                     fmt::format("{}: ({}, {}) mm, success {}", rank, short_mm(p.at[0]),
                                 short_mm(p.at[1]), percent(p.success.probability))});
  }
}

void add_limits(std::vector<HeatMark>& marks, const PlacementPlan& plan,
                const RequiredPlan& required) {
  const std::string share = given_percent(required.probability);
  const ErrorLimit& normal = required.ellipse.estimate;
  if (normal.reached && has_extent(normal.error) && is_shown(plan, normal.placement.at)) {
    marks.push_back(extent_of(normal.placement.at, normal.error,
                              fmt::format("the largest error for {}", share),
                              HeatMark::Line::kDashed));
  }
  const ErrorLimit& square = required.square.estimate;
  if (square.reached && square.size_mm > 0 && is_shown(plan, square.placement.at)) {
    marks.push_back({HeatMark::Kind::kRectangle, square.placement.at[0], square.placement.at[1],
                     square.size_mm, square.size_mm, 0.0, "",
                     fmt::format("largest uniform error for {}: ±{:.4g} mm", share, square.size_mm),
                     HeatMark::Line::kDashed});
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

Figure plan_figure(const PlacementPlan& plan, const SuccessField& field, const RunStore& run) {
  HeatPanelsInput input;
  input.name = "plan_map";
  input.title = run_title(plan.name, run.file()) + ": where to put the gripper";
  input.subtitle = grouped(static_cast<std::int64_t>(plan.trials)) + " trials";
  if (plan.has_angle()) input.subtitle += fmt::format("; angle {:.4g} rad", shown_angle(plan));
  input.colours = {HeatScale::kProbability, "probability of success", std::nullopt};
  input.nan_label = "no counted trials";
  input.panels.push_back(
      slice_panel(CellGrid{plan.axes[0], plan.axes[1], plan.axes[2]},
                  plan.axes[2].nearest_cell(shown_angle(plan)), "success probability p",
                  [&](std::size_t cell) { return field.counts(cell).success_probability(); }));
  if (plan.for_probability) add_limits(input.panels.back().marks, plan, *plan.for_probability);
  if (plan.for_error) input.panels.push_back(expected_panel(plan, field));
  ShownGrasp grasp{shown_angle(plan)};
  grasp.where = "the placement";
  if (const auto aim = planned_aim(plan, field)) grasp.fingers_mm = Vec2(aim->at[0], aim->at[1]);
  draw_grasp(run.config().scenario, grasp, input.panels);
  for (HeatPanel& panel : input.panels) {
    if (plan.for_error) add_placements(panel.marks, plan, *plan.for_error);
    if (plan.request.required_probability) panel.border = plan.request.required_probability;
  }
  return heat_panels_figure(input);
}

}  // namespace graspmap
