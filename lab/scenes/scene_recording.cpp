#include "lab/scenes/scene_recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grasp/base/process/orderly_end.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "lab/planar/steppers/make_stepper.hpp"
#include "lab/scenes/scene_shapes.hpp"

namespace graspmap {

void StepsSinceSample::add(const SceneSnapshot& end) {
  ++steps;
  iterations += end.iterations;
  worst_residual = std::max(worst_residual, end.residual);
  contact_work_j += end.contact_work_j;
  worst_overlap_mm = std::max(worst_overlap_mm, end.worst_overlap_mm);
}

std::int64_t sampling_for(const SceneRunSettings& run, std::int64_t most) {
  const double steps = std::ceil(run.duration_s / run.step_s - 1e-9);
  return std::max<std::int64_t>(1, std::llround(std::ceil(steps / static_cast<double>(most))));
}

bool SampleSchedule::is_due(double time_s) {
  const double steps = time_s / step_s_;
  if (steps < static_cast<double>(next_) - 1e-6) return false;
  while (static_cast<double>(next_) <= steps + 1e-6) next_ += every_;
  return true;
}

namespace fs = std::filesystem;
namespace {

bool is_there(const fs::path& file) {
  std::error_code error;
  return fs::exists(file, error);
}

}  // namespace

void create_scene_folder(const fs::path& folder, bool overwrite) {
  if (run_folder_state(folder) == RunFolderState::kStored) {
    throw config_error({folder.string()}, "", "holds a run of a sweep; --out DIR writes elsewhere");
  }
  if (!overwrite && is_there(folder / scene_files::kTrajectory)) {
    throw config_error(
        {folder.string()}, "",
        "holds a simulation already; --force overwrites it, --out DIR writes elsewhere");
  }
  create_folder(folder);
  check_writable(folder / scene_files::kSummary);
}

void write_scene_texts(const fs::path& folder, const std::vector<NamedText>& files) {
  std::vector<StagedFile> staged;
  for (const auto& [name, text] : files) staged.emplace_back(folder / name, text);
  const Unbroken moment;
  // Files of an older simulation must not remain beside the new ones.
  remove_file(folder / scene_files::kAnimation);
  remove_file(folder / scene_files::kSummary);
  for (StagedFile& next : staged) next.commit();
}

namespace {

/// Half the size of a body: the largest bounding radius of its pieces.
double body_size_mm(const PlanarBody& body) {
  double size = 0.0;
  for (const PlacedShape& placed : body.shapes) {
    size = std::max(size, bounding_radius_mm(placed.shape));
  }
  return size;
}

const char* name(ContactFeature::Kind kind) {
  switch (kind) {
    case ContactFeature::Kind::kWhole:
      return "whole";
    case ContactFeature::Kind::kVertexOfA:
      return "vertex_of_a";
    case ContactFeature::Kind::kVertexOfB:
      break;
  }
  return "vertex_of_b";
}

std::string motion_of(const PlanarSnapshot& at, std::size_t body) {
  const Vec3& q = at.poses[body];
  const Vec3& v = at.velocities[body];
  return fmt::format("{},{},{},{},{},{}", q[0], q[1], q[2], v[0], v[1], v[2]);
}

std::string contact_text(const PlanarScene& scene, const PlanarSnapshot& at, std::size_t k) {
  const PlanarContact& c = at.contacts[k];
  const auto body = [&](int index) { return scene.bodies[static_cast<std::size_t>(index)].name; };
  const Vec2 middle_mm = 0.5 * (c.at.on_a_mm + c.at.on_b_mm);
  return fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", body(c.key.body_a), c.key.shape_a,
      body(c.key.body_b), c.key.shape_b, name(c.key.feature.kind), c.key.feature.vertex,
      middle_mm.x(), middle_mm.y(), c.at.normal.x(), c.at.normal.y(), c.at.gap_mm, c.p_n, c.p_t,
      c.p_core, kNewtonsPerMillinewton * c.p_n / at.step_s, c.slip_mm_s, name(contact_hold(at, k)));
}

}  // namespace

PlanarRecorder::PlanarRecorder(const SceneFile& file, std::int64_t every)
    : SceneRecorder(file.run.step_s, every, [&](const PlanarSnapshot& at) {
        return deepest_overlap(file.scene, at.poses);
      }) {}

SceneRun simulate(const SceneFile& file, const PlanarSnapshotObserver& observer) {
  const auto stepper = make_stepper(file.stepper, file.stepper_settings);
  return simulate_planar(file.scene, *stepper, file.run, observer);
}

ContactHold contact_hold(const PlanarSnapshot& snapshot, std::size_t k) {
  constexpr double kNothing = 1e-9;
  constexpr double kOnTheCone = 1.0 - 1e-6;
  double largest = 0.0;
  for (const PlanarContact& contact : snapshot.contacts) largest = std::max(largest, contact.p_n);
  const PlanarContact& contact = snapshot.contacts[k];
  if (contact.p_n <= kNothing * largest) return ContactHold::kOpen;
  const double cone = contact.mu * contact.p_n;
  return std::abs(contact.p_t) < kOnTheCone * cone ? ContactHold::kSticking : ContactHold::kSliding;
}

SceneFacts facts_of(const SceneFile& file) {
  SceneFacts facts;
  facts.name = file.name;
  facts.title = file.title;
  facts.run = file.run;
  facts.solver = name(file.stepper);
  facts.tolerance = file.stepper_settings.tolerance;
  for (const PlanarBody& body : file.scene.bodies) {
    facts.bodies.push_back({body.name, body.moves_freely(), body_size_mm(body)});
  }
  facts.overlap_advice = "a larger solver.active_gap_mm or another stepper";
  return facts;
}

SceneTables<PlanarSnapshot> tables_of(const SceneFile& file) {
  SceneTables<PlanarSnapshot> tables;
  for (std::size_t k = 0; k < file.scene.bodies.size(); ++k) {
    const PlanarBody& body = file.scene.bodies[k];
    if (body.moves_freely() || body.shake) tables.bodies.push_back({k, body.name});
  }
  tables.columns = {"x_mm", "y_mm", "theta_rad", "v_x_mm_s", "v_y_mm_s", "omega_rad_s"};
  tables.motion = motion_of;
  tables.contact_columns =
      "body_a,piece_a,body_b,piece_b,feature,vertex,x_mm,y_mm,normal_x,normal_y,gap_mm,p_n_mn_s,"
      "p_t_mn_s,p_core_mn_s,force_n,slip_mm_s,state";
  tables.contact = [&](const PlanarSnapshot& at, std::size_t k) {
    return contact_text(file.scene, at, k);
  };
  return tables;
}

}  // namespace graspmap
