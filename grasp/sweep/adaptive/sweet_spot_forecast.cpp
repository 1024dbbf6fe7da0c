#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "geometry/assert.hpp"
#include "grasp/base/probability/random.hpp"
#include "grasp/sweep/adaptive/rounds.hpp"

namespace graspmap {
namespace {

/// As many as the memory has room for, up to a thousand.
int draws_for(std::size_t cells) {
  constexpr std::size_t kMostNumbers = 40'000'000;
  return static_cast<int>(std::clamp<std::size_t>(kMostNumbers / cells, 100, 1000));
}

/// The sweet spot of each draw.
std::vector<SweetSpot> spots_of(const CompleteRuns& runs, SuccessMap map, double half_width_mm) {
  constexpr auto kSuccess = static_cast<std::size_t>(Outcome::kSuccess);
  constexpr auto kOther = static_cast<std::size_t>(Outcome::kWedged);
  std::vector<SweetSpot> spots;
  for (int draw = 0; draw < runs.draws(); ++draw) {
    for (std::size_t cell = 0; cell < map.cells.size(); ++cell) {
      CellCounts& counts = map.cells[cell];
      counts = {};
      counts.by_outcome[kSuccess] = runs.successes(draw, cell);
      counts.by_outcome[kOther] = runs.valid_trials(cell) - runs.successes(draw, cell);
    }
    spots.push_back(find_sweet_spot(map, half_width_mm));
  }
  return spots;
}

/// A place of the sweet spot that draws have, and how many.
struct Candidate {
  SweetSpot spot;
  int draws = 0;
};

auto place_of(const SweetSpot& spot) { return std::tuple(spot.cell_theta, spot.y_mm, spot.x_mm); }

/// The different places, in order.
std::vector<Candidate> candidates(std::vector<SweetSpot> spots) {
  std::sort(spots.begin(), spots.end(),
            [](const SweetSpot& a, const SweetSpot& b) { return place_of(a) < place_of(b); });
  std::vector<Candidate> result;
  for (const SweetSpot& spot : spots) {
    if (result.empty() || place_of(result.back().spot) != place_of(spot)) {
      result.push_back({spot, 0});
    }
    ++result.back().draws;
  }
  return result;
}

bool is_within(const SweetSpot& a, const SweetSpot& b, double distance_mm) {
  constexpr double kRounding_mm = 1e-9;
  return a.cell_theta == b.cell_theta &&
         std::hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) <= distance_mm + kRounding_mm;
}

int draws_within(const std::vector<Candidate>& all, const SweetSpot& spot, double distance_mm) {
  return std::accumulate(all.begin(), all.end(), 0, [&](int sum, const Candidate& other) {
    return sum + (is_within(spot, other.spot, distance_mm) ? other.draws : 0);
  });
}

/// The sweet spot at a place: what the trials in its square say.
SweetSpot with_trials(const SweetSpot& place, const SuccessMap& map) {
  SuccessMap only_square = map;
  for (std::size_t cell = 0; cell < map.cells.size(); ++cell) {
    if (!is_in_square(map, place, map.cell(cell))) only_square.cells[cell] = {};
  }
  return find_sweet_spot(only_square, place.half_width_mm);
}

/// For each cell the share of the variance of the sweet spot's place between two groups of draws,
/// those in which the cell is worse than the sweet spot's worst cell and the others (the
/// first-order index of Sobol 1993, "Sensitivity estimates for nonlinear mathematical models").
std::vector<double> influences(const CompleteRuns& runs, const std::vector<SweetSpot>& spots,
                               std::size_t cells) {
  constexpr double kChance = 3.0;  // times what two groups at random have in the mean
  const auto n = static_cast<double>(spots.size());
  // In this order of additions, on which the bits depend.
  const auto square = [](const Vec3& d) { return d.x() * d.x() + d.y() * d.y() + d.z() * d.z(); };
  // A slice counts as a millimetre: what matters is that the sweet spot moves.
  std::vector<Vec3> deviations;  // from the mean of all draws
  Vec3 sum = Vec3::Zero();
  for (const SweetSpot& spot : spots) {
    deviations.emplace_back(spot.x_mm, spot.y_mm, static_cast<double>(spot.cell_theta));
    sum += deviations.back();
  }
  double squares = 0.0;
  for (Vec3& deviation : deviations) {
    deviation -= sum / n;
    squares += square(deviation);
  }
  std::vector<int> worse_draws(cells, 0);
  std::vector<Vec3> worse_sum(cells, Vec3::Zero());  // of the deviations of these draws
  for (int draw = 0; draw < runs.draws(); ++draw) {
    const auto d = static_cast<std::size_t>(draw);
    for (std::size_t cell = 0; cell < cells; ++cell) {
      if (runs.probability(draw, cell) >= spots[d].lowest_probability) continue;
      ++worse_draws[cell];
      worse_sum[cell] += deviations[d];
    }
  }
  std::vector<double> result(cells, 0.0);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const int worse = worse_draws[cell];
    const int draws = runs.draws();
    if (worse == 0 || worse == draws || squares == 0) continue;
    const double share = square(worse_sum[cell]) * (1.0 / worse + 1.0 / (draws - worse)) / squares;
    if (share > kChance / draws) result[cell] = share;
  }
  return result;
}

}  // namespace

SweetSpotForecast forecast_sweet_spot(const SweepConfig& config, const SuccessMap& map,
                                      const std::vector<CellBelief>& beliefs) {
  const CompleteRuns runs(map, beliefs, config.trials_per_cell, config.seed,
                          draws_for(map.cells.size()));
  const std::vector<SweetSpot> spots = spots_of(runs, map, config.sweet_spot_half_width_mm);
  SweetSpotForecast forecast;
  forecast.influence.resize(map.cells.size());
  if (!spots.front().found) return forecast;
  const std::vector<Candidate> all = candidates(spots);
  const auto draws_near = [&](const Candidate& candidate) {
    return std::pair(draws_within(all, candidate.spot, config.adaptive->sweet_spot_within_mm),
                     candidate.draws);
  };
  const auto best = std::max_element(all.begin(), all.end(), [&](const auto& a, const auto& b) {
    return draws_near(a) < draws_near(b);
  });
  forecast.spot = with_trials(best->spot, map);
  forecast.confidence = static_cast<double>(draws_near(*best).first) / runs.draws();
  forecast.influence = influences(runs, spots, map.cells.size());
  return forecast;
}

namespace {

/// Keeps the draws apart from the random numbers of the trials.
constexpr std::uint64_t kStream = 0x9e3779b97f4a7c15U;

/// A part's probability of j others among `trials` to come, for all j: beta-binomial. From its
/// middle outwards by the ratio of neighbours, so that nothing over- or underflows.
void beta_binomial(const BeliefPart& part, int trials, std::vector<double>& p) {
  const double a = part.others;
  const double b = part.successes;
  const double n = trials;
  const auto ratio = [&](double j) { return (n - j) * (a + j) / ((j + 1) * (b + n - j - 1)); };
  const int middle = static_cast<int>(std::lround(n * a / (a + b)));
  p.assign(static_cast<std::size_t>(trials) + 1, 0.0);
  p[static_cast<std::size_t>(middle)] = 1.0;
  for (int j = middle; j < trials; ++j) {
    p[static_cast<std::size_t>(j) + 1] = p[static_cast<std::size_t>(j)] * ratio(j);
  }
  for (int j = middle; j > 0; --j) {
    p[static_cast<std::size_t>(j) - 1] = p[static_cast<std::size_t>(j)] / ratio(j - 1);
  }
  const double sum = std::accumulate(p.begin(), p.end(), 0.0);
  for (double& value : p) value /= sum;
}

/// The first place where a running sum exceeds u.
int first_above(const std::vector<double>& sums, double u) {
  if (u < sums.front()) return 0;  // by far the most frequent where a cell never fails
  const auto found = std::upper_bound(sums.begin(), sums.end() - 1, u);
  return static_cast<int>(found - sums.begin());
}

}  // namespace

std::vector<double> others_to_come(const CellBelief& belief, int trials) {
  constexpr double kNegligible = 1e-12;
  std::vector<double> sum(static_cast<std::size_t>(trials) + 1, 0.0);
  std::vector<double> of_part;
  for (const BeliefPart& part : belief) {
    if (part.weight < kNegligible) continue;
    beta_binomial(part, trials, of_part);
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += part.weight * of_part[j];
  }
  return sum;
}

CompleteRuns::CompleteRuns(const SuccessMap& map, const std::vector<CellBelief>& beliefs,
                           int trials_per_cell, std::uint64_t seed, int draws)
    : draws_(draws),
      valid_trials_(map.cells.size()),
      successes_(map.cells.size() * static_cast<std::size_t>(draws)) {
  GRASPMAP_CHECK(beliefs.size() == map.cells.size() && draws > 0);
  for (std::size_t cell = 0; cell < map.cells.size(); ++cell) {
    const CellCounts& counts = map.cells[cell];
    GRASPMAP_CHECK(counts.trials() <= trials_per_cell);
    const int to_come = trials_per_cell - static_cast<int>(counts.trials());
    const int most = static_cast<int>(counts.count(Outcome::kSuccess)) + to_come;
    valid_trials_[cell] = trials_per_cell - static_cast<int>(counts.count(Outcome::kFailed));
    std::vector<double> sums = others_to_come(beliefs[cell], to_come);
    std::partial_sum(sums.begin(), sums.end(), sums.begin());
    for (int draw = 0; draw < draws; ++draw) {
      const double u = uniform_open(seed ^ kStream, cell, static_cast<std::uint32_t>(draw));
      successes_[place(draw, cell)] = static_cast<std::uint16_t>(most - first_above(sums, u));
    }
  }
}

}  // namespace graspmap
