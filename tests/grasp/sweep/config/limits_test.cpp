#include <catch2/catch.hpp>

#include "grasp/sweep/config/sweep_config.hpp"
#include "tests/support/config_error.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/sweep_text.hpp"

namespace graspmap::testing {
namespace {

using Catch::Contains;
using Catch::EndsWith;

std::string data(const std::string& name) { return testing::source_dir() + "/" + name; }

std::string error_of_file(const std::string& name, const std::vector<std::string>& set = {}) {
  return config_error([&] { (void)read_sweep_config(data(name), set); });
}

std::string error_with(const std::string& assignment) {
  return error_of_file("configs/lock_piece.toml", {assignment});
}

TEST_CASE("sweeps whose trials never end are refused") {
  CHECK_THAT(error_of_file("tests/data/hard_cases/refused_sweeps/vanishing_force.toml"),
             EndsWith("gripper.closing_force_n: is 5e-324; must be a number from 1e-09 to 1e+12"));
  CHECK_THAT(error_of_file("tests/data/hard_cases/refused_sweeps/infinite_jaws.toml"),
             EndsWith("gripper.jaw_mass_kg: is 1e+308; must be a number from 1e-12 to 1e+09"));
  CHECK(error_with("gripper.jaw_mass_kg=1e6") == "(no error)");
  CHECK_THAT(config_error([] {
               (void)read_sweep_config(data("configs/lock_piece.toml"),
                                       {"gripper.jaw_mass_kg=1e6", "gripper.closing_force_n=1e-6"});
             }),
             Contains("gripper.closing_force_n: is 1e-06, with which jaws of 1000000 kg take") &&
                 Contains("must be at most 1e+06 times stop.timeout_s"));
}

TEST_CASE("every physical value of a sweep has limits") {
  const std::string key = GENERATE(
      "gripper.closing_speed_mm_s", "gripper.opening_mm", "stop.stopped_speed_mm_s",
      "stop.stopped_time_s", "stop.closed_opening_mm", "stop.contact_gap_mm", "simulation.step_s",
      "simulation.gravity_mm_s2", "part.mass_kg", "support.e_r_mm", "support.e_t",
      "placement.x_max_mm", "placement.theta_rad", "friction.jaw", "placement.noise.x_mm",
      "summary.sweet_spot_half_width_mm", "part.piece.0.angle_rad");
  INFO(key);
  const std::string error = error_with(key + "=1e300");
  CHECK_THAT(error, Contains(key + ": is 1e+300") && Contains("must be"));
  CHECK(error.find('\n') == std::string::npos);
}

TEST_CASE("lengths of a part are not too far apart, nor its mass beyond the limits") {
  CHECK_THAT(error_with("part.piece.1.semi_axes_mm=[2.3, 1e-6]"),
             Contains("part.piece.1.semi_axes_mm: is [2.3, 1e-06], beside a largest length of the "
                      "part of ") &&
                 Contains("must be at most 1e+06 times smaller"));
  CHECK_THAT(error_with("part.inertia_kg_mm2=1e-300"),
             Contains("part.inertia_kg_mm2: is 1e-300") && Contains("radius of gyration"));
}

TEST_CASE("files of another kind are told from sweeps") {
  CHECK_THAT(error_of_file("configs/scenes/disc_pile.toml"),
             Contains("body: this is a scene, for graspmap-lab simulate; give the configuration of "
                      "a sweep, with [part] and [gripper]"));
}

}  // namespace
}  // namespace graspmap::testing
