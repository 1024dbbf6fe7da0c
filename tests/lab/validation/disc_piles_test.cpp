#include "lab/validation/disc_piles.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <iostream>

using namespace graspmap;

namespace {

SceneFile shaken_box(const std::vector<std::string>& overrides) {
  return validation_scene({GRASPMAP_SOURCE_DIR "/configs/scenes", ""}, "brazil_nut", overrides);
}

/// How the box is shaken, and which contacts count.
struct Shaking {
  double amplitude_m;
  double duration_s;
  double period_s;
  double margin_m;
};

std::vector<std::string> overrides_of(const Shaking& shaking, int seed) {
  std::vector<std::string> overrides{
      fmt::format("solver.active_gap_mm={}", 1e3 * shaking.margin_m)};
  for (const int body : {0, 1, 2}) {  // the floor and the walls
    overrides.push_back(
        fmt::format("body.{}.shake.amplitude_mm={}", body, 1e3 * shaking.amplitude_m));
    overrides.push_back(fmt::format("body.{}.shake.duration_s={}", body, shaking.duration_s));
    overrides.push_back(fmt::format("body.{}.shake.period_s={}", body, shaking.period_s));
  }
  for (const int body : {4, 5, 6}) {  // the small discs
    overrides.push_back(fmt::format("body.{}.grid.seed={}", body, 10 * seed + body));
  }
  return overrides;
}

}  // namespace

TEST_CASE("the large disc's rank, overlap and computing time are those of the run") {
  const NutRun seen = run_brazil_nut(shaken_box({"time.duration_s=1"}));
  REQUIRE_FALSE(seen.run.failure);
  CHECK(seen.rank.y.size() == 11);
  CHECK(seen.contacts.y.size() == 10);
  CHECK(seen.computing.y.size() == 10);
  CHECK(seen.best_rank < 0.3);  // it starts at the bottom
  CHECK(seen.worst_overlap_m < 1e-9);
  CHECK(seen.energy_ratio > 1.0);
  CHECK(seen.step_s > 0.0);
}

TEST_CASE("the large disc is on top from when it never sinks again") {
  NutRun seen;
  for (const double rank : {0.1, 0.9, 0.5, 0.8, 0.95}) {
    seen.rank.add(static_cast<double>(seen.rank.x.size()), rank);
  }
  CHECK(seen.on_top_from_s(0.8) == 3.0);
  CHECK(seen.on_top_from_s(0.96) == 4.0);
}

// Prints what docs/lab/validation.md says of other settings in E3:
// build/release/tests/lab_tests "settings of the Brazil nut"
TEST_CASE("settings of the Brazil nut", "[.long]") {
  std::cout << "| shaking | margin/m | seed | share below at the end | on top from/s | largest "
               "overlap/m |"
               " energy | s a step |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (const Shaking& shaking :
       {Shaking{3.0, 1.0, 2.5, 2.0}, Shaking{3.0, 1.0, 2.5, 1.5}, Shaking{2.0, 1.0, 2.5, 1.5},
        Shaking{2.0, 1.0, 2.0, 1.5}, Shaking{4.0, 1.0, 2.5, 1.5}, Shaking{3.0, 2.0, 3.5, 1.5},
        Shaking{3.0, 1.0, 2.5, 0.3}, Shaking{2.0, 1.0, 2.0, 0.3}}) {
    for (const int seed : {1, 2, 3}) {
      const NutRun seen = run_brazil_nut(shaken_box(overrides_of(shaking, seed)));
      std::cout << fmt::format(
                       "| {:g} m in {:g} s of {:g} s | {:g} | {} | {:.2f}{} | {} | {:.2g} | {:.2f} "
                       "| {:.2g} |\n",
                       shaking.amplitude_m, shaking.duration_s, shaking.period_s, shaking.margin_m,
                       seed, seen.end_rank(), seen.run.failure ? " (a step not solved)" : "",
                       seen.end_rank() < 0.8 ? "-" : fmt::format("{:.1f}", seen.on_top_from_s(0.8)),
                       seen.worst_overlap_m, seen.energy_ratio, seen.step_s)
                << std::flush;
      CHECK_FALSE(seen.run.failure);
    }
  }
}
