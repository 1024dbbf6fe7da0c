#include "lab/certified/certified_problem.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "tests/support/config_error.hpp"
#include "tests/support/source_dir.hpp"

namespace graspmap::testing {
namespace {

using Catch::Contains;

const std::filesystem::path kProblems =
    std::filesystem::path(testing::source_dir()) / "configs/certified";
const std::filesystem::path kWedge = kProblems / "wedge_squeezed_out.toml";

/// What a reader says of a problem; "(no error)" when nothing is wrong.
std::string error_of(const std::vector<std::string>& overrides) {
  return config_error([&] { read_certified_problem(kWedge, overrides); });
}

TEST_CASE("all certified problems reach the digits that their files promise") {
  int problems = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kProblems)) {
    if (entry.path().extension() != ".toml") continue;
    ++problems;
    const CertifiedProblem problem = read_certified_problem(entry.path(), {});
    CAPTURE(problem.name);
    CHECK(problem.scenario.order == 2);
    CHECK(problem.least_digits >= 1);
    const CertifiedScore reached = score(problem);
    CAPTURE(reached.worst);
    CHECK(reached.digits >= problem.least_digits);
  }
  CHECK(problems == 30);
}

TEST_CASE("steps come nearer to a certified end as their order and size say") {
  for (const char* name : {"wedge_squeezed_out", "spin_general", "push_by_nose_rolling"}) {
    CAPTURE(name);
    const auto digits = [&](const std::vector<std::string>& overrides) {
      return score(read_certified_problem(kProblems / (std::string(name) + ".toml"), overrides))
          .digits;
    };
    const double coarse = digits({"simulation.order=1", "simulation.step_s=0.0004"});
    const double fine = digits({"simulation.order=1", "simulation.step_s=0.00004"});
    CHECK(fine - coarse == Approx(1.0).margin(0.2));
    CHECK(digits({"simulation.tolerance_mm=1e-6"}) > fine);
  }
}

TEST_CASE("a wrong certified value is found") {
  const CertifiedProblem right = read_certified_problem(kProblems / "disc_in_v.toml", {});
  const CertifiedProblem wrong = read_certified_problem(kProblems / "disc_in_v.toml",
                                                        {"certified.opening_mm.value=16.5214835"});
  CHECK(score(right).digits > 9.0);
  CHECK(score(wrong).digits == Approx(7.2).margin(0.1));
  CHECK(score(wrong).worst == "opening_mm");
}

TEST_CASE("digits are those of the relative error, within what is certified") {
  const CertifiedValue value{"x_mm", -20.0, 10, 0.0};
  CHECK(digits_reached(value, -20.0) == 10.0);
  CHECK(digits_reached(value, -20.0 - 2e-14) == 10.0);
  CHECK(digits_reached(value, -20.02) == Approx(3.0));
  CHECK(digits_reached(value, 20.0) == 0.0);
  CHECK(digits_reached(value, std::numeric_limits<double>::quiet_NaN()) == 0.0);
  CHECK(digits_reached({"x_mm", 0.0, 15, 10.0}, -1e-5) == Approx(6.0));
}

TEST_CASE("a trial that does not end as told has no digits") {
  const CertifiedProblem closed =
      read_certified_problem(kProblems / "free_jaws.toml", {"program.0.time_s=3"});
  const CertifiedScore reached = score(closed);
  CHECK(reached.digits == 0.0);
  CHECK(reached.worst == "closed");
  CHECK(reached.end.empty());
}

TEST_CASE("what is wrong in a problem is told with its key") {
  CHECK(error_of({}) == "(no error)");
  CHECK_THAT(
      error_of({"level=hard"}),
      Contains("level: is the text \"hard\"; must be \"lower\" or \"average\" or \"higher\""));
  CHECK_THAT(error_of({"why=\"\""}), Contains("why: is empty; must say how"));
  CHECK_THAT(error_of({"start.y_mm="}), Contains("start.y_mm: missing"));
  CHECK_THAT(error_of({"start.z_mm=1"}), Contains("start.z_mm: unknown key"));
  CHECK_THAT(error_of({"certified.speed_mm_s={ value = 1, digits = 3 }"}),
             Contains("certified.speed_mm_s: unknown key"));
  CHECK_THAT(error_of({"certified.y_mm.digits=16"}),
             Contains("certified.y_mm.digits: is 16; must be an integer from 1 to 15"));
  CHECK_THAT(error_of({"certified.y_mm.value=0"}), Contains("certified.y_mm.scale: missing"));
  CHECK_THAT(error_of({"certified={ least_digits = 1 }"}),
             Contains("has no value; must have one at least of x_mm, y_mm, theta_rad, opening_mm"));
  CHECK_THAT(error_of({"sweep={ trials_per_cell = 1, seed = 1 }"}),
             Contains("sweep: is of a sweep; must be left out of a problem"));
  CHECK_THAT(error_of({"friction.jaw={ distribution = \"uniform\", min = 0, max = 1 }"}),
             Contains("friction.jaw: is a distribution; must be a number"));
  CHECK_THAT(error_of({"gripper.opening_mm=20"}), Contains("gripper.opening_mm: is 20"));
  CHECK_THAT(error_of({"part.mass=1"}), Contains("part.mass"));
}

TEST_CASE("an error in a problem's file has its line") {
  CHECK_THAT(
      config_error_of_file(
          "mine.toml", "level = \"lower\"\nwhy = \"known\"\n\n[start]\nx_mm = 0\ny_mm = \"up\"\n",
          [](const auto& file) { read_certified_problem(file, {}); }),
      Catch::StartsWith("mine.toml:6: start.y_mm: "));
}

}  // namespace
}  // namespace graspmap::testing
