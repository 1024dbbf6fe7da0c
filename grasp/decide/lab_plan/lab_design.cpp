#include "grasp/decide/lab_plan/lab_design.hpp"

#include <algorithm>
#include <cmath>

#include "grasp/base/probability/random.hpp"

namespace graspmap {
namespace {

constexpr double kRound_mm = 0.01;
constexpr double kRound_rad = 0.0001;

/// Draw numbers of the seed: 0 to 2 are the shifts.
constexpr std::uint64_t kShiftIndex = 0;

/// The root > 1 of g^(d + 1) = g + 1, the golden ratio for d = 1.
double generalised_golden_ratio(int dimensions) {
  double g = 2.0;
  for (int k = 0; k < 60; ++k) g = std::pow(1.0 + g, 1.0 / (dimensions + 1));
  return g;
}

/// An axis' coordinate in the sequence.
class EvenCoordinate {
 public:
  EvenCoordinate(const Axis& axis, double step, double shift, double rounding)
      : axis_(axis), step_(step), shift_(shift), rounding_(rounding) {}

  [[nodiscard]] double at(std::size_t k) const {
    if (axis_.is_fixed()) return axis_.min;
    const double turns = shift_ + static_cast<double>(k + 1) * step_;
    const double x = axis_.min + (turns - std::floor(turns)) * (axis_.max - axis_.min);
    return std::clamp(std::round(x / rounding_) * rounding_ + 0.0, axis_.min, axis_.max);
  }

 private:
  Axis axis_;
  double step_;
  double shift_;
  double rounding_;
};

}  // namespace

const char* name(PlacementChoice choice) {
  return choice == PlacementChoice::kSpread ? "spread" : "informative";
}

std::vector<IntendedPlacement> even_placements(const CellGrid& map, std::size_t count,
                                               std::uint64_t seed) {
  const double g = generalised_golden_ratio(map.theta_rad.is_fixed() ? 2 : 3);
  const auto shift = [&](std::uint32_t draw) { return uniform_open(seed, kShiftIndex, draw); };
  const EvenCoordinate x(map.x_mm, 1 / g, shift(0), kRound_mm);
  const EvenCoordinate y(map.y_mm, 1 / (g * g), shift(1), kRound_mm);
  const EvenCoordinate theta(map.theta_rad, 1 / (g * g * g), shift(2), kRound_rad);
  std::vector<IntendedPlacement> places(count);
  for (std::size_t k = 0; k < count; ++k) places[k] = {x.at(k), y.at(k), theta.at(k)};
  return places;
}

std::vector<std::size_t> informative_placements(const std::vector<double>& information,
                                                std::size_t count) {
  constexpr double kBestShare = 0.02;
  constexpr double kLeastShare = 0.5;
  constexpr std::size_t kOtherOf = 5;  // one in so many is of the others
  std::vector<double> sorted = information;
  const auto best = static_cast<std::ptrdiff_t>(kBestShare * static_cast<double>(sorted.size()));
  std::nth_element(sorted.begin(), sorted.begin() + best, sorted.end(), std::greater<>());
  const double least = kLeastShare * sorted[static_cast<std::size_t>(best)];
  std::vector<std::size_t> good;
  std::vector<std::size_t> others;
  for (std::size_t k = 0; k < information.size(); ++k) {
    (information[k] >= least && information[k] > 0 ? good : others).push_back(k);
  }
  if (good.empty()) std::swap(good, others);
  std::vector<std::size_t> chosen;
  auto next_good = good.begin();
  auto next_other = others.begin();
  while (chosen.size() < count && next_good != good.end()) {
    const bool other = chosen.size() % kOtherOf == kOtherOf - 1 && next_other != others.end();
    chosen.push_back(other ? *next_other++ : *next_good++);
  }
  return chosen;
}

}  // namespace graspmap
