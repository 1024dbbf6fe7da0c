#include "lab/spatial/scene.hpp"

#include <algorithm>
#include <cmath>

namespace graspmap {
namespace {

constexpr double kStandsStill_rad_s = 1e-8;  // below it turning has stopped

std::size_t at(int body) { return static_cast<std::size_t>(body); }

bool has_patch(const SpatialState& state, int body, PatchKind patch) {
  return std::any_of(state.contacts.begin(), state.contacts.end(), [&](const SpatialContact& c) {
    return (c.body_a == body || c.body_b == body) && c.patch == patch;
  });
}

double common_time(const Push& push, double start_s, double end_s) {
  return std::max(0.0, std::min(push.end_s, end_s) - std::max(push.start_s, start_s));
}

}  // namespace

const char* name(PatchKind kind) {
  switch (kind) {
    case PatchKind::kOpen:
      return "open";
    case PatchKind::kPoint:
      return "point";
    case PatchKind::kLine:
      return "line";
    case PatchKind::kSurface:
      break;
  }
  return "surface";
}

SpatialContactLaw contact_law(const SpatialScene& scene, int body_a, int body_b) {
  const auto [a, b] = std::minmax(body_a, body_b);
  for (const SpatialContactLaw& law : scene.laws) {
    if (law.body_a == a && law.body_b == b) return law;
  }
  return {a, b, scene.friction, true, {}};
}

SpatialState start_state(const SpatialScene& scene) {
  SpatialState state;
  for (const SpatialBody& body : scene.bodies) {
    state.poses.push_back(body.pose);
    state.velocities.push_back(body.velocity);
  }
  state.kicked.assign(scene.kicks.size(), 0);
  return state;
}

bool is_due(const SpatialScene& scene, const SpatialState& state, std::size_t kick) {
  const Kick& k = scene.kicks[kick];
  switch (k.when) {
    case KickTrigger::kTurningStops:
      return std::abs(state.velocities[at(k.body)][5]) < kStandsStill_rad_s;
    case KickTrigger::kLineContact:
      return state.kicked[kick] == 0 && has_patch(state, k.body, PatchKind::kLine);
    case KickTrigger::kSurfaceContact:
      break;
  }
  return state.kicked[kick] == 0 && has_patch(state, k.body, PatchKind::kSurface);
}

std::vector<Twist> applied_impulses(const SpatialScene& scene, const SpatialState& start,
                                    double h) {
  std::vector<Twist> impulses(scene.bodies.size(), Twist::Zero());
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const SpatialBody& body = scene.bodies[i];
    if (body.is_fixed) continue;
    impulses[i] = h * body.force;
    impulses[i].head<3>() += h * body.mass_kg * scene.gravity_mm_s2;
  }
  for (const Push& push : scene.pushes) {
    impulses[at(push.body)] += common_time(push, start.time_s, start.time_s + h) * push.force;
  }
  for (std::size_t k = 0; k < scene.kicks.size(); ++k) {
    if (is_due(scene, start, k)) impulses[at(scene.kicks[k].body)] += scene.kicks[k].impulse;
  }
  return impulses;
}

Mat3 inertia_in_world(const SpatialBody& body, const Pose3& pose) {
  const Mat3 R = pose.orientation.toRotationMatrix();
  return R * body.inertia_kg_mm2.asDiagonal() * R.transpose();
}

void advance(const SpatialScene& scene, const SpatialState& start,
             const std::vector<Twist>& velocities, double h, SpatialState& end) {
  end.time_s = start.time_s + h;
  end.velocities = velocities;
  end.poses = start.poses;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (!scene.bodies[i].is_fixed) end.poses[i] = moved(start.poses[i], velocities[i], h);
  }
  end.contacts.clear();
  end.deflections.clear();
  end.joint_impulses.clear();
  end.kicked = start.kicked;
  for (std::size_t k = 0; k < scene.kicks.size(); ++k) {
    const bool is_once = scene.kicks[k].when != KickTrigger::kTurningStops;
    if (is_once && is_due(scene, start, k)) end.kicked[k] = 1;
  }
}

SceneEnergy energy(const SpatialScene& scene, const SpatialState& state) {
  SceneEnergy sum;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const SpatialBody& body = scene.bodies[i];
    if (body.is_fixed) continue;
    const Vec3 v = state.velocities[i].head<3>();
    const Vec3 w = state.poses[i].orientation.conjugate() * Vec3(state.velocities[i].tail<3>());
    sum.kinetic_j += 0.5 * kJoulesPerMillinewtonMillimetre *
                     (body.mass_kg * v.squaredNorm() + body.inertia_kg_mm2.dot(w.cwiseProduct(w)));
    sum.potential_j -= kJoulesPerMillinewtonMillimetre * body.mass_kg *
                       scene.gravity_mm_s2.dot(state.poses[i].position_mm);
  }
  if (std::none_of(scene.laws.begin(), scene.laws.end(),
                   [](const SpatialContactLaw& law) { return is_soft(law.layers); })) {
    return sum;
  }
  double elastic = 0.0;
  for (const SpatialDeflection& at : state.deflections) {
    elastic += elastic_energy(contact_law(scene, at.body_a, at.body_b).layers, at.layers_mm);
  }
  sum.elastic_j = kJoulesPerMillinewtonMillimetre * elastic;
  return sum;
}

}  // namespace graspmap
