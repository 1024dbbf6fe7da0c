#include <catch2/catch.hpp>
#include <fstream>

#include "tests/cli/program.hpp"

using namespace graspmap::testing;

namespace {

void write_pushes(const Program& program) {
  std::ofstream file(program.path("pushes.csv"));
  file << "# origin = simulated\nfx_n,fy_n,moment_n_mm,vx_mm_s,vy_mm_s,omega_rad_s\n";
  for (int k = 0; k < 24; ++k) {  // along an ellipsoid with e_r = 10 mm
    const double fx = (k % 5 - 2) * 0.4 + 0.1;
    const double fy = (k % 3 - 1) * 0.5;
    const double m = (k % 4 - 1.5) * 4.0;
    file << fx << ',' << fy << ',' << m << ',' << 5.0 * fx << ',' << 5.0 * fy << ',' << 0.05 * m
         << '\n';
  }
}

}  // namespace

TEST_CASE("fit-support prints a block and leaves its files") {
  Program program;
  write_pushes(program);
  const ProgramResult result = program.run(
      {"fit-support", "pushes.csv", "--folds", "2", "--resamples", "5", "--no-plots", "--quiet"});
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK_THAT(result.out, Catch::Contains("[support]\nmodel = "));
  CHECK(program.names("outputs/pushes_support") ==
        std::vector<std::string>{"support.toml", "support_fit.csv", "support_fit.json"});
}

TEST_CASE("fit-support refuses in one line, and writes nothing") {
  Program program;
  write_pushes(program);
  const auto refused = [&](std::vector<std::string> args, const std::string& says) {
    args.insert(args.begin(), "fit-support");
    const ProgramResult result = program.run(args);
    INFO(result.err);
    CHECK(result.exit_code == 2);
    CHECK(count_lines(result.err) == 1);
    CHECK_THAT(result.err, Catch::Contains(says));
    CHECK(program.names() == std::vector<std::string>{"pushes.csv"});
  };
  refused({"nothing.csv"}, "nothing.csv");
  refused({"pushes.csv", "--points", "1,2;3"}, "must be points X,Y in mm");
  refused({"pushes.csv", "--points", "1,2;3,4"}, "has 2 points; must be 3 to 16");
  refused({"pushes.csv", "--points", "1,2;3,4;5,9"}, "outside of their convex hull");
  refused({"pushes.csv", "--center", "1,2;3,4"}, "--center: '1,2;3,4'; must be one point");
  refused({"pushes.csv", "--weight-n", "0"}, "--weight-n: '0'; must be a number > 0");
}
