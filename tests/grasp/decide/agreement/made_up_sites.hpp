#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "grasp/base/probability/random.hpp"
#include "grasp/decide/agreement/agreement.hpp"

namespace graspmap::testing {

/// A made-up model: success ends at y = 0 and at |x| = 6 mm, smoothly over some millimetres.
struct MadeUpModel {
  double shift_x_mm = 0.0;
  double shift_y_mm = 0.0;
  double level = 1.0;  ///< factor of all probabilities

  [[nodiscard]] double probability(double x_mm, double y_mm) const {
    const auto smooth_step = [](double u) { return 1 / (1 + std::exp(-u)); };
    const double x = smooth_step((6 - std::abs(x_mm + shift_x_mm)) / 0.4);
    return level * x * smooth_step(-(y_mm + shift_y_mm) / 0.8);
  }
};

inline constexpr double kMadeUpStep = 0.5;  // mm

inline AgreementSettings made_up_settings(std::int64_t replicates = 499) {
  AgreementSettings settings;
  settings.steps[static_cast<std::size_t>(Change::kShiftX)] = kMadeUpStep;
  settings.steps[static_cast<std::size_t>(Change::kShiftY)] = kMadeUpStep;
  settings.replicates = replicates;
  settings.detectable = false;
  return settings;
}

/// Draws of one made-up study, one after the other.
class MadeUpDraws {
 public:
  explicit MadeUpDraws(std::uint64_t seed) : seed_(seed) {}
  double uniform() { return uniform_open(seed_, index_++, 0); }
  std::int64_t binomial(std::int64_t trials, double p) {
    std::int64_t successes = 0;
    for (std::int64_t i = 0; i < trials; ++i) successes += uniform() < p ? 1 : 0;
    return successes;
  }

 private:
  std::uint64_t seed_;
  std::uint64_t index_ = 0;
};

/// Sites at random placements, x and y from -8 to 8 mm, `trials` each, with `simulated` trials of
/// the model; groups of 2 x 2 mm. Successes are 0.
inline std::vector<PredictedSite> made_up_sites(std::size_t count, std::int64_t trials,
                                                std::int64_t simulated, MadeUpDraws& draws) {
  const MadeUpModel model;
  std::vector<PredictedSite> sites(count);
  for (std::size_t k = 0; k < count; ++k) {
    PredictedSite& site = sites[k];
    site.x_mm = -8 + 16 * draws.uniform();
    site.y_mm = -8 + 16 * draws.uniform();
    site.place = k;
    site.group = static_cast<std::size_t>(std::floor((site.x_mm + 8) / 2) +
                                          8 * std::floor((site.y_mm + 8) / 2));
    site.trials = trials;
    const double p = model.probability(site.x_mm, site.y_mm);
    site.model = {draws.binomial(simulated, p), simulated, 0};
    const double h = kMadeUpStep;
    site.changed[static_cast<std::size_t>(Change::kShiftX)] = {
        model.probability(site.x_mm - h, site.y_mm), model.probability(site.x_mm + h, site.y_mm)};
    site.changed[static_cast<std::size_t>(Change::kShiftY)] = {
        model.probability(site.x_mm, site.y_mm - h), model.probability(site.x_mm, site.y_mm + h)};
  }
  return sites;
}

/// An experiment at the sites under a truth.
inline void perform(std::vector<PredictedSite>& sites, const MadeUpModel& truth,
                    MadeUpDraws& draws) {
  for (PredictedSite& site : sites) {
    site.successes = draws.binomial(site.trials, truth.probability(site.x_mm, site.y_mm));
  }
}

}  // namespace graspmap::testing
