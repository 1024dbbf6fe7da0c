#include "lab/articulated/simulate_articulated.hpp"

#include <Eigen/Geometry>

#include "lab/articulated/articulated_step.hpp"
#include "lab/articulated/link_energy.hpp"

namespace graspmap {
namespace {

Vec3 shown_point_mm(const Link& link) {
  return link.ball ? link.ball->centre_mm : link.centre_of_mass_mm;
}

/// Bodies, joints and energy at a state.
void show_system(const ArticulatedSystem& system, const std::vector<LinkKinematics>& links,
                 SpatialSnapshot& shown) {
  for (std::size_t k = 0; k < links.size(); ++k) {
    const Vec3 arm = links[k].arm(shown_point_mm(system.links[k]));
    Twist velocity = links[k].velocity;
    velocity.head<3>() = velocity_at(links[k].velocity, arm);
    shown.poses.push_back({links[k].origin_mm + arm, Eigen::Quaterniond(links[k].R).normalized()});
    shown.velocities.push_back(velocity);
    shown.joints_mm.push_back(links[k].origin_mm);
  }
  for (const Obstacle& obstacle : system.obstacles) {
    shown.poses.push_back({obstacle.point_mm, turn_from_z(obstacle.normal)});
    shown.velocities.emplace_back(Twist::Zero());
  }
  shown.energy = energy(system, links);
}

bool is_finite(const ArticulatedState& state) {
  return is_finite_motion(state.q) && is_finite_motion(state.nu);
}

}  // namespace

const char* name(ArticulatedIntegrator integrator) {
  switch (integrator) {
    case ArticulatedIntegrator::kSemiImplicitEuler:
      return "semi-implicit-euler";
    case ArticulatedIntegrator::kMoreauMidpoint:
      return "moreau-midpoint";
    case ArticulatedIntegrator::kImplicitEuler:
      return "implicit-euler";
    case ArticulatedIntegrator::kImplicitMoreau:
      break;
  }
  return "implicit-moreau";
}

bool is_implicit(ArticulatedIntegrator integrator) {
  return integrator == ArticulatedIntegrator::kImplicitEuler ||
         integrator == ArticulatedIntegrator::kImplicitMoreau;
}

SceneRun simulate_articulated(const ArticulatedSystem& system, const ArticulatedSettings& settings,
                              const SceneRunSettings& run, const SnapshotObserver& observer) {
  ArticulatedStepper stepper(system, settings);
  const CoordinateLayout layout = coordinate_layout(system);
  std::vector<LinkKinematics> links;
  const auto take_step = [&](const ArticulatedState& start, double h, ArticulatedStep& step) {
    stepper.step(start, h, step);
  };
  const auto show = [&](const ArticulatedState& state, const ArticulatedStep* step,
                        SpatialSnapshot& shown) {
    place_links(system, layout, state.q, links);
    move_links(system, layout, state.nu, links);
    show_system(system, links, shown);
    shown.contacts = state.contacts;
    if (step != nullptr) shown.contact_work_j = step->contact_work_j;
  };
  return run_and_show<SpatialSnapshot, ArticulatedState, ArticulatedStep>(
      run, start_state(system),
      finite_steps<ArticulatedState, ArticulatedStep>(take_step, is_finite), show, observer);
}

}  // namespace graspmap
