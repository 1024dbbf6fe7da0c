/// What it costs to draw an arc as chords: wrong grasps.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <numbers>
#include <vector>

#include "grasp/sweep/trials/trial.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/outline_shapes.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

/// The lock piece with its disc drawn as n chords, or as a circle for n = 0. Corners lie on the
/// circle, the first one at no special angle.
SweepConfig with_chords(SweepConfig config, int n) {
  Part& part = config.scenario.part;
  const double radius = part.pieces.front().shape.a_mm;
  part.pieces.erase(part.pieces.begin());
  std::vector<Vec2> corners;
  for (int k = 0; k < n; ++k) {
    const double angle = 0.3 + 2.0 * std::numbers::pi * k / n;
    corners.push_back(radius * Vec2(std::cos(angle), std::sin(angle)));
  }
  const OutlineLoop loop = n > 0 ? polygon_loop(corners) : circle_loop({0, 0}, radius);
  part.outlines.push_back({"disc", {loop, {}}, {}});
  for (SuccessAlternative& rule : config.success) {
    for (auto* targets : {&rule.left, &rule.right}) {
      for (TouchTarget& target : *targets) {
        for (int& feature : target.features) --feature;
      }
    }
  }
  return config;
}

struct Run {
  std::vector<TrialRow> rows;
  double us_a_trial = 0.0;
};

Run run_some(const SweepConfig& config, std::int64_t stride) {
  Run run;
  Workspace workspace;
  SimulationResult result;
  const std::clock_t begin = std::clock();
  for (std::int64_t i = 0; i < config.trials(); i += stride) {
    run.rows.push_back(run_trial(config, i, workspace, result));
  }
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  run.us_a_trial = 1e6 * seconds / static_cast<double>(run.rows.size());
  return run;
}

struct Comparison {
  double wrong = 0.0;  ///< share of other outcomes
  double median_mm = 0.0;
  double ninth_decile_mm = 0.0;  ///< of the final positions of the others
};

Comparison compare(const Run& exact, const Run& other) {
  Comparison comparison;
  std::vector<double> mm;
  for (std::size_t k = 0; k < exact.rows.size(); ++k) {
    if (exact.rows[k].outcome == other.rows[k].outcome) {
      mm.push_back(
          (exact.rows[k].final_pose.position_mm - other.rows[k].final_pose.position_mm).norm());
    } else {
      comparison.wrong += 1.0 / static_cast<double>(exact.rows.size());
    }
  }
  std::sort(mm.begin(), mm.end());
  comparison.median_mm = mm[mm.size() / 2];
  comparison.ninth_decile_mm = mm[mm.size() * 9 / 10];
  return comparison;
}

}  // namespace

TEST_CASE("fewer grasps are wrong with more chords in place of an arc") {
  const SweepConfig config = read_sweep_config(lock_piece_file(), {});
  const Run exact = run_some(with_chords(config, 0), 211);
  const Comparison coarse = compare(exact, run_some(with_chords(config, 16), 211));
  const Comparison fine = compare(exact, run_some(with_chords(config, 128), 211));
  CHECK(coarse.wrong > 0.02);
  CHECK(fine.wrong < coarse.wrong);
  CHECK(fine.median_mm < coarse.median_mm);
}

// docs/explanation/validation.md has rows of the table that this prints.
TEST_CASE("wrong grasps with chords in place of an arc", "[.long]") {
  constexpr std::int64_t kStride = 11;
  const SweepConfig config = read_sweep_config(lock_piece_file(), {});
  const Run exact = run_some(with_chords(config, 0), kStride);
  std::printf("| chords | sagitta/mm | wrong | median/mm | 90 %% below/mm | time a trial |\n");
  for (const int n : {8, 16, 32, 64, 128, 256}) {
    const Run run = run_some(with_chords(config, n), kStride);
    const Comparison c = compare(exact, run);
    std::printf("| %d | %.4f | %.2f %% | %.2g | %.2g | %.1f |\n", n,
                20.75 * (1.0 - std::cos(std::numbers::pi / n)), 100.0 * c.wrong, c.median_mm,
                c.ninth_decile_mm, run.us_a_trial / exact.us_a_trial);
    std::fflush(stdout);
  }
  std::printf("%zu trials, circle: %.0f us a trial\n", exact.rows.size(), exact.us_a_trial);
}
