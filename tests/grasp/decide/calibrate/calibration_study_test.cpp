#include <catch2/catch.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "made_up_grasp.hpp"

namespace graspmap {
namespace {

int study_experiments() {
  const char* text = std::getenv("GRASPMAP_STUDY_EXPERIMENTS");
  return text == nullptr ? 40 : std::atoi(text);
}
}  // namespace

TEST_CASE("study: nuisances hold the truth", "[.long]") {
  int i = 0;
  for (const Nuisances& n : {Nuisances{.offset = true}, Nuisances{.size = true},
                             Nuisances{.offset = true, .size = true}}) {
    for (int k = 0; k < study_experiments(); ++k, ++i) {
      MadeUpTruth truth{.jaw = Uniform{0.2, 0.3}};
      if (n.offset) {
        truth.offset_x_mm = -1.5 + 3 * uniform_open(601, static_cast<std::uint64_t>(i), 0);
        truth.offset_y_mm = -1.5 + 3 * uniform_open(601, static_cast<std::uint64_t>(i), 1);
      }
      if (n.size) truth.size = 0.96 + 0.08 * uniform_open(601, static_cast<std::uint64_t>(i), 2);
      const auto cells = made_up_experiment(truth, 300, static_cast<std::uint64_t>(3000 + i));
      const Unknowns unknowns(FrictionFamily::kUniform, made_up_ranges(), n);
      const auto start = std::chrono::steady_clock::now();
      const Calibration c = calibrate_by_simulation(cells, unknowns, {}, made_up_grasps, 0.9);
      std::printf("%d: x %.2f y %.2f size %.3f: p %.2f nu %.0f rounds %d %.1f s\n", i,
                  truth.offset_x_mm, truth.offset_y_mm, truth.size, c.fit.p_value(),
                  c.median_effective_trials, c.rounds,
                  std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
      for (const Learned& l : c.learned) {
        if (l.is_parameter)
          std::printf("   %-22s %.4f (%.4f %.4f)\n", l.name.c_str(), l.mean, l.interval.low,
                      l.interval.high);
      }
      std::fflush(stdout);
    }
  }
}

TEST_CASE("study: sessions with constant friction", "[.long]") {
  int aware = 0, blind = 0, aware_width = 0, blind_width = 0;
  const int n = study_experiments();
  for (int i = 0; i < n; ++i) {
    const auto seed = static_cast<std::uint64_t>(5000 + i);
    constexpr std::size_t kSessions = 6;
    std::vector<CalibrationCell> cells;
    for (std::size_t s = 0; s < kSessions; ++s) {
      const double mu = 0.15 + 0.2 * uniform_open(seed, s, 77);
      auto some = made_up_experiment({.jaw = Fixed{mu}}, 50, 100 * seed + s);
      for (CalibrationCell& cell : some) cell.experiment.session = s;
      cells.insert(cells.end(), some.begin(), some.end());
    }
    const Unknowns unknowns(FrictionFamily::kUniform, made_up_ranges());
    const auto start = std::chrono::steady_clock::now();
    AdaptiveSettings sessions;
    sessions.in_sessions = true;
    const Calibration with =
        calibrate_by_simulation(cells, unknowns, {}, made_up_grasps, 0.9, sessions);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const Calibration without = calibrate_by_simulation(cells, unknowns, {}, made_up_grasps, 0.9);
    const auto held = [](const Calibration& c, const char* name, double x) {
      const Interval& interval = find_learned(c, name).interval;
      return interval.low <= x && x <= interval.high;
    };
    aware += held(with, "friction.jaw.mean", 0.25);
    blind += held(without, "friction.jaw.mean", 0.25);
    aware_width += held(with, "friction.jaw.width", 0.2);
    blind_width += held(without, "friction.jaw.width", 0.2);
    const auto show = [](const Calibration& c) {
      const Learned& m = find_learned(c, "friction.jaw.mean");
      const Learned& w = find_learned(c, "friction.jaw.width");
      std::printf("  mean (%.4f %.4f) width (%.4f %.4f) p %.2f", m.interval.low, m.interval.high,
                  w.interval.low, w.interval.high, c.fit.p_value());
    };
    std::printf("%d: %.1f s", i, seconds);
    show(with);
    show(without);
    std::printf("\n");
    std::fflush(stdout);
  }
  std::printf(
      "sessions, of %d: mean held %d, width held %d; sessions unknown: mean held %d, width "
      "held %d\n",
      n, aware, aware_width, blind, blind_width);
}

}  // namespace graspmap
