#include "grasp/show/report/run_facts.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/friction_factors.hpp"
#include "grasp/base/io/json_document.hpp"
#include "grasp/base/io/shell_word.hpp"
#include "grasp/show/story/finger_shapes.hpp"
#include "grasp/show/story/trial_scene.hpp"
#include "grasp/sweep/config/distribution_words.hpp"
#include "grasp/sweep/store/trial_samples.hpp"
#include "sim/closing/grasp_stepper.hpp"

namespace graspmap {
namespace {

void write_axis(JsonWriter& json, const char* key, const Axis& axis) {
  json.object(key, [&] {
    json.field("min", axis.min);
    json.field("max", axis.max);
    json.field("cells", axis.cells);
  });
}

/// Bounds that are not there become null.
void write_law(JsonWriter& json, const char* key, const Distribution& law) {
  json.object(key, [&] {
    json.field("kind", word(law.kind));
    json.field("mean", law.mean);
    json.field("sigma", law.sigma);
    json.field("min", law.min);
    json.field("max", law.max);
  });
}

void write_laws(JsonWriter& json, const SweepConfig& config) {
  json.object("laws", [&] {
    write_law(json, "mu_jaw", config.mu_jaw);
    write_law(json, "mu_support", config.mu_support);
    write_law(json, "noise_x_mm", config.placement.noise_x_mm);
    write_law(json, "noise_y_mm", config.placement.noise_y_mm);
    write_law(json, "noise_theta_rad", config.placement.noise_theta_rad);
  });
  json.field("has_placement_noise", has_placement_noise(config.placement));
}

/// A page draws placements and friction again from these laws. Of others, and of correlated ones,
/// it does not know what was drawn.
bool page_knows(const SweepConfig& config) {
  const auto known = [](const Distribution& law) {
    return law.kind == DistributionKind::kFixed || law.kind == DistributionKind::kUniform ||
           law.kind == DistributionKind::kNormal || law.kind == DistributionKind::kTruncatedNormal;
  };
  const PlacementSweep& placement = config.placement;
  return config.correlated.empty() && known(config.mu_jaw) && known(config.mu_support) &&
         known(placement.noise_x_mm) && known(placement.noise_y_mm) &&
         known(placement.noise_theta_rad);
}

/// True when all contacts of a trial have its friction mu_jaw, as a page shows it.
bool has_one_friction(const SweepConfig& config) {
  const Scenario& scenario = config.scenario;
  const auto is_friction = [](const UncertainNumber& number) {
    return number.key.find("friction") != std::string::npos;
  };
  return scenario.gripper.mu_right < 0.0 && scenario.gripper.mu_left < 0.0 &&
         !has_friction_factors(scenario.part) &&
         std::none_of(config.uncertain.begin(), config.uncertain.end(), is_friction);
}

/// A polygon as x, y, x, y, ..., in whole ten-thousandths of a mm.
void write_polygon(JsonWriter& json, const Points& points) {
  constexpr double kPerMm = 1e4;
  std::vector<double> numbers;
  for (const Vec2& point : points) {
    for (const double x : {point.x(), point.y()})
      numbers.push_back(std::round(x * kPerMm) / kPerMm);
  }
  json.values(numbers);
}

void write_polygons(JsonWriter& json, const char* key, const std::vector<Points>& polygons) {
  json.array(key, polygons, [&](const Points& points) { write_polygon(json, points); });
}

void write_part(JsonWriter& json, const Part& part) {
  const PartShape shape = part_shape(part);
  json.object("part", [&] {
    write_polygons(json, "pieces", shape.pieces);
    json.array("outlines", shape.outlines, [&](const std::vector<Points>& outline) {
      json.begin_array();
      for (const Points& loop : outline) write_polygon(json, loop);
      json.end_array();
    });
    write_polygons(json, "boundary", shape.boundary);
    json.field("radius_mm", bounding_radius_mm(part, Vec2::Zero()));
  });
}

/// Fingers that are quarter-planes have no polygons.
void write_gripper(JsonWriter& json, const Gripper& gripper) {
  constexpr double kTolerance_mm = 0.01;
  const FingerShapes shapes = finger_shapes(gripper, kTolerance_mm);
  json.object("gripper", [&] {
    json.field("opening_mm", gripper.opening_mm);
    json.field("closing_force_n", gripper.closing_force_n);
    json.field("closing_speed_mm_s", gripper.closing_speed_mm_s);
    write_polygons(json, "right", shapes[side_index(JawSide::kRight)]);
    write_polygons(json, "left", shapes[side_index(JawSide::kLeft)]);
    write_polygons(json, "palm", shapes[side_index(JawSide::kPalm)]);
  });
}

void write_sessions(JsonWriter& json, const RunStore& store) {
  json.objects("sessions", store.sessions(), [&](const StoreSession& session) {
    json.field("version", std::string_view(session.version));
    json.field("git_commit", std::string_view(session.git_commit));
    json.field("host", std::string_view(session.host));
    json.field("started_utc", std::string_view(session.started_utc));
    json.field("processes", session.processes);
    json.field("threads", session.threads);
    json.field("trials", session.trials);
    json.field("wall_s", session.wall_s);
  });
}

/// Where the sweet spot is, with its slice.
void write_spot(JsonWriter& json, const SweetSpot& spot) {
  json.object("sweet_spot", [&] {
    json.field("found", spot.found);
    json.field("half_width_mm", spot.half_width_mm);
    if (!spot.found) return;
    json.field("x_mm", spot.x_mm);
    json.field("y_mm", spot.y_mm);
    json.field("theta_rad", spot.theta_rad);
    json.field("cell_theta", spot.cell_theta);
    json.field("lowest_probability", spot.lowest_probability);
    json.interval("wilson_95", spot.lowest_interval);
  });
}

std::string run_again(const RunStore& store) {
  const SweepConfig& config = store.config();
  return std::string(program_with(config.scenario.stepper)) + " run " +
         shell_word(config.name + ".toml");
}

}  // namespace

std::string run_facts_json(const RunStore& store, const RunSummary& summary,
                           const TrialTable& table, const std::string& run) {
  const SweepConfig& config = store.config();
  return json_document([&](JsonWriter& json) {
    json.field("format", 1);
    json.field("name", std::string_view(config.name));
    json.field("run", std::string_view(run));
    json.field("program", program_with(config.scenario.stepper));
    json.field("run_again", std::string_view(run_again(store)));
    json.field("complete", summary.complete());
    json.field("adaptive", config.adaptive.has_value());
    json.field("digest", std::string_view(table.digest));
    // As text: a page's numbers are exact up to 2^53 only.
    json.field("seed", std::string_view(std::to_string(config.seed)));
    json.object("axes", [&] {
      write_axis(json, "x_mm", config.placement.x_mm);
      write_axis(json, "y_mm", config.placement.y_mm);
      write_axis(json, "theta_rad", config.placement.theta_rad);
    });
    write_laws(json, config);
    json.field("laws_are_known", page_knows(config));
    json.field("one_friction", has_one_friction(config));
    json.array("uncertain", config.uncertain,
               [&](const UncertainNumber& number) { json.value(number.key); });
    json.array("outcomes", kOutcomes, [&](Outcome outcome) { json.value(name(outcome)); });
    write_spot(json, summary.sweet_spot);
    json.field("plateau_probability", config.plateau_probability);
    write_sessions(json, store);
    write_trial_table(json, table);
    write_part(json, config.scenario.part);
    write_gripper(json, config.scenario.gripper);
  });
}

}  // namespace graspmap
