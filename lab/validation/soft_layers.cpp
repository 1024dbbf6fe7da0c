#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lab/validation/examples.hpp"
#include "lab/validation/spatial_run.hpp"

namespace graspmap {
namespace {

constexpr const char* kLayersForm = "closed form";

constexpr double kBlockMass_kg = 0.5;
constexpr double kBlockGravity_m_s2 = 9.81;
constexpr double kWeight_n = kBlockMass_kg * kBlockGravity_m_s2;
constexpr double kBlockFriction = 0.4;

/// A block on its layer: x (mm) and v_x (mm/s) over time.
struct BlockRun {
  Curve x{"block", {}, {}};
  Curve v{"v_x", {}, {}};
  double height_mm = 0.0;  ///< at the end
  double slip_mm_s = 0.0;  ///< of the surfaces at the end
  double at_limit = 0.0;   ///< |p_t| / (mu p_n) at the end
  SceneRun run;
};

BlockRun watch_block(const ValidationContext& context, const std::vector<std::string>& changes) {
  const SceneFile file = validation_scene(context, "soft_block", changes);
  BlockRun out;
  out.run = run_validation_scene(file, [&](const PlanarState& state, const PlanarStep* step) {
    out.x.add(state.time_s, state.poses[kMovingBody].x());
    out.v.add(state.time_s, state.nu[0]);
    out.height_mm = state.poses[kMovingBody].y();
    if (step == nullptr || step->contacts.empty()) return;
    const PlanarContact& c = step->contacts.front();
    out.slip_mm_s = c.slip_mm_s;
    out.at_limit = std::abs(c.p_t) / (c.mu * c.p_n);
  });
  return out;
}

/// The extremes of a swing about `rest`: their times, and how far they are from it.
Curve swings(const BlockRun& seen, double rest_mm) {
  Curve found;
  for (std::size_t i = 2; i < seen.v.y.size(); ++i) {
    if (seen.v.y[i - 1] * seen.v.y[i] > 0.0) continue;
    found.add(seen.v.x[i], std::abs(seen.x.y[i] - rest_mm));
  }
  return found;
}

void block_swings(const ValidationContext& context, ExampleReport& report) {
  constexpr double kStiffness = 2000.0;  // N/m
  constexpr double kDamping = 10.0;      // N s/m
  constexpr double kRest_mm = 0.5;
  const BlockRun seen = watch_block(context, {});
  const double omega = std::sqrt(kStiffness / kBlockMass_kg);
  const double ratio = kDamping / (2.0 * std::sqrt(kStiffness * kBlockMass_kg));
  const double damped = omega * std::sqrt(1.0 - ratio * ratio);
  const Curve extremes = swings(seen, kRest_mm);
  const bool has_swung = extremes.x.size() > 4;
  auto& checks = report.checks;
  checks.push_back({"block on a tangential spring: half a period, s", std::numbers::pi / damped,
                    kLayersForm, has_swung ? (extremes.x[4] - extremes.x[0]) / 4.0 : 0.0, 5e-4});
  checks.push_back({"block: one swing over the one before",
                    std::exp(-std::numbers::pi * ratio * omega / damped), kLayersForm,
                    has_swung ? extremes.y[1] / extremes.y[0] : 0.0, 0.01});
  checks.push_back(all_steps_solved("block", seen.run));
  Curve exact{"closed form", {}, {}, "dt 2 lw 3"};
  for (const double t : seen.x.x) {
    exact.add(
        t, kRest_mm - kRest_mm * std::exp(-ratio * omega * t) *
                          (std::cos(damped * t) + ratio * omega / damped * std::sin(damped * t)));
  }
  report.figures.push_back(curves_figure({"a3_block_swing",
                                          "Block on a soft layer, pulled aside",
                                          "the tangential spring and damper of the layer",
                                          "time (s)",
                                          "displacement (mm)",
                                          {seen.x, exact}}));
}

/// With a slow layer the spring's force rises to that of the drive without passing it by more than
/// 0.3 %.
void block_slides(const ValidationContext& context, ExampleReport& report) {
  const auto pulled = [&](double part) {
    return watch_block(context,
                       {fmt::format("body.1.force_n=[{},0]", part * kBlockFriction * kWeight_n),
                        "contact.0.soft.damping_matrix_n_s_per_mm=[[0,0],[0,0.6]]", with_step(0.01),
                        "time.duration_s=5"});
  };
  const BlockRun held = pulled(0.98);
  const BlockRun slid = pulled(1.02);
  auto& checks = report.checks;
  checks.push_back({"block pulled by 0.98 mu m g: displacement, mm",
                    0.98 * kBlockFriction * kWeight_n / 2.0, kLayersForm, held.x.y.back(), 1e-6});
  checks.push_back({"and slip, mm/s", 0.0, kLayersForm, held.slip_mm_s, 1e-9});
  const std::size_t before = slid.v.y.size() - 101;
  checks.push_back({"block pulled by 1.02 mu m g: acceleration, mm/s^2",
                    20.0 * kBlockFriction * kBlockGravity_m_s2, kLayersForm,
                    (slid.v.y.back() - slid.v.y[before]) / (slid.v.x.back() - slid.v.x[before]),
                    1e-4});
  checks.push_back({"and friction over mu p_n", 1.0, "eq. (7)", slid.at_limit, 1e-9});
}

void block_is_coupled(const ValidationContext& context, ExampleReport& report) {
  const BlockRun seen = watch_block(
      context, {"body.1.force_n=[0,0]", "contact.0.soft.stiffness_matrix_n_per_mm=[[5,2],[2,4]]",
                "contact.0.soft.damping_matrix_n_s_per_mm=[[0.25,0.1],[0.1,0.2]]",
                "world.friction=9", with_step(4e-3), "time.duration_s=2"});
  // K delta = (m g, 0), det K = 16
  auto& checks = report.checks;
  checks.push_back({"coupled layer under a weight: sideways, mm", -2.0 * kWeight_n / 16.0,
                    kLayersForm, seen.x.y.back(), 1e-6});
  checks.push_back(
      {"and down, mm", 4.0 * kWeight_n / 16.0, kLayersForm, 10.0 - seen.height_mm, 1e-6});
}

void ball_lands(const ValidationContext& context, ExampleReport& report) {
  const SpatialSceneFile file = validation_spatial_scene(context, "soft_ball");
  const SpatialRun seen = watch_spatial(file);
  Curve height{"height, mm", {}, {}};
  Curve ground{"ground's core, 0.01 N s", {}, {}};
  Curve ball{"ball's core, 0.01 N s", {}, {}};
  double largest_gain_j = -1.0;
  double deepest_mm = 0.0;
  bool hits_both = false;
  for (std::size_t i = 1; i < seen.shown.size(); ++i) {
    const SpatialSnapshot& at = seen.shown[i];
    largest_gain_j =
        std::max(largest_gain_j, at.energy.total_j() - seen.shown[i - 1].energy.total_j());
    std::array<double, 2> core{};
    if (!at.contacts.empty()) core = at.contacts.front().p_core;
    hits_both = hits_both || (core[0] > 0.0 && core[1] > 0.0);
    const double z = seen.pose(at).position_mm.z();
    deepest_mm = std::max(deepest_mm, 20.0 - z);
    if (at.time_s > 1.0) continue;
    height.add(at.time_s, z);
    ground.add(at.time_s, 100.0 * kNewtonsPerMillinewton * core[0]);
    ball.add(at.time_s, 100.0 * kNewtonsPerMillinewton * core[1]);
  }
  auto& checks = report.checks;
  checks.push_back(
      {"soft ball on soft ground: deepest, mm", 9.0, "both stops, 3 + 6 mm", deepest_mm, 1e-8});
  checks.push_back(
      {"ball: both cores push in one step", 1.0, kLayersForm, hits_both ? 1.0 : 0.0, 0.0});
  checks.push_back({"ball at rest: depth, mm", kWeight_n / 3.0 + kWeight_n / 2.0,
                    "closed form: springs in series", 20.0 - seen.pose(seen.end()).position_mm.z(),
                    1e-6});
  checks.push_back({"ball: largest gain of energy in a step, J", 1e-12, "springs and dampers",
                    largest_gain_j, 0.0, CheckRelation::kAtMost});
  checks.push_back(all_steps_solved("ball", seen.run));
  report.figures.push_back(curves_figure({"a3_ball",
                                          "Soft ball on soft ground",
                                          "two layers in series, each with its own core",
                                          "time (s)",
                                          "height (mm), impulse in a step (0.01 N s)",
                                          {height, ground, ball}}));
}

}  // namespace

void add_soft_layers(const ValidationContext& context, ExampleReport& report) {
  block_swings(context, report);
  block_slides(context, report);
  block_is_coupled(context, report);
  ball_lands(context, report);
}

}  // namespace graspmap
