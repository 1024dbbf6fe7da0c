#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/validation/contact_uniqueness.hpp"
#include "lab/validation/examples.hpp"
#include "lab/validation/spatial_run.hpp"

namespace graspmap {
namespace {

constexpr const char* kHandledCylinderPaper = "Xie and Chakraborty 2020, section VI-D, Fig. 10";
constexpr const char* kTutorial = "read off the authors' tutorial, 3 per cent";
constexpr double kPlotReading = 0.03;

/// A quantity within a span of time.
template <typename Value>
double extreme(const SpatialRun& seen, double from_s, double to_s, bool is_largest, Value value) {
  double found = is_largest ? -1e300 : 1e300;
  for (const SpatialSnapshot& at : seen.shown) {
    if (at.time_s < from_s || at.time_s > to_s) continue;
    found = is_largest ? std::max(found, value(at)) : std::min(found, value(at));
  }
  return found;
}

double time_of_largest(const SpatialRun& seen, double from_s, double to_s) {
  double time_s = from_s;
  double largest = -1e300;
  for (const SpatialSnapshot& at : seen.shown) {
    if (at.time_s < from_s || at.time_s > to_s) continue;
    if (seen.pose(at).position_mm.z() <= largest) continue;
    largest = seen.pose(at).position_mm.z();
    time_s = at.time_s;
  }
  return time_s;
}

/// How much the centre is off the radius, and the vertical speed, while it should roll.
double off_rolling(const SpatialRun& seen, double from_s, double to_s, double radius_m) {
  double worst = 0.0;
  for (const SpatialSnapshot& at : seen.shown) {
    if (at.time_s < from_s || at.time_s > to_s) continue;
    worst = std::max(
        {worst, std::abs(seen.position_m(at).z() - radius_m), std::abs(seen.velocity_m_s(at)[2])});
  }
  return worst;
}

void check_stages(const SpatialRun& seen, ExampleReport& report) {
  const auto height = [&](const SpatialSnapshot& at) { return seen.position_m(at).z(); };
  const auto v_z = [&](const SpatialSnapshot& at) { return seen.velocity_m_s(at)[2]; };
  auto& checks = report.checks;
  const auto read_off = [&](const char* what, double expected, double obtained) {
    checks.push_back({what, expected, kTutorial, obtained, kPlotReading * std::abs(expected)});
  };
  checks.push_back({"T1: height balanced on the rim, m", std::hypot(0.1, 0.15),
                    "sqrt(r^2 + (L/2)^2)", extreme(seen, 0.0, 0.65, true, height), 2e-4});
  read_off("T1: time of the largest height, s", 0.39, time_of_largest(seen, 0.0, 0.65));
  read_off("T1: least v_z, m/s", -0.95, extreme(seen, 0.0, 0.66, false, v_z));
  checks.push_back({"T2: height and v_z while rolling (0.7 to 1.48 s), off by", 1e-8,
                    "q_z = r, v_z = 0", off_rolling(seen, 0.7, 1.485, 0.1), 0.0,
                    CheckRelation::kAtMost});
  checks.push_back({"T2: speed after the push, m/s", 60.0 / (1.5 * 75.0),
                    "rolls: impulse / (1.5 m)", seen.velocity_m_s(seen.at_s(1.2))[0], 1e-6});
  read_off("T3: largest height, m", 0.166, extreme(seen, 1.5, 2.15, true, height));
  read_off("T3: time of it, s", 1.9, time_of_largest(seen, 1.5, 2.15));
  read_off("T3: least v_z, m/s", -0.76, extreme(seen, 1.5, 2.2, false, v_z));
  checks.push_back({"T4: height and v_z while rolling (2.2 to 3.23 s), off by", 1e-8,
                    "q_z = r, v_z = 0", off_rolling(seen, 2.2, 3.235, 0.1), 0.0,
                    CheckRelation::kAtMost});
  read_off("T5: largest height, m", 0.18, extreme(seen, 3.26, 4.7, true, height));
  read_off("T5: time of it, s", 3.7, time_of_largest(seen, 3.26, 4.7));
  read_off("T5: largest v_z, m/s", 0.48, extreme(seen, 3.26, 4.7, true, v_z));
  checks.push_back({"T6: height at 5 s, m", 0.15, "stands on its end", height(seen.end()), 1e-9});
  checks.push_back({"T6: velocity at 4.71 s, m/s or rad/s", 1e-9, "section VI-D: rests from 4.71 s",
                    kMetresPerMillimetre * seen.velocity(seen.at_s(4.71)).norm(), 0.0,
                    CheckRelation::kAtMost});
}

void check_patches(const SpatialSceneFile& file, const SpatialRun& seen, ExampleReport& report) {
  const auto patch_at = [&](double time_s) {
    const FeltContact felt = felt_contact(seen.at_s(time_s), seen.body);
    return felt.contact == nullptr ? 0.0 : static_cast<double>(felt.contact->patch);
  };
  const auto is = [](PatchKind kind) { return static_cast<double>(kind); };
  auto& checks = report.checks;
  const char* source = "stages of section VI-D (1 point, 2 line, 3 surface)";
  checks.push_back({"contact at 0.3 s", is(PatchKind::kPoint), source, patch_at(0.3), 0.0});
  checks.push_back({"contact at 1.2 s", is(PatchKind::kLine), source, patch_at(1.2), 0.0});
  checks.push_back({"contact at 1.9 s", is(PatchKind::kPoint), source, patch_at(1.9), 0.0});
  checks.push_back({"contact at 3.0 s", is(PatchKind::kLine), source, patch_at(3.0), 0.0});
  checks.push_back({"contact at 3.7 s", is(PatchKind::kPoint), source, patch_at(3.7), 0.0});
  checks.push_back({"contact at 5 s", is(PatchKind::kSurface), source, patch_at(5.0), 0.0});
  double lowest = 0.0;
  for (const SpatialSnapshot& at : seen.shown) {
    lowest = std::min(lowest, kMetresPerMillimetre * lowest_point_mm(file, at, seen.body));
  }
  checks.push_back({"lowest point of the cylinder, m", -1e-8, "no penetration at step ends", lowest,
                    0.0, CheckRelation::kAtLeast});
}

Figure heights_figure(const SpatialRun& seen) {
  CurvesFigure figure{"d4_heights",
                      "Cylinder that is tipped, rolled, pivoted, rolled and lifted",
                      "stages: falls to 0.65 s, rolls to 1.5, pivots to 2.15, rolls to 3.25, is "
                      "lifted to 4.7, rests",
                      "time (s)",
                      "height of the centre (m), v_z (m/s)",
                      {}};
  figure.curves.push_back(
      curve_of(seen, "height of the centre (m)",
               [&](const SpatialSnapshot& at) { return seen.position_m(at).z(); }));
  figure.curves.push_back(curve_of(
      seen, "v_z (m/s)", [&](const SpatialSnapshot& at) { return seen.velocity_m_s(at)[2]; },
      "dt 2 lw 2"));
  return curves_figure(figure);
}

/// The contact's impulse on the cylinder in each step.
Figure impulses_figure(const SpatialRun& seen) {
  CurvesFigure figure{"d4_impulses",
                      "Cylinder that is tipped, rolled, pivoted, rolled and lifted",
                      "the ground's impulse on it in each step of 0.01 s",
                      "time (s)",
                      "impulse (N s)",
                      {}};
  constexpr std::array kAxes{"friction, x", "friction, y", "normal, z"};
  for (int i = 0; i < 3; ++i) {
    figure.curves.push_back(curve_of(
        seen, kAxes[static_cast<std::size_t>(i)],
        [&](const SpatialSnapshot& at) {
          const FeltContact felt = felt_contact(at, seen.body);
          if (felt.contact == nullptr) return 0.0;
          const double along = i == 2 ? felt.contact->p_n : felt.friction_mn_s[i];
          return kNewtonsPerMillinewton * along;
        },
        i == 2 ? "lw 2" : "dt 2 lw 2"));
  }
  return curves_figure(figure);
}

}  // namespace

ExampleReport validate_handled_cylinder(const ValidationContext& context) {
  ExampleReport report{"D4", "cylinder tipped, rolled, pivoted, lifted", kHandledCylinderPaper, {}};
  const SpatialSceneFile file = validation_spatial_scene(context, "cylinder_manipulation");
  const SpatialRun seen = watch_spatial(file);
  check_stages(seen, report);
  check_patches(file, seen, report);
  report.checks.push_back(all_steps_solved("D4", seen.run));
  add_contact_uniqueness("D4", file, seen, report);
  report.figures.push_back(heights_figure(seen));
  report.figures.push_back(impulses_figure(seen));
  report.remarks = {
      "The numbers of the paper's section are lost in our text but the limits of the stages. Mass, "
      "sizes, friction and impulses are those of the authors' tutorial, whose own plots have the "
      "same stages; that it is the paper's run is inferred. The obstacles are scenery: they are "
      "left "
      "out."};
  return report;
}

}  // namespace graspmap
