#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/validation/contact_uniqueness.hpp"
#include "lab/validation/examples.hpp"
#include "lab/validation/spatial_run.hpp"

namespace graspmap {
namespace {

constexpr const char* kFallingCubePaper = "Xie and Chakraborty 2020, section VI-C, Fig. 9";
constexpr double kHalfSide_m = 0.5;

/// What the run shows of its contact.
struct CubeContact {
  std::vector<int> facets;    ///< of the cube with multipliers, at each change
  double first_line_s = 0.0;  ///< end of the first step with line contact
  double first_surface_s = 0.0;
  double lowest_m = 0.0;    ///< lowest point of the cube over all steps
  double outside_m = 0.0;   ///< the ECP outside of the hull of what touches, at most
  int miscounted = 0;       ///< steps whose multipliers are not 3, 2, 1 for point, line, surface
  int unequal = 0;          ///< steps whose touching vertices are not 1, 2, 4 likewise
  double ecp_jump_m = 0.0;  ///< largest move of the ECP between steps of point or line contact
};

constexpr double kTouches_mm = 1e-5;

/// The vertices of the cube that lie on the ground.
std::vector<Vec3> touching_vertices(const Pose3& pose) {
  std::vector<Vec3> vertices;
  const double a = kHalfSide_m / kMetresPerMillimetre;
  for (int i = 0; i < 8; ++i) {
    const Vec3 corner((i & 1) != 0 ? a : -a, (i & 2) != 0 ? a : -a, (i & 4) != 0 ? a : -a);
    const Vec3 point = pose.to_world(corner);
    if (point.z() < kTouches_mm) vertices.push_back(point);
  }
  return vertices;
}

/// How far a point on the cube is outside of it, mm: as the touching vertices' hull is where the
/// cube meets the ground, a point of the cube on the ground is in it.
double outside_mm(const Pose3& pose, const Vec3& point) {
  const Vec3 local = pose.to_body(point);
  return std::max(local.cwiseAbs().maxCoeff() - kHalfSide_m / kMetresPerMillimetre,
                  std::abs(point.z()));
}

CubeContact watch_contact(const SpatialSceneFile& file, const SpatialRun& seen) {
  CubeContact found;
  const Vec3* last = nullptr;
  Vec3 last_point = Vec3::Zero();
  for (std::size_t i = 1; i < seen.shown.size(); ++i) {
    const SpatialSnapshot& at = seen.shown[i];
    found.lowest_m =
        std::min(found.lowest_m, kMetresPerMillimetre * lowest_point_mm(file, at, seen.body));
    const FeltContact felt = felt_contact(at, seen.body);
    if (felt.contact == nullptr) continue;
    const PatchKind patch = felt.contact->patch;
    const bool is_point = patch == PatchKind::kPoint;
    const bool is_line = patch == PatchKind::kLine;
    const std::size_t touching = touching_vertices(seen.pose(at)).size();
    found.miscounted += felt.facets != (is_point ? 3 : is_line ? 2 : 1) ? 1 : 0;
    found.unequal += touching != (is_point ? 1U : is_line ? 2U : 4U) ? 1 : 0;
    if (found.facets.empty() || found.facets.back() != felt.facets) {
      found.facets.push_back(felt.facets);
    }
    if (is_line && found.first_line_s == 0.0) found.first_line_s = at.time_s;
    if (patch == PatchKind::kSurface && found.first_surface_s == 0.0) {
      found.first_surface_s = at.time_s;
    }
    const Vec3 point = seen.pose(at).position_mm + felt.arm_mm;
    found.outside_m =
        std::max(found.outside_m, kMetresPerMillimetre * outside_mm(seen.pose(at), point));
    if (last != nullptr && patch != PatchKind::kSurface) {
      found.ecp_jump_m =
          std::max(found.ecp_jump_m, kMetresPerMillimetre * (point - last_point).norm());
    }
    last_point = point;
    last = &last_point;
  }
  return found;
}

Figure facets_figure(const SpatialRun& seen) {
  CurvesFigure figure{"d3_facets",
                      "Cube that falls from a corner onto an edge and onto a face",
                      "multipliers of its facets that are not zero: 3 point, 2 line, 1 surface",
                      "time (s)",
                      "multipliers; height of the centre (m)",
                      {}};
  figure.curves.push_back(curve_of(seen, "multipliers", [&](const SpatialSnapshot& at) {
    return static_cast<double>(felt_contact(at, seen.body).facets);
  }));
  figure.curves.push_back(curve_of(
      seen, "height of the centre (m)",
      [&](const SpatialSnapshot& at) { return seen.position_m(at).z(); }, "dt 2 lw 3"));
  return curves_figure(figure);
}

Figure velocities_figure(const SpatialRun& seen) {
  CurvesFigure figure{"d3_velocities",
                      "Cube that falls from a corner onto an edge and onto a face",
                      "velocity of the centre, and of turning",
                      "time (s)",
                      "m/s, rad/s",
                      {}};
  constexpr std::array kAxes{"x", "y", "z"};
  for (int i = 0; i < 3; ++i) {
    figure.curves.push_back(
        curve_of(seen, fmt::format("v_{}", kAxes[static_cast<std::size_t>(i)]),
                 [&](const SpatialSnapshot& at) { return seen.velocity_m_s(at)[i]; }));
  }
  for (int i = 0; i < 3; ++i) {
    figure.curves.push_back(curve_of(
        seen, fmt::format("w_{}", kAxes[static_cast<std::size_t>(i)]),
        [&](const SpatialSnapshot& at) { return seen.velocity(at)[3 + i]; }, "dt 2 lw 2"));
  }
  return curves_figure(figure);
}

/// The equivalent contact point, in the plane.
Figure contact_point_figure(const SpatialRun& seen) {
  CurvesFigure figure{"d3_contact_point",
                      "Cube that falls from a corner onto an edge and onto a face",
                      "equivalent contact point; it jumps while the cube rocks between corners",
                      "time (s)",
                      "place in the plane (m)",
                      {}};
  figure.points = true;
  for (int i = 0; i < 2; ++i) {
    Curve curve{i == 0 ? "ECP, x" : "ECP, y", {}, {}};
    for (const SpatialSnapshot& at : seen.shown) {
      const FeltContact felt = felt_contact(at, seen.body);
      if (felt.contact == nullptr) continue;
      const Vec3 point = seen.pose(at).position_mm + felt.arm_mm;
      curve.add(at.time_s, kMetresPerMillimetre * point[i]);
    }
    figure.curves.push_back(curve);
  }
  return curves_figure(figure);
}

}  // namespace

ExampleReport validate_falling_cube(const ValidationContext& context) {
  ExampleReport report{"D3", "cube: point, line, surface contact", kFallingCubePaper, {}};
  const SpatialSceneFile file = validation_spatial_scene(context, "cube_falling");
  const SpatialRun seen = watch_spatial(file);
  const CubeContact found = watch_contact(file, seen);
  auto& checks = report.checks;
  const auto order = [&](std::size_t i) {
    return i < found.facets.size() ? static_cast<double>(found.facets[i]) : 0.0;
  };
  checks.push_back({"multipliers that are not zero, at first", 3.0, "section VI-C: point contact",
                    order(0), 0.0});
  checks.push_back({"then", 2.0, "section VI-C: line contact", order(1), 0.0});
  checks.push_back({"in the end", 1.0, "section VI-C: surface contact",
                    found.facets.empty() ? 0.0 : static_cast<double>(found.facets.back()), 0.0});
  checks.push_back({"steps with other than 3, 2, 1 for point, line, surface", 0.0, "section VI-C",
                    static_cast<double>(found.miscounted), 0.0});
  checks.push_back({"steps with other than 1, 2, 4 vertices on the ground likewise", 0.0,
                    "geometry of the pose alone", static_cast<double>(found.unequal), 0.0});
  checks.push_back({"line contact begins before surface contact, s", found.first_line_s,
                    "the end of its first step", found.first_surface_s, 0.0,
                    CheckRelation::kAtLeast});
  checks.push_back({"lowest point of the cube, m", -1e-8, "no penetration at step ends",
                    found.lowest_m, 0.0, CheckRelation::kAtLeast});
  checks.push_back({"ECP outside of what touches, m", 1e-8, "it lies in the contact's hull",
                    found.outside_m, 0.0, CheckRelation::kAtMost});
  checks.push_back({"height of the centre at 4 s, m", kHalfSide_m, "it lies on a face",
                    seen.position_m(seen.end()).z(), 1e-9});
  checks.push_back({"velocity at 4 s, m/s or rad/s", 1e-9, "it rests",
                    kMetresPerMillimetre * seen.velocity(seen.end()).norm(), 0.0,
                    CheckRelation::kAtMost});
  checks.push_back({"largest jump of the ECP in point or line contact, m", 0.1,
                    "section VI-C: it suddenly changes, the size is lost", found.ecp_jump_m, 0.0,
                    CheckRelation::kAtLeast});
  checks.push_back(all_steps_solved("D3", seen.run));
  add_contact_uniqueness("D3", file, seen, report);
  report.figures.push_back(facets_figure(seen));
  report.figures.push_back(velocities_figure(seen));
  report.figures.push_back(contact_point_figure(seen));
  report.remarks = {
      "The numbers of the paper's section are lost in our text but the unit side and the 4 s: 3 "
      "kg, "
      "the start over an edge 5 degrees from balance, and the impulses when line contact and when "
      "surface contact begin are our choice; mu, e_r, g and h are the authors' tutorial's."};
  return report;
}

}  // namespace graspmap
