#include <fmt/format.h>

#include <cmath>
#include <variant>

#include "grasp/config/sweep_config.hpp"

namespace graspmap {
namespace {

/// A TOML float: the shortest digits that read back as the same double.
std::string toml(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string toml(const Vec2& v) { return fmt::format("[{}, {}]", toml(v.x()), toml(v.y())); }

const char* kind_word(DistributionKind kind) {
  switch (kind) {
    case DistributionKind::kFixed:
      return "fixed";
    case DistributionKind::kUniform:
      return "uniform";
    case DistributionKind::kNormal:
      return "normal";
    case DistributionKind::kTruncatedNormal:
      return "truncated_normal";
  }
  return "";
}

/// The keys of a distribution's value and spread, those of its bounds left out.
std::string center_keys(const Distribution& d) {
  switch (d.kind) {
    case DistributionKind::kFixed:
      return fmt::format(", value = {}", toml(d.mean));
    case DistributionKind::kUniform:
      return "";
    case DistributionKind::kNormal:
    case DistributionKind::kTruncatedNormal:
      return fmt::format(", mean = {}, sigma = {}", toml(d.mean), toml(d.sigma));
  }
  return "";
}

std::string toml(const Distribution& d) {
  std::string text = fmt::format("{{ distribution = \"{}\"{}", kind_word(d.kind), center_keys(d));
  if (std::isfinite(d.min)) text += fmt::format(", min = {}", toml(d.min));
  if (std::isfinite(d.max)) text += fmt::format(", max = {}", toml(d.max));
  return text + " }";
}

std::string piece_table(const Piece& piece) {
  return fmt::format(
      "\n[[part.piece]]\n"
      "name = \"{}\"\n"
      "center_mm = {}\n"
      "angle_rad = {}\n"
      "semi_axes_mm = {}\n"
      "exponent = {}\n",
      piece.name, toml(piece.pose.position_mm), toml(piece.pose.angle_rad),
      toml(Vec2(piece.shape.a_mm, piece.shape.b_mm)), toml(piece.shape.exponent));
}

std::string part_tables(const Scenario& scenario) {
  std::string text = fmt::format(
      "\n[part]\n"
      "mass_kg = {}\n"
      "center_of_mass_mm = {}\n"
      "inertia_kg_mm2 = {}\n",
      toml(scenario.mass.mass_kg), toml(scenario.mass.center_of_mass_P_mm),
      toml(scenario.mass.inertia_kg_mm2));
  for (const Piece& piece : scenario.part.pieces) text += piece_table(piece);
  return text;
}

std::string gripper_table(const Gripper& gripper) {
  return fmt::format(
      "\n[gripper]\n"
      "jaw_mass_kg = {}\n"
      "closing_force_n = {}\n"
      "closing_speed_mm_s = {}\n"
      "opening_mm = {}\n"
      "coupling = \"{}\"\n",
      toml(gripper.jaw_mass_kg), toml(gripper.closing_force_n), toml(gripper.closing_speed_mm_s),
      toml(gripper.opening_mm),
      gripper.coupling == Coupling::kSymmetric ? "symmetric" : "independent");
}

std::string support_keys(const EllipsoidSupport& support) {
  return fmt::format(
      "model = \"ellipsoid\"\n"
      "e_t = {}\n"
      "e_o = {}\n"
      "e_r_mm = {}\n",
      toml(support.e_t), toml(support.e_o), toml(support.e_r_mm));
}

std::string support_keys(const TripodSupport& support) {
  return fmt::format(
      "model = \"tripod\"\n"
      "radius_mm = {}\n"
      "angles_rad = [{}, {}, {}]\n",
      toml(support.radius_mm), toml(support.angles_rad[0]), toml(support.angles_rad[1]),
      toml(support.angles_rad[2]));
}

std::string support_table(const SupportModel& support) {
  return "\n[support]\n" +
         std::visit([](const auto& model) { return support_keys(model); }, support);
}

std::string friction_table(const SweepConfig& config) {
  return fmt::format(
      "\n[friction]\n"
      "jaw = {}\n"
      "support = {}\n",
      toml(config.mu_jaw), toml(config.mu_support));
}

std::string axis_keys(char name, const Axis& axis) {
  return fmt::format("{0}_min_mm = {1}\n{0}_max_mm = {2}\n{0}_cells = {3}\n", name, toml(axis.min),
                     toml(axis.max), axis.cells);
}

std::string angle_keys(const Axis& axis) {
  if (axis.is_fixed()) return fmt::format("theta_rad = {}\n", toml(axis.min));
  return fmt::format("theta_min_rad = {}\ntheta_max_rad = {}\ntheta_cells = {}\n", toml(axis.min),
                     toml(axis.max), axis.cells);
}

std::string placement_tables(const PlacementSweep& placement) {
  return fmt::format(
      "\n[placement]\n"
      "{}{}{}"
      "\n[placement.noise]\n"
      "x_mm = {}\n"
      "y_mm = {}\n"
      "theta_rad = {}\n",
      axis_keys('x', placement.x_mm), axis_keys('y', placement.y_mm),
      angle_keys(placement.theta_rad), toml(placement.noise_x_mm), toml(placement.noise_y_mm),
      toml(placement.noise_theta_rad));
}

std::string toml_names(const std::vector<int>& pieces, const Part& part) {
  std::vector<std::string> names;
  for (const int i : pieces)
    names.push_back('"' + part.pieces[static_cast<std::size_t>(i)].name + '"');
  return fmt::format("[{}]", fmt::join(names, ", "));
}

std::string success_tables(const SweepConfig& config) {
  std::string text;
  for (const SuccessAlternative& alternative : config.success) {
    text += fmt::format("\n[[success]]\nleft = {}\nright = {}\n",
                        toml_names(alternative.left, config.scenario.part),
                        toml_names(alternative.right, config.scenario.part));
  }
  return text;
}

std::string stop_table(const StopRule& stop) {
  return fmt::format(
      "\n[stop]\n"
      "stopped_speed_mm_s = {}\n"
      "stopped_time_s = {}\n"
      "closed_opening_mm = {}\n"
      "timeout_s = {}\n"
      "contact_gap_mm = {}\n",
      toml(stop.stopped_speed_mm_s), toml(stop.stopped_time_s), toml(stop.closed_opening_mm),
      toml(stop.timeout_s), toml(stop.contact_gap_mm));
}

std::string sampling_keys(const std::optional<AdaptiveSampling>& adaptive) {
  if (!adaptive) return "sampling = \"uniform\"\n";
  return fmt::format(
      "sampling = \"adaptive\"\n"
      "\n[sweep.adaptive]\n"
      "first_trials = {}\n"
      "round_trials = {}\n"
      "most_trials = {}\n"
      "goal = \"{}\"\n"
      "sweet_spot_within_mm = {}\n"
      "confidence = {}\n"
      "interval_width = {}\n",
      adaptive->first_trials, adaptive->round_trials, adaptive->most_trials,
      kAdaptiveGoalWords[static_cast<std::size_t>(adaptive->goal)],
      toml(adaptive->sweet_spot_within_mm), toml(adaptive->confidence),
      toml(adaptive->interval_width));
}

/// Only where it is not the default, so that such configurations read as they always did.
std::string stepper_keys(const Scenario& scenario) {
  std::string text;
  if (scenario.tolerance_mm > 0.0) {
    text += fmt::format("tolerance_mm = {}\n", toml(scenario.tolerance_mm));
  }
  if (scenario.stepper != StepperKind::kImplicit) {
    text += fmt::format("stepper = \"{}\"\n", name(scenario.stepper));
  }
  if (scenario.polygon_vertices > 0) {
    text += fmt::format("polygon_vertices = {}\n", scenario.polygon_vertices);
  }
  return text;
}

std::string run_tables(const SweepConfig& config) {
  return fmt::format(
      "\n[simulation]\n"
      "step_s = {}\n"
      "gravity_mm_s2 = {}\n"
      "{}"
      "\n[sweep]\n"
      "trials_per_cell = {}\n"
      "seed = {}\n"
      "{}"
      "\n[summary]\n"
      "sweet_spot_half_width_mm = {}\n"
      "plateau_probability = {}\n",
      toml(config.scenario.step_s), toml(config.scenario.gravity_mm_s2),
      stepper_keys(config.scenario), config.trials_per_cell, config.seed,
      sampling_keys(config.adaptive), toml(config.sweet_spot_half_width_mm),
      toml(config.plateau_probability));
}

}  // namespace

std::string to_toml(const SweepConfig& config) {
  const Scenario& scenario = config.scenario;
  return fmt::format("name = \"{}\"\n", config.name) + part_tables(scenario) +
         gripper_table(scenario.gripper) + support_table(scenario.support) +
         friction_table(config) + placement_tables(config.placement) + success_tables(config) +
         stop_table(scenario.stop) + run_tables(config);
}

}  // namespace graspmap
