#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <string>

#include "grasp/base/probability/random.hpp"
#include "grasp/decide/calibrate/adaptive_simulation.hpp"
#include "grasp/decide/calibrate/friction_calibration.hpp"
#include "grasp/decide/sequence/sequence_plan.hpp"
#include "grasp/decide/statistics/uniformity.hpp"
#include "grasp/decide/support_fit/support_fit.hpp"
#include "grasp/sweep/adaptive/cell_beliefs.hpp"
#include "tests/support/noisy_pushes.hpp"
#include "tests/support/ranks.hpp"
#include "tests/support/soft_disc.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/squeezed_parts.hpp"

/// Simulation-based calibration of what graspmap infers: truths are drawn from a prior, and ranked
/// among what is inferred from simulated data. Hidden: `scripts/rank_study` runs it and draws the
/// figure of docs/explanation/statistics.md.

using namespace graspmap;
using namespace graspmap::testing;

namespace {

constexpr std::uint64_t kRankSeed = 20'261'127;

int truths(int usual) {
  const char* text = std::getenv("GRASPMAP_STUDY_TRUTHS");
  return text == nullptr ? usual : std::atoi(text);
}

/// The ranks of each quantity, written to the file GRASPMAP_RANKS if it is named.
class Ranks {
 public:
  /// May be called by several threads.
  void add(const std::string& quantity, double rank) {
    const std::lock_guard lock(mutex_);
    ranks_[quantity].push_back(rank);
  }
  /// Writes and tells them.
  void finish() const {
    std::string table;
    for (const auto& [quantity, ranks] : ranks_) {
      const auto inside = std::count_if(ranks.begin(), ranks.end(),
                                        [](double r) { return 0.05 <= r && r <= 0.95; });
      const double share = static_cast<double>(inside) / static_cast<double>(ranks.size());
      table += fmt::format("{}: {} truths, distance {:.2f}, 90 % intervals hold {:.1f} %\n",
                           quantity, ranks.size(), distance_from_uniform(ranks), 100 * share);
      if (const char* file = std::getenv("GRASPMAP_RANKS")) {
        std::ofstream out(file, std::ios::app);
        for (const double rank : ranks) out << fmt::format("{},{:.5f}\n", quantity, rank);
      }
    }
    WARN(table);
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::vector<double>> ranks_;
};

std::vector<double> drawn_point(int dimension, std::uint64_t truth) {
  std::vector<double> point;
  for (int k = 0; k < dimension; ++k) {
    point.push_back(uniform_open(kRankSeed, truth, static_cast<std::uint32_t>(k)));
  }
  return point;
}

double uniform_between(double low, double high, std::uint64_t truth, std::uint32_t draw) {
  return low + (high - low) * uniform_open(kRankSeed, truth, draw);
}

SweepConfig lock_piece() {
  return read_sweep_config(testing::source_dir() + "/configs/lock_piece.toml", {});
}

/// As `--jaw-range 0,0.6` and the run's own range of support friction.
std::array<FrictionRange, 2> sought_ranges() {
  return {FrictionRange{"friction.jaw", 0, 0.6, false},
          FrictionRange{"friction.support", 0.1, 0.5, false}};
}

/// Single trials of a laboratory with these distributions, at random places of the map.
std::vector<CalibrationCell> laboratory(const SweepConfig& config,
                                        const std::array<Distribution, 2>& distributions,
                                        int trials, const TrialSimulator& simulate,
                                        std::uint64_t seed) {
  std::vector<CalibrationTrial> made;
  const auto between = [&](const Axis& axis, std::uint64_t k, std::uint32_t draw) {
    return axis.min + (axis.max - axis.min) * uniform_open(seed, k, draw);
  };
  for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(trials); ++k) {
    CalibrationTrial trial;
    trial.x_mm = between(config.placement.x_mm, k, 0);
    trial.y_mm = between(config.placement.y_mm, k, 1);
    trial.mu_jaw = distributions[0].quantile(uniform_open(seed, k, 2));
    trial.mu_support = distributions[1].quantile(uniform_open(seed, k, 3));
    made.push_back(trial);
  }
  const std::vector<Outcome> outcomes = simulate(made);
  std::vector<CalibrationCell> cells;
  for (std::size_t k = 0; k < made.size(); ++k) {
    const auto [x, y] = std::pair(made[k].x_mm, made[k].y_mm);
    if (outcomes[k] == Outcome::kFailed) continue;
    CalibrationCell cell;
    cell.experiment = {{x, x, y, y}, 1, outcomes[k] == Outcome::kSuccess ? 1 : 0};
    cells.push_back(cell);
  }
  return cells;
}

}  // namespace

TEST_CASE("ranks: calibrate --simulate", "[.long][rank_study]") {
  const SweepConfig config = lock_piece();
  const TrialSimulator simulate = simulator_of(config, 1, {});
  const Unknowns unknowns(FrictionFamily::kUniform, sought_ranges());
  Ranks ranks;
  const auto count = static_cast<std::size_t>(truths(200));
  on_all_threads(0)(count, [&](std::size_t k) {
    const std::vector<double> truth = drawn_point(unknowns.dimension(), k);
    const auto cells = laboratory(
        config,
        {unknowns.friction_distribution(truth, 0), unknowns.friction_distribution(truth, 1)}, 200,
        simulate, kRankSeed + 1 + k);
    const Calibration found = calibrate_by_simulation(cells, unknowns, {}, simulate, 0.9);
    const std::vector<double> values = unknowns.values(truth);
    for (std::size_t j = 0; j < values.size(); ++j) {
      const Learned& learned = found.learned[j];
      if (!learned.is_parameter) continue;
      ranks.add("calibrate: " + learned.name,
                rank_among(learned.draws, values[j], uniform_between(0, 1, k, 100)));
    }
  });
  ranks.finish();
}

TEST_CASE("coverage: calibrate --simulate", "[.long][coverage_study]") {
  // The run's own distribution of support friction, and distributions of jaw friction that differ
  // from the prior's.
  const SweepConfig config = lock_piece();
  const TrialSimulator simulate = simulator_of(config, 1, {});
  const std::vector<std::pair<std::string, Distribution>> kinds = {
      {"0.05 to 0.09", Uniform{0.05, 0.09}},
      {"normal, 0.25 and 0.03", Normal{0.25, 0.03}},
      {"0.05 to 0.35", Uniform{0.05, 0.35}},
      {"0.18 to 0.22", Uniform{0.18, 0.22}},
      {"0.2", Fixed{0.2}}};
  const Unknowns unknowns(FrictionFamily::kUniform, sought_ranges());
  std::string table;
  const auto count = static_cast<std::size_t>(truths(40));
  for (const auto& kind : kinds) {
    const Distribution& jaw = kind.second;
    std::mutex mutex;
    std::array<int, 3> held{};  // mean, too low, too high
    double width = 0;
    int misfits = 0;
    on_all_threads(0)(count, [&](std::size_t k) {
      const auto cells = laboratory(config, {jaw, config.mu_support}, 300, simulate, 1000 + k);
      const Calibration found = calibrate_by_simulation(cells, unknowns, {}, simulate, 0.9);
      const Interval mean = find_learned(found, "friction.jaw.mean").interval;
      const std::lock_guard lock(mutex);
      ++held[jaw.mean() < mean.low ? 2 : jaw.mean() > mean.high ? 1 : 0];
      width += (mean.high - mean.low) / static_cast<double>(count);
      misfits += found.fit.p_value() < 0.05 ? 1 : 0;
    });
    table +=
        fmt::format("{}: mean held {} of {}, too low {}, too high {}, width {:.4f}, misfit {}\n",
                    kind.first, held[0], count, held[1], held[2], width, misfits);
  }
  WARN(table);
}

TEST_CASE("ranks: fit-support", "[.long][rank_study]") {
  Ranks ranks;
  const auto count = static_cast<std::size_t>(truths(60));
  on_all_threads(0)(count, [&](std::size_t k) {
    // Loads of three points, all as likely; the force of friction between 1 and 4 N.
    const double a = uniform_between(0, 1, k, 0);
    const double b = uniform_between(0, 1, k, 1);
    const double force_n = uniform_between(1, 4, k, 2);
    const double first = std::min(a, b);
    const double second = std::max(a, b) - first;
    const PointsSliding truth = on_three_points(force_n, first, second);
    for (const double twist_mm_s : {0.0, 0.6}) {
      Random random(kRankSeed + k);
      const auto rows = noisy_pushes(truth, 100, 0.05 * force_n, twist_mm_s, random);
      const SupportFit fit = fit_support(file_of(rows), three_points_options());
      const FittedSliding& model = fitted(fit, SlidingKind::kPoints);
      const double u = uniform_between(0, 1, k, 3);
      const std::string noise = twist_mm_s > 0 ? " from noisy twists" : "";
      ranks.add("fit-support: force" + noise, rank_among(model.force_draws, force_n, u));
      ranks.add("fit-support: load share" + noise, rank_among(model.parameters[0].draws, first, u));
    }
  });
  ranks.finish();
}

TEST_CASE("ranks: sequence", "[.long][rank_study]") {
  Ranks ranks;
  const auto count = static_cast<std::size_t>(truths(400));
  on_all_threads(0)(count, [&](std::size_t k) {
    // Without friction a squeeze turns a rectangle onto its long sides from all angles that are
    // nearer to them than to the short ones, as seen from the diagonal (Goldberg 1993).
    const double ratio = uniform_between(0.2, 0.9, k, 0);
    const double truth = 1 - std::atan(ratio) / (kHalfTurn_rad / 2);
    const SweepConfig config =
        parse_sweep_config(squeezed_plate(rectangle_polygon(30 * ratio, 30)), "plate.toml");
    SequenceQuestion question;
    question.start.angles_rad = {0.0, 2.0 * kHalfTurn_rad};
    question.same = {kHalfTurn_rad, true, kHalfTurn_rad / 90, 1.0};
    question.most_squeezes = 1;
    question.probability = 0.75;
    question.trials = 200;
    question.seed = 1 + k;
    question.threads = 1;
    const SequencePlan plan = plan_sequence(config, question);
    ranks.add("sequence: probability", rank_by_intervals(truth, [&](double confidence) {
                return plan.counts.interval(two_sided_z(confidence));
              }));
  });
  ranks.finish();
}

TEST_CASE("ranks: adaptive", "[.long][rank_study]") {
  Ranks ranks;
  for (int k = 0; k < truths(400); ++k) {
    const auto seed = static_cast<std::uint64_t>(k);
    const SoftDisc disc = drawn_disc(seed, uniform_between(1, 6, seed, 0));
    const SuccessMap map = drawn_map(disc, seed, 20, 60);
    ranks.add("adaptive: plateau", rank_by_intervals(disc.cells(0.9), [&](double confidence) {
                return plateau_cells_interval(map, 0.9, confidence);
              }));
  }
  ranks.finish();
}
