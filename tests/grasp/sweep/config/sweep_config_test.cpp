#include "grasp/sweep/config/sweep_config.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "geometry/mass_properties.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/success_rules.hpp"
#include "tests/support/sweep_config_equality.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using Catch::Matchers::Contains;

namespace {

SweepConfig read_text(const std::string& text) {
  const TemporaryFolder folder;
  return read_sweep_config(folder.write("sweep.toml", text), {});
}

/// The keys of steps.
struct Steps {
  int order;
  double tolerance_mm;
  double step_s;
};

constexpr Steps kSecondOrder{2, 0.02, 0.032};

void check_steps(const Scenario& scenario, const Steps& steps) {
  CHECK(scenario.order == steps.order);
  CHECK(scenario.tolerance_mm == steps.tolerance_mm);
  CHECK(scenario.step_s == steps.step_s);
}

std::filesystem::path config_file(const std::string& name) {
  return std::filesystem::path(testing::source_dir()) / "configs" / name;
}

}  // namespace

TEST_CASE("a configuration of required keys is read, the rest takes its defaults") {
  const SweepConfig config = read_text(kConfigText);
  CHECK(config.name == "knob-bar");
  CHECK(config.scenario.mass.mass_kg == 0.05);
  CHECK(config.scenario.mass.center_of_mass_P_mm == Vec2(0.5, -1));
  CHECK(config.scenario.mass.inertia_kg_mm2 == 12.0);
  REQUIRE(config.scenario.part.pieces.size() == 2);
  const Piece& bar = config.scenario.part.pieces[0];
  CHECK(bar.name == "bar");
  CHECK(bar.shape.a_mm == 20.0);
  CHECK(bar.shape.b_mm == 5.0);
  CHECK(bar.shape.exponent == 8.0);
  CHECK(bar.pose.position_mm == Vec2(0, 0));
  CHECK(bar.pose.angle_rad == 0.0);
  CHECK(config.scenario.part.pieces[1].shape.exponent == 2.0);
  CHECK(config.scenario.part.pieces[1].pose.position_mm == Vec2(0, -6));
  Gripper gripper;
  gripper.opening_mm = 30;
  check_equal(config.scenario.gripper, gripper);
  check_equal(config.scenario.support, EllipsoidSupport{1, 1, 10});
  CHECK(config.mu_jaw == Uniform{0.05, 0.35});
  CHECK(config.mu_support == Fixed{0.3});
  check_equal(config.placement.x_mm, {-5, 5, 4});
  check_equal(config.placement.y_mm, {-8, -2, 3});
  CHECK(config.placement.theta_rad.is_fixed());
  CHECK(config.placement.theta_rad.min == 0.0);
  CHECK(config.placement.noise_theta_rad == Fixed{0});
  REQUIRE(config.success.size() == 1);
  CHECK(features_of(config.success[0].left) == std::vector<int>{1});
  check_equal(config.scenario.stop, StopRule{});
  check_steps(config.scenario, kSecondOrder);
  CHECK(config.scenario.gravity_mm_s2 == 9810.0);
  CHECK(config.trials() == 120);
  CHECK(config.seed == 42);
  CHECK(config.sweet_spot_half_width_mm == 3.0);
  CHECK(config.plateau_probability == 0.95);
}

TEST_CASE("steps are of second order, unless another key asks for what only the first has") {
  const auto steps_of = [](const std::string& keys) {
    return read_text(replaced(kConfigText, "[friction]", "[simulation]\n" + keys + "\n[friction]"))
        .scenario;
  };
  const Steps fixed{1, 0.0, 0.002};
  check_steps(steps_of(""), kSecondOrder);
  check_steps(steps_of("order = 2"), kSecondOrder);
  check_steps(steps_of("order = 1"), fixed);
  check_steps(steps_of("tolerance_mm = 0"), fixed);
  check_steps(steps_of("tolerance_mm = 0\nstep_s = 0.005"), {1, 0.0, 0.005});
  check_steps(steps_of("stepper = \"implicit\""), kSecondOrder);
  check_steps(steps_of("step_s = 0.005"), {2, 0.02, 0.005});
  check_steps(steps_of("tolerance_mm = 0.003"), {2, 0.003, 0.032});
  check_steps(steps_of("order = 1\ntolerance_mm = 0\nstep_s = 0.008"), {1, 0.0, 0.008});
}

TEST_CASE("the tolerance of a small part is a thousandth of its reach") {
  std::string text =
      replaced(kConfigText, "center_of_mass_mm = [0.5, -1]", "center_of_mass_mm = [0, 0]");
  text = replaced(text, "semi_axes_mm = [20, 5]\nexponent = 8", "semi_axes_mm = [8, 8]");
  check_steps(read_text(text).scenario,
              {2, 0.001 * 9.0, 0.032});  // the knob's far end is 9 mm away
}

TEST_CASE("a scenario that is no file's has fixed steps of 2 ms") {
  check_steps(Scenario{}, {1, 0.0, 0.002});
}

TEST_CASE("a configuration without a name takes its file's") {
  CHECK(read_text(replaced(kConfigText, "name = \"knob-bar\"", "")).name == "sweep");
  const TemporaryFolder folder;
  const auto file = folder.write("my sweep.toml", replaced(kConfigText, "name = \"knob-bar\"", ""));
  CHECK_THROWS_WITH(read_sweep_config(file, {}), Contains(": name: missing") &&
                                                     Contains("my sweep.toml:1: ") &&
                                                     Contains("must be a name of letters"));
}

TEST_CASE("success alternatives are sets of pieces") {
  const SweepConfig config =
      read_text(replaced(kConfigText, "right = [\"knob\"]",
                         "right = [\"knob\", \"bar\", \"knob\"]\n[[success]]\nleft = [\"bar\"]"));
  REQUIRE(config.success.size() == 2);
  CHECK(features_of(config.success[0].right) == std::vector<int>{0, 1});
  CHECK(features_of(config.success[1].left) == std::vector<int>{0});
  CHECK(config.success[1].right.empty());
}

TEST_CASE("mass properties and support radii that are left out come from the geometry") {
  const std::string uniform =
      replaced(kConfigText, "mass_kg = 0.05\ncenter_of_mass_mm = [0.5, -1]\ninertia_kg_mm2 = 12\n",
               "density_kg_mm3 = 2.7e-6\nthickness_mm = 4\n");
  const SweepConfig config = read_text(replaced(uniform, "e_r_mm = 10", ""));
  const Part& part = config.scenario.part;
  const MassProperties mass = mass_properties(part, 2.7e-6, 4);
  check_equal(config.scenario.mass, mass);
  check_equal(read_text(replaced(uniform, "density_kg_mm3 = 2.7e-6", "material = \"aluminium\"")),
              read_text(uniform));
  CHECK(std::get<EllipsoidSupport>(config.scenario.support).e_r_mm ==
        mean_radius_mm(part, mass.center_of_mass_P_mm));

  const SweepConfig tripod =
      read_text(replaced(kConfigText, "model = \"ellipsoid\"\ne_r_mm = 10", "model = \"tripod\""));
  const auto& support = std::get<TripodSupport>(tripod.scenario.support);
  CHECK(support.radius_mm == mean_radius_mm(part, Vec2(0.5, -1)));
  CHECK(support.angles_rad[0] == Approx(std::numbers::pi / 2).epsilon(1e-15));
  CHECK(support.angles_rad[1] == Approx(7 * std::numbers::pi / 6).epsilon(1e-15));
  CHECK(support.angles_rad[2] == Approx(11 * std::numbers::pi / 6).epsilon(1e-15));
}

TEST_CASE("a configuration that is written reads back the same to the last bit") {
  SweepConfig config = read_text(kConfigText);
  config.scenario.mass.mass_kg = 0.1 + 0.2;
  config.scenario.part.pieces[0].pose = {{-std::numbers::pi, 1e-300}, 1.0 / 3};
  config.scenario.part.pieces[1].shape.exponent = 2 + 0x1p-51;
  config.scenario.gripper = {0.3, 1e3 / 7, 51.3, 100.1, Coupling::kIndependent};
  config.scenario.gravity_mm_s2 = 9806.65;
  config.scenario.support = TripodSupport{std::sqrt(2.0), {-0.1, 1e22, 7.0 / 3}};
  config.scenario.stop = {0.2, 0.03, 2.5, 4, 1.0 / 7};
  config.scenario.step_s = 1e-3;
  const TouchTarget bar{"bar", {0}};
  const TouchTarget knob{"knob", {1}};
  config.success = {{{bar}, {bar, knob}}, {{}, {knob}}};
  config.mu_jaw = TruncatedNormal{1.0 / 3, 0.1, 0.0, 2.0 / 3};
  config.mu_support = Normal{0.3, 1.0 / 30, 0.1};
  config.placement.theta_rad = fixed_angle(-0.1);
  config.placement.noise_x_mm = Normal{0, 1.0 / 7};
  config.placement.noise_y_mm = Uniform{-1.0 / 3, 123456789.125};
  config.placement.noise_theta_rad = Lognormal{1e-5, 0.25};
  config.seed = std::numeric_limits<std::int64_t>::max();
  config.sweet_spot_half_width_mm = 2.2;
  config.plateau_probability = 0.9;
  const std::string text = to_toml(config);
  check_equal(read_text(text), config);
  CHECK(to_toml(read_text(text)) == text);
}

TEST_CASE("graspmap's own time-stepper may be named; it is not written") {
  const SweepConfig config = read_text(
      replaced(kConfigText, "[friction]", "[simulation]\nstepper = \"implicit\"\n[friction]"));
  CHECK(config.scenario.other_stepper == nullptr);
  check_equal(config, read_text(kConfigText));
  CHECK_THAT(to_toml(config), !Contains("stepper"));
}

TEST_CASE("a program without other time-steppers refuses them, and names the one that has them") {
  const std::string text = GENERATE("implicit-full", "anitescu-hart", "rk4");
  CHECK_THROWS_WITH(
      read_text(replaced(kConfigText, "[friction]",
                         "[simulation]\nstepper = \"" + text + "\"\n[friction]")),
      Contains("sweep.toml:27: simulation.stepper: is \"" + text +
               "\"; must be \"implicit\", or left out: only graspmap-lab has others"));
  CHECK_THROWS_WITH(read_text(replaced(kConfigText, "[friction]",
                                       "[simulation]\npolygon_vertices = 16\n[friction]")),
                    Contains("simulation.polygon_vertices: unknown key"));
}

TEST_CASE("the order of steps is always written, their tolerance where there is one") {
  SweepConfig config = read_text(kConfigText);
  CHECK_THAT(to_toml(config), Contains("\norder = 2\n") && Contains("\ntolerance_mm = 0.02\n"));
  config.scenario.order = 1;
  config.scenario.tolerance_mm = 0.0;
  CHECK_THAT(to_toml(config), Contains("\norder = 1\n") && !Contains("tolerance_mm"));
  check_equal(read_text(to_toml(config)), config);
  config.scenario.order = 2;
  config.scenario.tolerance_mm = 1.0 / 300;
  check_equal(read_text(to_toml(config)), config);
}

TEST_CASE("adaptive sampling has a default for everything and is written and read back") {
  const std::string text =
      replaced(kConfigText, "seed = 42\n", "seed = 42\nsampling = \"adaptive\"\n");
  SweepConfig config = read_text(text);
  REQUIRE(config.adaptive.has_value());
  CHECK(config.adaptive->first_trials == 6);
  CHECK(config.adaptive->round_trials == 100);
  CHECK(config.adaptive->most_trials == 120);  // two first rounds would be more than there are
  CHECK(config.most_trials() == 120);
  CHECK(config.adaptive->goal == AdaptiveGoal::kBoth);
  config.adaptive = {3, 17, 99, AdaptiveGoal::kMap, 1.0 / 3, 0.9, 1.0 / 7, 0.02};
  check_equal(read_text(to_toml(config)), config);
  CHECK_FALSE(read_text(kConfigText).adaptive.has_value());
  CHECK(read_text(kConfigText).most_trials() == 120);
  const SweepConfig large = read_text(replaced(text, "cell = 10\n", "cell = 1000\n"));
  CHECK(large.adaptive->most_trials == 1200);  // a tenth
}

TEST_CASE("a range of angles is an axis of the map") {
  const SweepConfig config = read_text(
      replaced(kConfigText, "y_cells = 3",
               "y_cells = 3\ntheta_min_rad = -0.1\ntheta_max_rad = 0.3\ntheta_cells = 7"));
  const Axis& theta = config.placement.theta_rad;
  CHECK_FALSE(theta.is_fixed());
  CHECK((theta.min == -0.1 && theta.max == 0.3 && theta.cells == 7));
  CHECK(theta.cell_min(0) == -0.1);
  CHECK(theta.cell_max(6) == 0.3);
  CHECK(theta.cell_max(2) == theta.cell_min(3));
  CHECK(theta.cell_center(3) == Approx(0.1).epsilon(1e-15));
  CHECK(config.placement.cell_count() == 4 * 3 * 7);
  CHECK(config.trials() == 4 * 3 * 7 * 10);
  const std::string text = to_toml(config);
  CHECK_THAT(text, Contains("\ntheta_min_rad = -0.1\ntheta_max_rad = 0.3\ntheta_cells = 7\n"));
  check_equal(read_text(text), config);

  // One cell of a range is not one angle.
  const SweepConfig one_cell = read_text(replaced(text, "theta_cells = 7", "theta_cells = 1"));
  CHECK_FALSE(one_cell.placement.theta_rad.is_fixed());
  check_equal(read_text(to_toml(one_cell)), one_cell);
  CHECK(theta.period == 0.0);
}

TEST_CASE("an axis of a whole turn has no ends") {
  const SweepConfig config = read_text(
      replaced(kConfigText, "y_cells = 3",
               "y_cells = 3\ntheta_min_deg = -180\ntheta_max_deg = 180\ntheta_cells = 8"));
  const Axis& theta = config.placement.theta_rad;
  CHECK(theta.period == theta.max - theta.min);
  CHECK(theta.seen_from(3.0, -3.0) == Approx(2 * std::numbers::pi - 3.0));
}

TEST_CASE("a configuration is read from memory as from a file") {
  check_equal(parse_sweep_config(kConfigText, "a store"), read_text(kConfigText));
  const std::string wrong = replaced(kConfigText, "opening_mm = 30", "opening_mm = -1");
  CHECK_THROWS_WITH(parse_sweep_config(wrong, "a store"),
                    Catch::StartsWith("a store:" + std::to_string(line_of(wrong, "= -1"))) &&
                        Contains("gripper.opening_mm"));
  CHECK_THROWS_AS(parse_sweep_config("a = ", "a store"), ConfigError);
}

TEST_CASE("what is written holds every key, derived ones too") {
  const SweepConfig config = read_text(replaced(kConfigText, "e_r_mm = 10", ""));
  const std::string text = to_toml(config);
  for (const char* key : {"name",
                          "mass_kg",
                          "center_of_mass_mm",
                          "inertia_kg_mm2",
                          "center_mm",
                          "angle_rad",
                          "semi_axes_mm",
                          "exponent",
                          "jaw_mass_kg",
                          "closing_force_n",
                          "closing_speed_mm_s",
                          "opening_mm",
                          "coupling",
                          "model",
                          "e_t",
                          "e_o",
                          "e_r_mm",
                          "jaw",
                          "support",
                          "x_min_mm",
                          "x_max_mm",
                          "x_cells",
                          "y_min_mm",
                          "y_max_mm",
                          "y_cells",
                          "theta_rad",
                          "x_mm",
                          "y_mm",
                          "left",
                          "right",
                          "stopped_speed_mm_s",
                          "stopped_time_s",
                          "closed_opening_mm",
                          "timeout_s",
                          "contact_gap_mm",
                          "order",
                          "step_s",
                          "tolerance_mm",
                          "gravity_mm_s2",
                          "trials_per_cell",
                          "seed",
                          "sweet_spot_half_width_mm",
                          "plateau_probability"}) {
    CHECK_THAT("\n" + text, Contains(std::string("\n").append(key).append(" = ")));
  }
  check_equal(read_text(text), config);
}

TEST_CASE("random doubles survive writing and reading") {
  SweepConfig config = read_text(kConfigText);
  std::uint64_t bits = 88172645463325252ULL;
  for (int i = 0; i < 200; ++i) {
    bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;  // xorshift64
    // A friction coefficient has no lower limit but 0.
    const double value = std::ldexp(static_cast<double>(bits >> 11), -250 + i);
    config.mu_jaw = Fixed{value};
    CHECK(read_text(to_toml(config)).mu_jaw == Fixed{value});
  }
}

TEST_CASE("the lock-piece configuration is the published experiment") {
  const SweepConfig config = read_sweep_config(config_file("lock_piece.toml"), {});
  CHECK(config.name == "lock_piece");
  CHECK(config.trials() == 25'600);
  check_equal(config.placement.x_mm, {-10, 10, 20});
  check_equal(config.placement.y_mm, {-20, 0, 20});
  CHECK(config.mu_jaw == Uniform{0.05, 0.35});
  CHECK(config.mu_support == Uniform{0.1, 0.5});
  check_equal(config.scenario.gripper, {0.2, 10, 50, 64, Coupling::kSymmetric});
  check_equal(config.scenario.stop, {0.1, 0.02, 2, 3, 0.05});
  check_steps(config.scenario, kSecondOrder);
  const double R = 20.75;
  check_equal(config.scenario.support, EllipsoidSupport{1, 1, 2 * R / 3});
  CHECK(config.scenario.mass.mass_kg == 0.05);
  CHECK(config.scenario.mass.center_of_mass_P_mm == Vec2(0, 0));
  CHECK(config.scenario.mass.inertia_kg_mm2 == Approx(0.05 * R * R / 2).epsilon(1e-15));

  const Part& part = config.scenario.part;
  REQUIRE(part.pieces.size() == 7);
  CHECK(part.pieces[0].name == "disc");
  CHECK(part.pieces[0].shape.a_mm == R);
  CHECK(part.pieces[0].shape.is_disc());
  const double t[] = {4.103727, 4.253125, 4.402522, 5.022255, 5.171653, 5.321051};
  for (std::size_t i = 1; i <= 6; ++i) {
    const Piece& tooth = part.pieces[i];
    CHECK(tooth.name == "tooth_" + std::to_string(i));
    CHECK(tooth.pose.angle_rad == t[i - 1]);
    CHECK((tooth.pose.position_mm - R * Vec2(std::cos(t[i - 1]), std::sin(t[i - 1]))).norm() <
          1e-14);
    CHECK(tooth.shape.a_mm == 2.3);
    CHECK(tooth.shape.b_mm == 1.1);
    CHECK(tooth.shape.exponent == 4.0);
  }
  REQUIRE(config.success.size() == 1);
  CHECK(features_of(config.success[0].left) == std::vector<int>{1});
  CHECK(features_of(config.success[0].right) == std::vector<int>{6});
}

TEST_CASE("every example configuration is read and survives writing") {
  int examples = 0;
  for (const auto& entry : std::filesystem::directory_iterator(config_file(""))) {
    if (entry.path().extension() != ".toml") continue;
    INFO(entry.path());
    const SweepConfig config = read_sweep_config(entry.path(), {});
    CHECK(config.name == entry.path().stem());
    check_equal(read_text(to_toml(config)), config);
    ++examples;
  }
  CHECK(examples >= 11);
}
