// Where a sliding cube ends by graspmap, Bullet and ODE, beside the exact motion: the comparison of
// 003_28565e2db775357c.txt section VI-A.

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "bench/peers/sliding_cube/cube_scene.hpp"

namespace graspmap::bench {
namespace {

struct Contestant {
  std::string name;
  std::function<CubeEnd(const CubeScene&, double)> run;
};

std::vector<Contestant> contestants() {
  return {{"graspmap implicit", graspmap_cube},
          {"Bullet", bullet_cube},
          {"ODE dWorldStep",
           [](const CubeScene& s, double h) { return ode_cube(s, h, OdeSolver::kExact); }},
          {"ODE dWorldQuickStep",
           [](const CubeScene& s, double h) { return ode_cube(s, h, OdeSolver::kQuick); }}};
}

double percent(double value, double exact) {
  return 100.0 * std::abs(value - exact) / std::abs(exact);
}

double direction_deg(const Eigen::Vector3d& p) { return std::atan2(p.y(), p.x()) * 180.0 / M_PI; }

void print_row(const std::string& name, const std::string& step, const CubeEnd& end,
               const CubeEnd& exact) {
  const Eigen::Vector3d& p = end.position_m;
  const double along = percent(p.head<2>().norm(), exact.position_m.head<2>().norm());
  fmt::print("{:<20} {:>6} {:>11.6f} {:>11.6f} {:>8.3f} {:>8.3f} {:>8.3f} {:>9.3f} {:>9.1e}{}\n",
             name, step, p.x(), p.y(), percent(p.x(), exact.position_m.x()),
             percent(p.y(), exact.position_m.y()), along,
             direction_deg(p) - direction_deg(exact.position_m), end.turned_deg,
             end.is_solved ? "" : "  (a step failed)");
}

void compare(const std::string& title, const CubeScene& scene) {
  const CubeEnd exact = exact_cube(scene);
  fmt::print("\n{}\n", title);
  fmt::print("{:<20} {:>6} {:>11} {:>11} {:>8} {:>8} {:>8} {:>9} {:>9}\n", "", "h, s", "x, m",
             "y, m", "x, %", "y, %", "way, %", "path, deg", "cube, deg");
  print_row("exact", "", exact, exact);
  for (const Contestant& contestant : contestants()) {
    for (const double step_s : {0.01, 0.005, 0.0025, 0.001}) {
      print_row(contestant.name, fmt::format("{:g}", step_s), contestant.run(scene, step_s), exact);
    }
  }
}

void run() {
  fmt::print(
      "A cube slides on a plane: 0.5 m, 3 kg, mu = 0.22, g = 9.8 m/s^2, from (1, 2) m/s, 4 s.\n"
      "Errors of end positions in per cent, of the distance (way), of its direction (path), and\n"
      "how far the cube has turned. Bullet and ODE with four contact points, ODE with\n"
      "dContactApprox1.\n");
  CubeScene scene;
  compare("No force", scene);
  scene.force_n = {9.0, 0.0};
  compare("Force (9, 0) N", scene);
  scene.force_n = {4.0, 2.0};
  compare("Force (4, 2) N", scene);
}

}  // namespace
}  // namespace graspmap::bench

int main() {
  graspmap::bench::run();
  return 0;
}
