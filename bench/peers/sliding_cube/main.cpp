// A cube that slides on a plane, in graspmap, Bullet and ODE: example VI-A of
// Xie and Chakraborty 2020. scripts/sliding_cube installs what is needed, builds this and runs it.

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "bench/peers/sliding_cube/cube_report.hpp"
#include "grasp/app/commands/analysis.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/app/program/program.hpp"

namespace graspmap::bench {
namespace {
namespace fs = std::filesystem;
namespace po = boost::program_options;

constexpr int kDefaultRepetitions = 5;
constexpr double kLargeStep_s = 0.01;
constexpr double kSmallStep_s = 0.001;

CommandSyntax syntax() {
  CommandSyntax syntax{
      "sliding_cube",
      "",
      "[CASE...]",
      "A cube of 0.5 m and 3 kg slides for 4 s on a plane (mu = 0.22, g = 9.8 m/s^2), from\n"
      "(1, 2) m/s: in graspmap, Bullet and ODE, with steps of 10 and 1 ms, against the motion in\n"
      "closed form. After the example of Xie and Chakraborty with which they found large errors\n"
      "in ODE and growing ones in Bullet. The cases, all by default:\n"
      "  D1a  no force: it stops after 1.037 s, on a straight line\n"
      "  D1b  a force of (9, 0) N bends its path\n"
      "  D1c  a force of (4, 2) N bends its path until it stops\n"
      "  D1d  as D1b, with half the friction along y: an ellipse (Bullet has a scaled direction,\n"
      "       ODE limits of their own along x and y)\n"
      "The columns: where it ends; the error of that in per cent of the path's length, and of the\n"
      "direction from start to end; the largest error of the slip's direction while nothing is\n"
      "slower than 0.1 m/s; the largest turning; the largest penetration of a corner; processor\n"
      "time of a step, graspmap's implicit stepper 1. \"-\": the engine cannot express the case.\n",
      "  scripts/sliding_cube               # installs, builds and runs this\n"
      "  scripts/sliding_cube D1a           # a direction of sliding that cannot change\n"
      "  scripts/sliding_cube D1a D1b --repetitions 15 --out /tmp/cube\n",
      {},
      ""};
  auto add = syntax.options.add_options();
  add("repetitions", po::value<std::string>()->value_name("N"),
      "how often each run is timed, in turns; the median counts (default: 5)");
  add("out", po::value<std::string>()->value_name("DIR"),
      "where the results go: tables as CSV and Markdown, figures of paths and errors (default: "
      "outputs/sliding_cube)");
  add("no-plots", "draw no figures");
  return syntax;
}

std::vector<CubeCase> read_cases(const Arguments& arguments) {
  std::vector<CubeCase> chosen;
  const std::vector<CubeCase> all = cube_cases();
  if (arguments.operands().empty()) return all;
  for (const std::string& id : arguments.operands()) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const CubeCase& cube) { return cube.id == id; });
    if (found == all.end()) {
      arguments.fail("there is no case " + id + " (known: D1a, D1b, D1c, D1d)");
    }
    chosen.push_back(*found);
  }
  return chosen;
}

std::vector<CubeContestant> contestants() {
  std::vector<CubeContestant> all = graspmap_cubes();
  [[maybe_unused]] const auto append = [&](const std::vector<CubeContestant>& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
#ifdef GRASPMAP_BULLET
  append(bullet_cubes());
#endif
#ifdef GRASPMAP_ODE
  append(ode_cubes());
#endif
#ifdef GRASPMAP_MISSING_ENGINE
  std::cerr << "Built without " << GRASPMAP_MISSING_ENGINE << ".\n";
#endif
  return all;
}

int run(const std::vector<std::string>& args) {
  const Arguments arguments(syntax(), args);
  if (arguments.help_printed()) return 0;
  const int repetitions = arguments.count("repetitions", kDefaultRepetitions, 1, 1000);
  const std::vector<CubeContestant> all = contestants();
  std::vector<CubeComparison> comparisons;
  for (const CubeCase& cube : read_cases(arguments)) {
    for (const double step_s : {kLargeStep_s, kSmallStep_s}) {
      comparisons.push_back(compare_cubes(cube, step_s, all, repetitions));
    }
  }
  std::cout << cube_text(comparisons);
  const fs::path folder =
      arguments.has("out") ? fs::path(arguments.text("out")) : fs::path("outputs") / "sliding_cube";
  save_analysis(folder,
                {{"sliding_cube.csv", cube_csv(comparisons)},
                 {"sliding_cube.md", cube_markdown(comparisons)}},
                cube_figures(comparisons), !arguments.has("no-plots"));
  return 0;
}

}  // namespace
}  // namespace graspmap::bench

int main(int argc, char** argv) {
  return graspmap::guarded_main({argv + 1, argv + argc}, graspmap::bench::run);
}
