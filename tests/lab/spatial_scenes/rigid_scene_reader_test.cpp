#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/support/config_error.hpp"
#include "tests/support/keep_largest.hpp"
#include "tests/support/mistakes.hpp"
#include "tests/support/parsed_scenes.hpp"
#include "tests/support/source_dir.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

const std::string kJoinedText = R"(kind = "spatial"
[time]
duration_s = 0.5
step_s = 0.01
[[body]]
name = "post"
kind = "box"
size_mm = [20, 20, 200]
fixed = true
[[body]]
name = "door"
kind = "box"
size_mm = [200, 10, 150]
mass_kg = 2
position_mm = [110, 0, 0]
[[body]]
name = "knob"
kind = "sphere"
radius_mm = 10
mass_kg = 0.1
position_mm = [190, 20, 0]
orientation = [0.8, 0.6, 0, 0]
[[body]]
name = "wall"
kind = "half_space"
position_mm = [0, 0, -500]
fixed = true
[[contact]]
between = ["knob", "wall"]
friction = 0.7
[[joint]]
kind = "revolute"
between = ["door", "post"]
at_mm = [10, 0, 5]
axis = [0, 0, 2]
[[joint]]
kind = "prismatic"
between = ["knob", "door"]
at_mm = [190, 0, 0]
axis = [0, 1, 0]
touch = true
[[joint]]
kind = "spherical"
between = ["knob", "wall"]
at_mm = [190, 20, -10]
)";

SpatialSceneFile joined_scene(const std::string& text) {
  return parse_spatial_scene_file(text, "door.toml");
}

std::string joined_error(const std::string& text) {
  return config_error([&] { (void)joined_scene(text); });
}

}  // namespace

TEST_CASE("joints of a scene in space are read where they are at the start", "[spatial_scenes]") {
  const SpatialSceneFile file = joined_scene(kJoinedText);
  const SpatialScene& scene = file.rigid().scene;
  REQUIRE(scene.joints.size() == 3);
  CHECK(scene.joints[0].kind == SpatialJointKind::kRevolute);
  CHECK(scene.joints[1].kind == SpatialJointKind::kPrismatic);
  CHECK(scene.joints[2].kind == SpatialJointKind::kSpherical);
  CHECK(scene.joints[0].body_a == 1);
  CHECK(scene.joints[0].body_b == 0);
  CHECK(scene.joints[0].frame_a.position_mm == Vec3(-100.0, 0.0, 5.0));
  CHECK(scene.joints[0].frame_b.position_mm == Vec3(10.0, 0.0, 5.0));
  CHECK((scene.joints[0].frame_a.orientation * Vec3::UnitZ() - Vec3::UnitZ()).norm() < 1e-15);
  for (const SpatialJoint& joint : scene.joints) {
    const JointGap gap = joint_gap(joint, scene.bodies[std::size_t(joint.body_a)].pose,
                                   scene.bodies[std::size_t(joint.body_b)].pose);
    CHECK(gap.mm < 1e-12);
    CHECK(gap.rad < 1e-15);
  }
  CHECK_FALSE(contact_law(scene, 0, 1).touch);
  CHECK(contact_law(scene, 1, 2).touch);  // touch = true
  CHECK(contact_law(scene, 2, 3).touch);  // the contact between them says so
  CHECK(contact_law(scene, 2, 3).friction.mu == 0.7);
}

TEST_CASE("joints in space that cannot be are refused", "[spatial_scenes]") {
  REQUIRE(joined_error(kJoinedText) == "(no error)");
  check_mistakes(
      kJoinedText, "door.toml", joined_error,
      {{"\"revolute\"", "\"pin\"", "\"pin\"", "joint.0.kind",
        "must be \"spherical\" or \"revolute\" or \"prismatic\""},
       {"axis = [0, 0, 2]", "axes = [0, 0, 2]", "axes", "joint.0.axes", "did you mean axis?"},
       {"axis = [0, 0, 2]\n", "", "[[joint]]", "joint.0.axis", "missing"},
       {"axis = [0, 0, 2]", "axis = [0, 0, 0]", "axis", "joint.0.axis",
        "must be a direction, not all 0"},
       {"at_mm = [10, 0, 5]\n", "", "[[joint]]", "joint.0.at_mm", "missing"},
       {"at_mm = [190, 20, -10]", "at_mm = [190, 20, -10]\naxis = [0, 0, 1]", "axis = [0, 0, 1]",
        "joint.2.axis", "does not go with kind = \"spherical\""},
       {"[\"door\", \"post\"]", "[\"door\", \"pots\"]", "pots", "joint.0.between",
        "\"pots\" is no body; must be of post, door, knob, wall"},
       {"[\"door\", \"post\"]", "[\"door\", \"door\"]", "[\"door\", \"door\"]", "joint.0.between",
        "is \"door\" twice"},
       {"[\"door\", \"post\"]", "[\"post\", \"wall\"]", "[\"post\", \"wall\"]", "joint.0.between",
        "post and wall are both fixed; one must move"},
       {"touch = true", "touches = true", "touches", "joint.1.touches", "did you mean touch?"}});
}

TEST_CASE("the scene of joined bodies knocks over its block, its joints hold") {
  const SpatialSceneFile file = read_spatial_scene_file(
      std::filesystem::path(testing::source_dir()) / "configs/scenes/joined_bodies.toml",
      {"solver.stepper=anitescu-hart"});
  SpatialSnapshot end;
  double gap = 0.0;
  const SceneRun run = simulate(file, [&](const SpatialSnapshot& at) {
    for (const SpatialJoint& joint : file.rigid().scene.joints) {
      const JointGap now = joint_gap(joint, at.poses[std::size_t(joint.body_a)],
                                     at.poses[std::size_t(joint.body_b)]);
      keep_largest(gap, now.mm);
      keep_largest(gap, 100.0 * now.rad);
    }
    end = at;
    return true;
  });
  REQUIRE_FALSE(run.failure);
  CHECK(gap < 2.0);  // to h^2 v^2 over its lengths; `validate E4` has the implicit run
  CHECK(gap > 1e-3);
  CHECK(run.totals.worst_overlap_mm < 1e-6);
  REQUIRE(end.joints_mm.size() == 3);
  REQUIRE(end.joint_impulses.size() == 3);
  CHECK(file.bodies.back().name == "block");
  CHECK(end.poses.back().position_mm.z() < 50.0);  // it stood at 100 mm
}
