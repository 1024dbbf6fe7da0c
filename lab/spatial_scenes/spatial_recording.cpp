#include "lab/spatial_scenes/spatial_recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "lab/spatial_scenes/spatial_scene_file.hpp"

namespace graspmap {
namespace {

/// The radius of the largest sphere about the centre of a bounded solid that is inside of it.
struct InnerRadius {
  double operator()(const Sphere& s) const { return s.radius_mm; }
  double operator()(const Ellipsoid& s) const { return s.semi_axes_mm.minCoeff(); }
  double operator()(const Superquadric& s) const { return s.semi_axes_mm.minCoeff(); }
  double operator()(const Box3& s) const { return s.half_extents_mm.minCoeff(); }
  double operator()(const Cylinder& s) const { return std::min(s.radius_mm, s.half_length_mm); }
  double operator()(const HalfSpace& /*s*/) const { return 0.0; }
};

}  // namespace

PassingFinder::PassingFinder(const SpatialSceneFile& file) {
  if (file.is_articulated()) return;
  const SpatialScene& scene = file.rigid().scene;
  const auto is_bounded = [](const SpatialBody& body) {
    return !std::holds_alternative<HalfSpace>(body.solid);
  };
  for (std::size_t a = 0; a < scene.bodies.size(); ++a) {
    for (std::size_t b = a + 1; b < scene.bodies.size(); ++b) {
      const SpatialBody& one = scene.bodies[a];
      const SpatialBody& other = scene.bodies[b];
      if (!is_bounded(one) || !is_bounded(other) || (one.is_fixed && other.is_fixed)) continue;
      const int i = static_cast<int>(a);
      const int j = static_cast<int>(b);
      if (!contact_law(scene, i, j).touch) continue;
      pairs_.push_back(
          {i, j, std::visit(InnerRadius{}, one.solid) + std::visit(InnerRadius{}, other.solid),
           bounding_radius_mm(one.solid) + bounding_radius_mm(other.solid)});
    }
  }
}

void PassingFinder::observe(const SpatialSnapshot& snapshot) {
  if (snapshot.step_s > 0.0 && !found_) {
    for (const Pair& pair : pairs_) {
      const auto apart = [&](const std::vector<Pose3>& poses) -> Vec3 {
        return poses[static_cast<std::size_t>(pair.body_a)].position_mm -
               poses[static_cast<std::size_t>(pair.body_b)].position_mm;
      };
      const double moved_mm = (apart(snapshot.poses) - apart(last_)).norm();
      const double nearest_mm = std::min(apart(snapshot.poses).norm(), apart(last_).norm());
      if (moved_mm <= pair.thickness_mm || nearest_mm > pair.reach_mm + moved_mm) continue;
      found_ = {pair.body_a, pair.body_b, moved_mm, pair.thickness_mm, snapshot.time_s};
      break;
    }
  }
  last_ = snapshot.poses;
}

namespace {

std::string columns_of(const Vec3& v) { return fmt::format("{},{},{}", v.x(), v.y(), v.z()); }

std::string spatial_motion(const SpatialSnapshot& at, std::size_t body) {
  const Pose3& pose = at.poses[body];
  const Eigen::Quaterniond& q = pose.orientation;
  const Twist& nu = at.velocities[body];
  return fmt::format("{},{},{},{},{},{},{}", columns_of(pose.position_mm), q.w(), q.x(), q.y(),
                     q.z(), columns_of(nu.head<3>()), columns_of(nu.tail<3>()));
}

bool has_soft_contacts(const SpatialSceneFile& file) {
  if (file.is_articulated()) return false;
  const auto& laws = file.rigid().scene.laws;
  return std::any_of(laws.begin(), laws.end(),
                     [](const SpatialContactLaw& law) { return is_soft(law.layers); });
}

std::string spatial_contact(const SpatialSceneFile& file, const SpatialSnapshot& at,
                            std::size_t k) {
  const SpatialContact& c = at.contacts[k];
  const auto body = [&](int index) { return file.bodies[static_cast<std::size_t>(index)].name; };
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
                     body(c.body_a), body(c.body_b), name(c.patch), c.facets_a, c.facets_b,
                     columns_of(c.on_a_mm), columns_of(c.on_b_mm), columns_of(c.normal),
                     columns_of(c.t), columns_of(c.o), c.gap_mm, c.p_n, c.p_t, c.p_o, c.p_r,
                     kNewtonsPerMillinewton * c.p_n / at.step_s, c.friction.mu, c.v_t_mm_s,
                     c.v_o_mm_s, c.w_r_rad_s, c.sigma_mm_s, name(contact_hold(at, k)));
}

}  // namespace

SpatialRecorder::SpatialRecorder(const SpatialSceneFile& file, std::int64_t every)
    : SceneRecorder(file.run.step_s, every,
                    [finder = OverlapFinder(file)](const SpatialSnapshot& at) {
                      return finder.deepest(at.poses);
                    }),
      passing_(file) {}

void SpatialRecorder::observe(const SpatialSnapshot& snapshot) {
  passing_.observe(snapshot);
  SceneRecorder::observe(snapshot);
}

SpatialRecording SpatialRecorder::finish() {
  SpatialRecording recording = SceneRecorder::finish();
  recording.passing = passing_.found();
  return recording;
}

double fastest_mm_s(const SpatialSnapshot& snapshot) {
  double fastest = 0.0;
  for (const Twist& velocity : snapshot.velocities) {
    fastest = std::max(fastest, velocity.head<3>().norm());
  }
  return fastest;
}

ContactHold contact_hold(const SpatialSnapshot& snapshot, std::size_t k) {
  constexpr double kStill = 1e-6;
  const SpatialContact& contact = snapshot.contacts[k];
  if (contact.patch == PatchKind::kOpen || contact.p_n <= 0.0) return ContactHold::kOpen;
  return contact.sigma_mm_s > kStill * std::max(1.0, fastest_mm_s(snapshot))
             ? ContactHold::kSliding
             : ContactHold::kSticking;
}

SceneFacts facts_of(const SpatialSceneFile& file) {
  SceneFacts facts;
  facts.name = file.name;
  facts.title = file.title;
  facts.run = file.run;
  for (const SceneSolid& body : file.bodies) {
    facts.bodies.push_back({body.name, !body.is_fixed, bounding_radius_mm(body.solid)});
  }
  if (file.is_articulated()) {
    const ContactSolverSettings& contact = file.articulated().settings.contact;
    facts.solver_key = "contact_solver";
    facts.solver = name(contact.solver);
    facts.tolerance = contact.tolerance;
    facts.overlap_advice =
        "or another solver.integrator; contacts of articulated systems hold velocities, not "
        "positions";
  } else {
    facts.solver = name(file.rigid().stepper);
    facts.tolerance = file.rigid().settings.tolerance;
    facts.overlap_advice = "or another stepper";
  }
  return facts;
}

SceneTables<SpatialSnapshot> tables_of(const SpatialSceneFile& file) {
  SceneTables<SpatialSnapshot> tables;
  for (std::size_t k = 0; k < file.bodies.size(); ++k) {
    if (!file.bodies[k].is_fixed) tables.bodies.push_back({k, file.bodies[k].name});
  }
  tables.columns = {"x_mm",
                    "y_mm",
                    "z_mm",
                    "qw",
                    "qx",
                    "qy",
                    "qz",
                    "v_x_mm_s",
                    "v_y_mm_s",
                    "v_z_mm_s",
                    "omega_x_rad_s",
                    "omega_y_rad_s",
                    "omega_z_rad_s"};
  tables.motion = spatial_motion;
  tables.contact_columns =
      "body_a,body_b,patch,facets_a,facets_b,on_a_x_mm,on_a_y_mm,on_a_z_mm,on_b_x_mm,on_b_y_mm,"
      "on_b_z_mm,normal_x,normal_y,normal_z,t_x,t_y,t_z,o_x,o_y,o_z,gap_mm,p_n_mn_s,p_t_mn_s,"
      "p_o_mn_s,p_r_mn_s_mm,force_n,friction,v_t_mm_s,v_o_mm_s,omega_r_rad_s,sigma_mm_s,state";
  const bool is_soft = has_soft_contacts(file);
  if (is_soft) tables.contact_columns += ",p_core_a_mn_s,p_core_b_mn_s";
  tables.contact = [&file, is_soft](const SpatialSnapshot& at, std::size_t k) {
    const std::array<double, 2>& core = at.contacts[k].p_core;
    return spatial_contact(file, at, k) + (is_soft ? fmt::format(",{},{}", core[0], core[1]) : "");
  };
  tables.has_unknowns = true;
  tables.has_contact_work = file.is_articulated();
  return tables;
}

}  // namespace graspmap
