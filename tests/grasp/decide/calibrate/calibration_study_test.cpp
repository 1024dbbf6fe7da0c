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
const char* study_kind() {
  const char* text = std::getenv("GRASPMAP_STUDY_KIND");
  return text == nullptr ? "" : text;
}

struct StudyTruth {
  Distribution jaw;
  LawFamily family = LawFamily::kUniform;
};

/// The truth number i of a kind.
StudyTruth study_truth(const std::string& kind, std::uint64_t i) {
  const double u = uniform_open(501, i, 0);
  const double v = uniform_open(501, i, 1);
  if (kind == "wide") {
    const double width = 0.2 + 0.2 * v;
    const double mean = width / 2 + (0.7 - width) * u;
    return {uniform_between(mean - width / 2, mean + width / 2)};
  }
  if (kind == "narrow") {
    const double width = 0.01 + 0.06 * v;
    const double mean = 0.06 + 0.5 * u;
    return {uniform_between(mean - width / 2, mean + width / 2)};
  }
  if (kind == "fixed") return {fixed_at(0.05 + 0.5 * u)};
  if (kind == "border") {
    const double width = 0.03 + 0.3 * v;
    return {u < 0.5 ? uniform_between(0, width) : uniform_between(0.7 - width, 0.7)};
  }
  return {TruncatedNormal{0.08 + 0.4 * u, 0.01 + 0.09 * v, 0.0, 10.0}, LawFamily::kNormal};
}

}  // namespace

TEST_CASE("study: intervals by simulation hold the truth", "[.long]") {
  const std::string only = study_kind();
  for (const std::string kind : {"wide", "narrow", "fixed", "normal", "border"}) {
    if (!only.empty() && only != kind) continue;
    int mean_held = 0, spread_held = 0, misfit = 0, n = 0;
    double width = 0, seconds = 0, trials = 0;
    for (int i = 0; i < study_experiments(); ++i) {
      const StudyTruth truth = study_truth(kind, static_cast<std::uint64_t>(i));
      const auto cells =
          made_up_experiment({.jaw = truth.jaw}, 200, static_cast<std::uint64_t>(1000 + i));
      const Unknowns unknowns(truth.family, made_up_ranges());
      const auto start = std::chrono::steady_clock::now();
      const Calibration c = calibrate_by_simulation(cells, unknowns, {}, made_up_grasps, 0.9);
      seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      trials += static_cast<double>(c.simulated_trials);
      const bool uniform = truth.family == LawFamily::kUniform;
      const double mean = uniform ? truth.jaw.mean() : truth.jaw.as<TruncatedNormal>()->mean;
      const double spread =
          uniform ? truth.jaw.range().high - truth.jaw.range().low : *truth.jaw.sigma();
      const Learned& m = find_learned(c, "friction.jaw.mean");
      const Learned& w = find_learned(c, uniform ? "friction.jaw.width" : "friction.jaw.sigma");
      const bool mh = m.interval.low <= mean && mean <= m.interval.high;
      const bool wh = w.interval.low <= spread && spread <= w.interval.high;
      mean_held += mh;
      spread_held += wh;
      misfit += c.fit.p_value() < 0.05;
      width += m.interval.high - m.interval.low;
      ++n;
      std::printf(
          "  %s %d: mean %.4f in (%.4f %.4f)%s  spread %.4f in (%.4f %.4f)%s p %.2f nu %.0f\n",
          kind.c_str(), i, mean, m.interval.low, m.interval.high, mh ? "" : " MISS", spread,
          w.interval.low, w.interval.high, wh ? "" : " MISS", c.fit.p_value(),
          c.median_effective_trials);
      std::fflush(stdout);
    }
    std::printf(
        "%s: of %d: mean held %.1f %%, spread held %.1f %%, misfit %d, mean width of the mean's "
        "interval "
        "%.4f, %.1f s and %.0f trials each\n",
        kind.c_str(), n, 100. * mean_held / n, 100. * spread_held / n, misfit, width / n,
        seconds / n, trials / n);
  }
}

TEST_CASE("study: nuisances hold the truth", "[.long]") {
  int i = 0;
  for (const Nuisances& n : {Nuisances{.offset = true}, Nuisances{.size = true},
                             Nuisances{.offset = true, .size = true}}) {
    for (int k = 0; k < study_experiments(); ++k, ++i) {
      MadeUpTruth truth{.jaw = uniform_between(0.2, 0.3)};
      if (n.offset) {
        truth.offset_x_mm = -1.5 + 3 * uniform_open(601, static_cast<std::uint64_t>(i), 0);
        truth.offset_y_mm = -1.5 + 3 * uniform_open(601, static_cast<std::uint64_t>(i), 1);
      }
      if (n.size) truth.size = 0.96 + 0.08 * uniform_open(601, static_cast<std::uint64_t>(i), 2);
      const auto cells = made_up_experiment(truth, 300, static_cast<std::uint64_t>(3000 + i));
      const Unknowns unknowns(LawFamily::kUniform, made_up_ranges(), n);
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
      auto some = made_up_experiment({.jaw = fixed_at(mu)}, 50, 100 * seed + s);
      for (CalibrationCell& cell : some) cell.experiment.session = s;
      cells.insert(cells.end(), some.begin(), some.end());
    }
    const Unknowns unknowns(LawFamily::kUniform, made_up_ranges());
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
