#include <algorithm>
#include <cmath>
#include <memory>

#include "grasp/base/io/errors.hpp"
#include "grasp/decide/design/design_search.hpp"

namespace graspmap {
namespace {

constexpr std::size_t kLevels = 9;  ///< of a variable's profile, besides the best
constexpr int kHalvings = 6;        ///< of a range, from half of it down

/// The best design with one variable moved, in profile `profile`: to a level, or off its value.
struct MovedDesign {
  std::size_t profile = 0;
  std::size_t level = 0;
  double off = 0.0;
  std::unique_ptr<Candidate> candidate;  ///< null: it cannot be built
};

std::unique_ptr<Candidate> built_at_aims(const DesignRace& race, const Design& design,
                                         const Candidate& aims) {
  try {
    auto candidate =
        std::make_unique<Candidate>(race.built(design, race.space().overrides(design)));
    for (std::size_t p = 0; p < aims.parts.size(); ++p) {
      candidate->parts[p].aim = aims.parts[p].aim;
      candidate->parts[p].aim_sigma = aims.parts[p].aim_sigma;
    }
    return candidate;
  } catch (const ConfigError&) {
    return nullptr;
  }
}

/// The levels 0 to 1 of a variable's range, evenly, and the best design's own.
std::vector<double> levels_of(const DesignVariable& variable, double best) {
  const std::size_t choices = variable.choices();
  std::vector<double> levels = {best};
  const std::size_t count = choices == 0 ? kLevels : std::min(choices, kLevels);
  for (std::size_t k = 0; k < count; ++k) {
    if (choices == 0) {
      levels.push_back(static_cast<double>(k) / static_cast<double>(count - 1));
    } else {
      const std::size_t choice = k * (choices - 1) / std::max<std::size_t>(count - 1, 1);
      levels.push_back((static_cast<double>(choice) + 0.5) / static_cast<double>(choices));
    }
  }
  std::sort(levels.begin(), levels.end());
  return levels;
}

/// An empty profile of variable k, and its designs.
VariableProfile begun(const DesignRace& race, const Candidate& best, std::size_t k,
                      std::size_t number, std::vector<MovedDesign>& levels,
                      std::vector<MovedDesign>& offs) {
  const DesignSpace& space = race.space();
  const DesignVariable& variable = space.rule().variables[k];
  VariableProfile profile;
  profile.variable = k;
  profile.key = variable.key;
  profile.has_tolerance = variable.is_range();
  for (const double u : levels_of(variable, space.level(best.design, k))) {
    const Design design = space.with_level(best.design, k, u);
    const std::string text = space.value_text(design, k);
    if (!profile.levels.empty() && profile.levels.back() == text) continue;
    levels.push_back({number, profile.levels.size(), 0.0, built_at_aims(race, design, best)});
    profile.levels.push_back(text);
    if (variable.texts.empty()) profile.numbers.push_back(design.values[k]);
    profile.values.push_back(std::nan(""));
  }
  if (!profile.has_tolerance) return profile;
  for (const double sign : {-1.0, 1.0}) {
    for (int halving = kHalvings; halving >= 1; --halving) {
      Design design = best.design;
      const double off = sign * (*variable.max - *variable.min) / static_cast<double>(1 << halving);
      design.values[k] += off;
      offs.push_back({number, 0, off, built_at_aims(race, design, best)});
    }
  }
  return profile;
}

Candidates built_ones(const std::vector<MovedDesign>& designs) {
  Candidates built;
  for (const MovedDesign& design : designs) {
    if (design.candidate) built.push_back(design.candidate.get());
  }
  return built;
}

/// How far off, to the side of `sign`, the loss reaches what counts; between two distances in
/// proportion.
std::optional<double> limit_of(const DesignRace& race, const std::vector<MovedDesign>& offs,
                               std::size_t profile, double sign, double at_best,
                               std::int64_t grasps) {
  const double most = race.no_loss(at_best);
  double before = 0.0;
  double lost_before = 0.0;
  for (const MovedDesign& design : offs) {
    if (design.profile != profile || design.off * sign < 0) continue;
    if (!design.candidate) return before;
    const double far = std::abs(design.off);
    const double lost = at_best - race.score(*design.candidate, 0, grasps);
    if (lost > most) {
      const double share = (most - lost_before) / (lost - lost_before);
      return before + std::clamp(share, 0.0, 1.0) * (far - before);
    }
    before = far;
    lost_before = std::max(lost_before, lost);
  }
  return std::nullopt;
}

}  // namespace

std::vector<VariableProfile> variable_profiles(DesignRace& race, const Candidate& best) {
  std::vector<VariableProfile> profiles;
  std::vector<MovedDesign> levels;
  std::vector<MovedDesign> offs;
  for (std::size_t k = 0; k < race.space().variables(); ++k) {
    if (!race.space().has(best.design.shape, k)) continue;
    profiles.push_back(begun(race, best, k, profiles.size(), levels, offs));
  }
  Candidates all = built_ones(levels);
  race.refine_aims(all, 2 * DesignRace::kNearGrasps);
  const Candidates with_aims_of_best = built_ones(offs);
  all.insert(all.end(), with_aims_of_best.begin(), with_aims_of_best.end());
  const std::int64_t grasps = 2 * race.question().most_trials;
  race.extend(all, grasps);

  const std::vector<double> at_best = race.scores(best, 0, grasps);
  for (std::size_t number = 0; number < profiles.size(); ++number) {
    VariableProfile& profile = profiles[number];
    std::vector<double> worst = at_best;
    for (const MovedDesign& level : levels) {
      if (level.profile != number || !level.candidate) continue;
      const std::vector<double> scores = race.scores(*level.candidate, 0, grasps);
      profile.values[level.level] = value_of_score(race.objectives()[0], scores[0]);
      if (scores[0] < worst[0]) worst = scores;
    }
    const ScoreDifference worth =
        score_difference(at_best, worst, race.least_error(0, at_best[0], grasps));
    profile.worth = std::min(worth.value, std::abs(at_best[0]));
    profile.matters = worth.is_clear() && worth.value > race.no_loss(at_best[0]);
    profile.down = limit_of(race, offs, number, -1.0, at_best[0], grasps);
    profile.up = limit_of(race, offs, number, 1.0, at_best[0], grasps);
  }
  return profiles;
}

}  // namespace graspmap
