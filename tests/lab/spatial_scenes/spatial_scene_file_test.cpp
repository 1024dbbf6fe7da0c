#include "lab/spatial_scenes/spatial_scene_file.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <numbers>

#include "grasp/sweep/config/sweep_config.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/parsed_scenes.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/spatial_scene_text.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

SpatialSceneFile spatial_scene(const std::string& text,
                               const std::vector<std::string>& overrides = {}) {
  return parse_spatial_scene_file(text, "folder/machine.toml", overrides);
}

SpatialSceneFile repository_scene(const std::string& name) {
  return read_spatial_scene_file(
      std::filesystem::path(testing::source_dir()) / "configs/scenes" / (name + ".toml"), {});
}

/// The smallest scene: a ball on nothing.
const std::string kBallOnly =
    "kind = \"spatial\"\n[time]\nduration_s = 1\nstep_s = 0.01\n[[body]]\nname = \"a\"\n"
    "kind = \"sphere\"\nradius_mm = 2\nmass_kg = 5\n";

}  // namespace

TEST_CASE("a scene in space gives times and solver and world", "[spatial_scenes]") {
  const SpatialSceneFile file = spatial_scene(kRigidSceneText);
  CHECK(file.name == "machine");
  CHECK(file.title == "A test scene in space");
  CHECK(file.toml == kRigidSceneText);
  CHECK(file.run.duration_s == 0.5);
  CHECK(file.run.step_s == 0.01);
  REQUIRE_FALSE(file.is_articulated());
  const RigidScene& rigid = file.rigid();
  CHECK(rigid.stepper == SpatialStepperKind::kStewartTrinkle);
  CHECK(rigid.settings.tolerance == 1e-9);
  CHECK(rigid.settings.max_iterations == 30);
  CHECK(rigid.settings.directions == 12);
  CHECK(rigid.scene.gravity_mm_s2 == Vec3(10, 20, -9810));
  CHECK(rigid.scene.friction.mu == 0.4);
  CHECK(rigid.scene.friction.e_t == 1.0);
  CHECK(rigid.scene.friction.e_o == 0.5);
  CHECK(rigid.scene.friction.e_r_mm == 7.0);
}

TEST_CASE("what a scene in space leaves out has a default", "[spatial_scenes]") {
  const SpatialSceneFile file = spatial_scene(kBallOnly);
  CHECK(file.title == "machine");
  const RigidScene& rigid = file.rigid();
  CHECK(rigid.stepper == SpatialStepperKind::kImplicit);
  CHECK(rigid.settings.tolerance == SpatialStepperSettings{}.tolerance);
  CHECK(rigid.settings.directions == SpatialStepperSettings{}.directions);
  CHECK(rigid.scene.gravity_mm_s2 == Vec3(0, 0, -9810));
  CHECK(rigid.scene.friction.mu == 0.0);
  CHECK(rigid.scene.friction.e_t == 1.0);
  CHECK(rigid.scene.friction.e_r_mm == 0.0);
  const SpatialBody& body = rigid.scene.bodies.at(0);
  CHECK(body.pose.position_mm == Vec3(0, 0, 0));
  CHECK(body.pose.orientation.coeffs() == Eigen::Quaterniond::Identity().coeffs());
  CHECK(body.velocity == Twist::Zero());
  CHECK(body.force == Twist::Zero());
  CHECK((body.inertia_kg_mm2 - Vec3::Constant(0.4 * 5 * 4)).norm() < 1e-12);
}

TEST_CASE("all steppers in space can be named", "[spatial_scenes]") {
  for (const SpatialStepperKind kind :
       {SpatialStepperKind::kImplicit, SpatialStepperKind::kImplicitFull,
        SpatialStepperKind::kStewartTrinkle, SpatialStepperKind::kStewartTrinkleNonlinear,
        SpatialStepperKind::kAnitescuPotra, SpatialStepperKind::kAnitescuHart,
        SpatialStepperKind::kAnitescuHartUnstabilised}) {
    const auto file = spatial_scene(kBallOnly, {std::string("solver.stepper=") + name(kind)});
    CHECK(file.rigid().stepper == kind);
  }
}

TEST_CASE("bodies in space have solids and poses and motions", "[spatial_scenes]") {
  const SpatialSceneFile file = spatial_scene(kRigidSceneText);
  const std::vector<SpatialBody>& bodies = file.rigid().scene.bodies;
  REQUIRE(bodies.size() == 6);
  CHECK(std::holds_alternative<HalfSpace>(bodies[0].solid));
  CHECK(bodies[0].is_fixed);
  const SpatialBody& ball = bodies[1];
  CHECK(std::get<Sphere>(ball.solid).radius_mm == 10.0);
  CHECK(ball.mass_kg == 2.0);
  CHECK(ball.inertia_kg_mm2 == Vec3(80, 90, 100));
  CHECK(ball.pose.position_mm == Vec3(-50, 0, 10));
  CHECK(ball.pose.orientation.angularDistance(Eigen::Quaterniond(0.8, 0.6, 0, 0)) < 1e-12);
  CHECK(ball.velocity == (Twist() << 1, 2, 3, 4, 5, 6).finished());
  CHECK(ball.force == (Twist() << 500, 0, 0, 0, 0, 250).finished());  // mN, mN mm
  CHECK(std::get<Ellipsoid>(bodies[2].solid).semi_axes_mm == Vec3(10, 20, 30));
  CHECK(std::get<Superquadric>(bodies[3].solid).semi_axes_mm == Vec3(11, 12, 13));
  CHECK(std::get<Superquadric>(bodies[3].solid).exponent == 4.0);
  CHECK(std::get<Box3>(bodies[4].solid).half_extents_mm == Vec3(10, 20, 30));
  CHECK(std::get<Cylinder>(bodies[5].solid).radius_mm == 5.0);
  CHECK(std::get<Cylinder>(bodies[5].solid).half_length_mm == 30.0);
  CHECK(bodies[5].is_fixed);
}

TEST_CASE("masses without inertias and densities are of uniform solids", "[spatial_scenes]") {
  const SpatialSceneFile file = spatial_scene(kRigidSceneText);
  const SpatialBody& egg = file.rigid().scene.bodies[2];
  CHECK(egg.mass_kg == 3.0);
  CHECK((egg.inertia_kg_mm2 - 0.6 * Vec3(1300, 1000, 500)).norm() < 1e-9);
  const SpatialBody& crate = file.rigid().scene.bodies[4];
  CHECK(crate.mass_kg == Approx(4.8));
  CHECK((crate.inertia_kg_mm2 - 0.4 * Vec3(5200, 4000, 2000)).norm() < 1e-9);
}

TEST_CASE("laws and pushes and kicks name their bodies", "[spatial_scenes]") {
  const SpatialSceneFile file = spatial_scene(kRigidSceneText);
  const SpatialScene& scene = file.rigid().scene;
  REQUIRE(scene.laws.size() == 2);
  CHECK(scene.laws[0].body_a == 0);
  CHECK(scene.laws[0].body_b == 1);
  CHECK(scene.laws[0].friction.mu == 0.1);
  CHECK(scene.laws[0].friction.e_o == 0.5);  // the world's
  CHECK(scene.laws[0].friction.e_r_mm == 3.0);
  CHECK(scene.laws[0].touch);
  CHECK(scene.laws[1].body_a == 1);
  CHECK(scene.laws[1].body_b == 2);
  CHECK_FALSE(scene.laws[1].touch);
  REQUIRE(scene.pushes.size() == 1);
  CHECK(scene.pushes[0].body == 4);
  CHECK(scene.pushes[0].start_s == 0.1);
  CHECK(scene.pushes[0].end_s == 0.2);
  CHECK(scene.pushes[0].force == (Twist() << 1000, 2000, 3000, 4000, 5000, 6000).finished());
  REQUIRE(scene.kicks.size() == 1);
  CHECK(scene.kicks[0].body == 2);
  CHECK(scene.kicks[0].when == KickTrigger::kLineContact);
  CHECK(scene.kicks[0].impulse.isApprox((Twist() << 7000, 8000, 9000, 100, 200, 300).finished(),
                                        1e-14));
}

TEST_CASE("quaternions that are nearly of length one are made so", "[spatial_scenes]") {
  const auto orientation = [](const std::string& q) {
    return spatial_scene(kBallOnly + "orientation = " + q + "\n")
        .rigid()
        .scene.bodies[0]
        .pose.orientation;
  };
  CHECK(orientation("[0.7071, 0, 0.7071, 0]").norm() == Approx(1.0).epsilon(1e-15));
  CHECK_THROWS_AS(orientation("[0.7, 0, 0.7, 0]"), ConfigError);
}

TEST_CASE("an articulated scene gives solver and world", "[spatial_scenes]") {
  const SpatialSceneFile file = spatial_scene(kArticulatedSceneText);
  REQUIRE(file.is_articulated());
  const ArticulatedSettings& settings = file.articulated().settings;
  CHECK(settings.contact.solver == ContactSolver::kMlcpPfbRlm);
  CHECK(settings.contact.directions == 6);
  CHECK(settings.contact.tolerance == 1e-9);
  CHECK(settings.contact.penalty == 0.9);
  CHECK(settings.integrator == ArticulatedIntegrator::kMoreauMidpoint);
  CHECK(settings.direction_offset_rad == 0.25);
  CHECK(settings.fixed_directions);
  CHECK_FALSE(settings.limit_restitution);
  const ArticulatedSystem& system = file.articulated().system;
  CHECK(system.gravity_mm_s2 == Vec3(10, 20, -9810));
  CHECK(system.mu == 0.4);
  CHECK(system.restitution == 0.5);
  CHECK_FALSE(system.self_contact);
}

TEST_CASE("links have joints of all kinds", "[spatial_scenes]") {
  const SpatialSceneFile file = spatial_scene(kArticulatedSceneText);
  const std::vector<Link>& links = file.articulated().system.links;
  REQUIRE(links.size() == 7);
  const Link& arm = links[0];
  CHECK(arm.parent == -1);
  CHECK(arm.joint.kind == JointKind::kPin);
  CHECK((arm.joint.axis - Vec3(0, 0.6, 0.8)).norm() < 1e-15);
  CHECK(arm.joint.at_mm == Vec3(1, 2, 3));
  CHECK(arm.position == Eigen::VectorXd::Constant(1, 0.5));
  CHECK(arm.velocity == Eigen::VectorXd::Constant(1, 2));
  CHECK(arm.mass_kg == 3.0);
  CHECK(arm.centre_of_mass_mm == Vec3(4, 5, 6));
  CHECK(arm.inertia_kg_mm2 == Mat3(Vec3(7, 8, 9).asDiagonal()));
  CHECK_FALSE(arm.ball);
  const Link& slide = links[1];
  CHECK(slide.parent == 0);
  CHECK(slide.joint.kind == JointKind::kSlider);
  CHECK(slide.joint.axis == Vec3(0, 0, -1));
  CHECK(slide.position[0] == 10.0);
  CHECK(slide.velocity[0] == 20.0);
  CHECK(slide.centre_of_mass_mm == Vec3(0, 0, -30));  // the ball's
  CHECK(slide.inertia_kg_mm2.isApprox(10.0 * Mat3::Identity()));
  const Link& stone = links[6];
  CHECK(stone.parent == -1);
  CHECK(stone.joint.kind == JointKind::kFree);
  REQUIRE(stone.position.size() == 7);
  CHECK(stone.position.head<3>() == Vec3(500, 0, 300));
  CHECK(stone.position.tail<4>().isApprox(Eigen::Vector4d(0.6, 0, 0.8, 0)));
}

TEST_CASE("velocities of ball and free joints are given in the parent's axes", "[spatial_scenes]") {
  const SpatialSceneFile file = spatial_scene(kArticulatedSceneText);
  const std::vector<Link>& links = file.articulated().system.links;
  const Mat3 R_wrist = Eigen::Quaterniond(0.6, 0.8, 0, 0).toRotationMatrix();
  CHECK(links[2].joint.kind == JointKind::kBall);
  CHECK(links[2].velocity.isApprox(R_wrist.transpose() * Vec3(1, 2, 3)));
  const Mat3 R_stone = Eigen::Quaterniond(0.6, 0, 0.8, 0).toRotationMatrix();
  CHECK(links[6].velocity.head<3>() == Vec3(10, 20, 30));  // so is the joint's
  CHECK(links[6].velocity.tail<3>().isApprox(R_stone.transpose() * Vec3(1, 2, 3)));
}

TEST_CASE("a chain hangs link by link and only its first one is turned", "[spatial_scenes]") {
  const SpatialSceneFile file = spatial_scene(kArticulatedSceneText);
  const std::vector<Link>& links = file.articulated().system.links;
  for (int k = 0; k < 3; ++k) {
    const Link& link = links[static_cast<std::size_t>(3 + k)];
    CHECK(link.name == "chain_" + std::to_string(k + 1));
    CHECK(link.parent == 2 + k);
    CHECK(link.joint.at_mm == Vec3(0, 0, k == 0 ? -7 : -40));
    CHECK(link.position[0] == (k == 0 ? 0.125 : 0.0));
    CHECK(link.velocity[0] == (k == 0 ? 0.75 : 0.0));
    REQUIRE(link.ball);
    CHECK(link.ball->centre_mm == Vec3(0, 0, -40));
  }
}

TEST_CASE("a closure names a link first and the ground second", "[spatial_scenes]") {
  const SpatialSceneFile file = spatial_scene(kArticulatedSceneText);
  const std::vector<Closure>& closures = file.articulated().system.closures;
  REQUIRE(closures.size() == 1);
  CHECK(closures[0].link_a == 6);
  CHECK(closures[0].link_b == -1);
  CHECK(closures[0].point_a_mm == Vec3(10, 0, 0));
  CHECK(closures[0].point_b_mm == Vec3(497.2, 0, 290.4));
}

TEST_CASE("the bodies to draw are links and then obstacles", "[spatial_scenes]") {
  const SpatialSceneFile file = spatial_scene(kArticulatedSceneText);
  REQUIRE(file.bodies.size() == 8);
  CHECK(file.bodies[0].name == "arm");
  CHECK(std::get<Sphere>(file.bodies[0].solid).radius_mm == 0.0);  // no ball
  CHECK(std::get<Sphere>(file.bodies[6].solid).radius_mm == 50.0);
  CHECK(file.bodies[7].name == "floor");
  CHECK(std::holds_alternative<HalfSpace>(file.bodies[7].solid));
  CHECK(file.bodies[7].is_fixed);
  CHECK(file.articulated().system.obstacles.at(0).normal == Vec3(0, 0, 1));
}

TEST_CASE("overrides change scenes in space and their text", "[spatial_scenes]") {
  const SpatialSceneFile file = spatial_scene(kRigidSceneText, {"body.1.radius_mm=9"});
  CHECK(std::get<Sphere>(file.rigid().scene.bodies[1].solid).radius_mm == 9.0);
  // The changed text gives the same scene again.
  const SpatialSceneFile again = spatial_scene(file.toml);
  CHECK(std::get<Sphere>(again.rigid().scene.bodies[1].solid).radius_mm == 9.0);
  CHECK(again.rigid().scene.kicks.size() == 1);
}

TEST_CASE("the small sphere of the repository touches both large ones", "[spatial_scenes]") {
  const SpatialSceneFile file = repository_scene("sphere_on_spheres");
  const std::vector<SpatialBody>& bodies = file.rigid().scene.bodies;
  for (const std::size_t fixed : {0U, 1U}) {
    const double apart = (bodies[2].pose.position_mm - bodies[fixed].pose.position_mm).norm();
    CHECK(apart == Approx(1000 + std::get<Sphere>(bodies[fixed].solid).radius_mm).epsilon(1e-13));
  }
}

TEST_CASE("the cube of the repository stands on a corner", "[spatial_scenes]") {
  const SpatialSceneFile file = repository_scene("cube_falling");
  const SpatialBody& cube = file.rigid().scene.bodies[1];
  std::vector<double> heights;
  for (const double x : {-500.0, 500.0}) {
    for (const double y : {-500.0, 500.0}) {
      for (const double z : {-500.0, 500.0}) {
        heights.push_back(cube.pose.to_world({x, y, z}).z());
      }
    }
  }
  std::sort(heights.begin(), heights.end());
  CHECK(heights[0] == Approx(0.0).margin(1e-9));
  CHECK(heights[0] >= 0.0);
  CHECK(heights[1] > 100.0);
  // The diagonal through it is 5 degrees from the vertical.
  const Vec3 diagonal = cube.pose.orientation * Vec3(1, 1, 1).normalized();
  CHECK(std::acos(diagonal.z()) == Approx(5 * std::numbers::pi / 180).epsilon(1e-9));
}

TEST_CASE("the pendulum of the repository hangs to the left and swings to the right",
          "[spatial_scenes]") {
  const SpatialSceneFile file = repository_scene("twelve_link_pendulum");
  const std::vector<Link>& links = file.articulated().system.links;
  REQUIRE(links.size() == 12);
  double mass = 0.0;
  for (const Link& link : links) mass += link.mass_kg;
  CHECK(mass == 12.0);
  CHECK(links[11].name == "link_12");
  const Link& first = links[0];
  const Eigen::AngleAxisd R(first.position[0], first.joint.axis);
  // The straight chain's tip, 12 m from the pivot.
  const Vec3 tip = first.joint.at_mm + R * Vec3(0, 0, -12'000);
  CHECK(tip.y() == Approx(-12'000 * std::sqrt(0.5)));
  CHECK(tip.z() == Approx(10'000 - 12'000 * std::sqrt(0.5)));
  const Vec3 v = (first.velocity[0] * first.joint.axis).cross(tip - first.joint.at_mm);
  CHECK(v.y() > 0.0);
}

TEST_CASE("the cylinder of the repository is pushed in whole steps", "[spatial_scenes]") {
  const SpatialSceneFile file = repository_scene("cylinder_manipulation");
  REQUIRE(file.rigid().scene.pushes.size() == 7);
  for (const Push& push : file.rigid().scene.pushes) {
    CHECK(push.start_s / 0.01 == Approx(std::round(push.start_s / 0.01)).margin(1e-9));
    CHECK(push.end_s / 0.01 == Approx(std::round(push.end_s / 0.01)).margin(1e-9));
  }
  // 11 steps of 6 N s and 0.9 N m s, from a table of the reference.
  const Push& rise = file.rigid().scene.pushes[2];
  const Twist impulse = (rise.end_s - rise.start_s) * rise.force;
  CHECK(impulse[2] == Approx(11 * 6e3));
  CHECK(impulse[3] == Approx(11 * 0.9e6));
}
