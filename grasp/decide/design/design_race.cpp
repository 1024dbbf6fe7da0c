#include "grasp/decide/design/design_race.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "geometry/elementary/elementary.hpp"
#include "grasp/base/io/errors.hpp"
#include "grasp/decide/design/aim_choice.hpp"
#include "grasp/decide/plan/error_model.hpp"

namespace graspmap {
namespace {

std::string id_of(const std::vector<std::string>& overrides) {
  std::string id;
  for (const std::string& override_text : overrides) id += override_text + ";";
  return id;
}

double widest_mm(const Outline& finger) {
  double low = finger.outer.front().begin_mm.x();
  double high = low;
  for (const OutlineElement& element : finger.outer) {
    low = std::min(low, element.begin_mm.x());
    high = std::max(high, element.begin_mm.x());
  }
  return high - low;
}

/// Distances of an aim's kernel: the error's, no less than what so many grasps resolve.
PlacementVector kernel(const DesignedGrasp& grasp, double share) {
  const std::array<Axis, 3> axes = grasp.config().placement.axes();
  PlacementVector sigma{};
  for (std::size_t k = 0; k < 3; ++k) {
    if (axes[k].is_fixed()) continue;
    sigma[k] = std::max(grasp.error_sigma()[k], share * (axes[k].max - axes[k].min));
  }
  return sigma;
}

PlacementVector sum(const PlacementVector& a, const PlacementVector& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

/// A design's grasps all over the map, to find a placement.
std::int64_t map_grasps(const DesignedGrasp& grasp) { return grasp.has_angles() ? 512 : 128; }

}  // namespace

DesignRace::DesignRace(const DesignQuestion& question, const DesignSpace& space, KeptGrasps& kept)
    : question_(question),
      space_(space),
      kept_(kept),
      objectives_(question.rule.objectives()),
      error_(std::make_shared<const ErrorMixture>(
          question.error ? make_mixture(error_model(*question.error)) : ErrorMixture{})) {
  for (const DesignObjective objective : objectives_) kinds_.insert(grasps_for(objective));
}

ObjectiveQuestion DesignRace::objective(std::size_t k, const DesignedGrasp& grasp) const {
  ObjectiveQuestion asked;
  asked.objective = objectives_[k];
  asked.probability = question_.rule.probability;
  asked.spread_of = question_.rule.spread_of;
  asked.period_rad = grasp.config().success.front().theta_period_rad;
  asked.cells = grasp.cells();
  return asked;
}

Candidate DesignRace::built(const Design& design, const std::vector<std::string>& overrides) const {
  Candidate candidate{design, id_of(overrides), {}, 0};
  for (const DesignedPart& part : question_.parts) {
    SweepConfig config = parse_sweep_config(part.text, part.source, overrides);
    const auto& finger = config.scenario.gripper.right_finger;
    const std::optional<double>& most_mm = question_.rule.most_width_mm;
    if (finger && most_mm && widest_mm(*finger) > *most_mm) {
      throw config_error({part.source}, "gripper.finger",
                         fmt::format("is {:.4g} mm wide; must be at most design.most_width_mm = {}",
                                     widest_mm(*finger), *most_mm));
    }
    CandidatePart built{
        std::make_unique<DesignedGrasp>(std::move(config), error_, question_.seed), {}, {}};
    if (!question_.rule.placement.empty()) {
      const std::vector<double>& at = question_.rule.placement;
      std::copy(at.begin(), at.end(), built.aim.begin());
      if (at.size() < 3) built.aim[2] = built.grasp->config().placement.theta_rad.min;
    }
    candidate.parts.push_back(std::move(built));
  }
  return candidate;
}

bool DesignRace::is_clear(const DesignedGrasp& grasp, const PlacementVector& at) const {
  const std::optional<double>& least_mm = question_.rule.clearance_mm;
  return !least_mm || grasp.clearance_mm(sum(at, grasp.error_mean())) >= *least_mm;
}

/// Chooses placements by grasps all over the map, or near those so far.
void DesignRace::place(const Candidates& candidates, GraspAt at, std::int64_t grasps, double spread,
                       double share) {
  std::vector<GraspJob> jobs;
  std::vector<PlacementVector> spreads;
  for (Candidate* candidate : candidates) {
    for (CandidatePart& part : candidate->parts) {
      PlacementVector far{};
      for (std::size_t k = 0; k < 3; ++k) far[k] = spread * part.aim_sigma[k];
      const std::int64_t count = at == GraspAt::kMap ? map_grasps(*part.grasp) : grasps;
      const PlacementVector reached = sum(part.aim, part.grasp->error_mean());
      jobs.push_back(part.grasp->job(candidate->id, at, 0, count, reached, far));
      spreads.push_back(far);
    }
  }
  run(jobs);
  std::size_t next = 0;
  for (Candidate* candidate : candidates) {
    for (CandidatePart& part : candidate->parts) {
      const GraspJob& job = jobs[next];
      const PlacementVector& far = spreads[next++];
      const PlacementVector& mean = part.grasp->error_mean();
      const PlacementVector reached = sum(part.aim, mean);
      std::vector<AimSample> samples;
      for (std::size_t k = 0; k < job.ends.size(); ++k) {
        if (job.ends[k].outcome == Outcome::kFailed) continue;
        AimSample sample;
        sample.at = part.grasp->placement(at, static_cast<std::int64_t>(k), reached, far);
        for (std::size_t axis = 0; at == GraspAt::kNear && axis < 3; ++axis) {
          if (!(far[axis] > 0)) continue;
          const double z = (sample.at[axis] - reached[axis]) / far[axis];
          sample.density *= elementary::exp(-0.5 * z * z);
        }
        // The aim from which the robot gets there on average.
        for (std::size_t axis = 0; axis < 3; ++axis) sample.at[axis] -= mean[axis];
        sample.success =
            job.ends[k].outcome == Outcome::kSuccess && is_clear(*part.grasp, sample.at);
        // What lies far out weighs no more than what lies at three standard deviations.
        sample.density = std::max(sample.density, 0.01);
        samples.push_back(sample);
      }
      const auto& config = part.grasp->config();
      part.aim_sigma = kernel(*part.grasp, share);
      const bool is_first = at == GraspAt::kMap;
      const bool any = std::any_of(samples.begin(), samples.end(),
                                   [](const AimSample& sample) { return sample.success; });
      if (!any && !is_first) continue;
      const auto now = is_first ? std::nullopt : std::optional(part.aim);
      part.aim = best_aim(samples, part.aim_sigma, config.placement.axes(), now);
    }
  }
}

void DesignRace::find_aims(const Candidates& candidates) {
  if (!has_aims()) return;
  constexpr double kMapShare = 0.03;
  place(candidates, GraspAt::kMap, 0, 0.0, kMapShare);
  place(candidates, GraspAt::kNear, kNearGrasps, 2.0, kMapShare / 2);
}

void DesignRace::refine_aims(const Candidates& candidates, std::int64_t grasps) {
  if (!has_aims()) return;
  constexpr double kNearShare = 0.01;
  place(candidates, GraspAt::kNear, grasps, 1.5, kNearShare);
}

void DesignRace::share_aims(const Candidates& candidates, std::int64_t grasps) {
  if (!has_aims()) return;
  std::vector<GraspJob> jobs;
  const std::size_t parts = question_.parts.size();
  for (const Candidate* candidate : candidates) {
    for (std::size_t p = 0; p < parts; ++p) {
      for (const Candidate* other : candidates) {
        jobs.push_back(candidate->parts[p].grasp->job(candidate->id, GraspAt::kAim, 0, grasps,
                                                      other->parts[p].aim));
      }
    }
  }
  run(jobs);
  std::vector<std::vector<PlacementVector>> aims(parts);
  for (const Candidate* candidate : candidates) {
    for (std::size_t p = 0; p < parts; ++p) aims[p].push_back(candidate->parts[p].aim);
  }
  std::size_t next = 0;
  for (std::size_t own = 0; own < candidates.size(); ++own) {
    for (std::size_t p = 0; p < parts; ++p) {
      CandidatePart& part = candidates[own]->parts[p];
      const std::size_t first = next;
      next += candidates.size();
      // Its own stays unless another one succeeds more often, with the clearance that is asked for.
      std::size_t best = own;
      double most = design_score({}, jobs[first + own].ends);
      for (std::size_t other = 0; other < candidates.size(); ++other) {
        const double success = design_score({}, jobs[first + other].ends);
        if (success > most && is_clear(*part.grasp, aims[p][other])) {
          best = other;
          most = success;
        }
      }
      if (best == own) continue;
      part.aim = aims[p][best];
      part.ends.clear();
      candidates[own]->grasps = 0;
    }
  }
}

void DesignRace::extend(const Candidates& candidates, std::int64_t grasps) {
  std::vector<GraspJob> jobs;
  std::vector<std::vector<GraspEnd>*> targets;
  for (Candidate* candidate : candidates) {
    candidate->grasps = std::max(candidate->grasps, grasps);
    for (CandidatePart& part : candidate->parts) {
      for (const GraspAt at : kinds_) {
        std::vector<GraspEnd>& ends = part.ends[at];
        const auto there = static_cast<std::int64_t>(ends.size());
        if (there >= grasps) continue;
        jobs.push_back(part.grasp->job(candidate->id, at, there, grasps - there, part.aim));
        targets.push_back(&ends);
      }
    }
  }
  run(jobs);
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    targets[k]->insert(targets[k]->end(), jobs[k].ends.begin(), jobs[k].ends.end());
  }
}

std::vector<double> DesignRace::combined(const std::vector<std::vector<double>>& parts) const {
  std::vector<double> all(parts.front().size(), 0.0);
  double weights = 0.0;
  for (const DesignedPart& part : question_.parts) weights += part.weight;
  for (std::size_t k = 0; k < all.size(); ++k) {
    double worst = parts.front()[k];
    for (std::size_t p = 0; p < parts.size(); ++p) {
      all[k] += question_.parts[p].weight / weights * parts[p][k];
      worst = std::min(worst, parts[p][k]);
    }
    if (question_.rule.parts_rule == PartsRule::kWorst) all[k] = worst;
  }
  return all;
}

template <typename Score>
std::vector<double> DesignRace::told_by(const Candidate& candidate, std::size_t k,
                                        std::int64_t grasps, const Score& score) const {
  std::vector<std::vector<double>> parts;
  for (const CandidatePart& part : candidate.parts) {
    const std::vector<GraspEnd>& ends = part.ends.at(grasps_for(objectives_[k]));
    const std::size_t count = std::min(ends.size(), static_cast<std::size_t>(grasps));
    parts.push_back(score(objective(k, *part.grasp), std::span(ends).first(count)));
  }
  return combined(parts);
}

double DesignRace::score(const Candidate& candidate, std::size_t k, std::int64_t grasps) const {
  const auto whole = [](const ObjectiveQuestion& question, std::span<const GraspEnd> ends) {
    return std::vector{design_score(question, ends)};
  };
  return told_by(candidate, k, grasps, whole).front();
}

std::vector<double> DesignRace::scores(const Candidate& candidate, std::size_t k,
                                       std::int64_t grasps) const {
  return told_by(candidate, k, grasps, score_and_blocks);
}

double DesignRace::least_error(std::size_t k, double value, std::int64_t grasps) const {
  return (is_share(objectives_[k]) ? 1.0 : std::abs(value)) / static_cast<double>(grasps);
}

double DesignRace::no_loss(double value) const {
  return is_share(objectives_[0]) ? kDesignLoss : kDesignLoss * std::abs(value);
}

bool DesignRace::is_clearly_worse(const Candidate& a, const Candidate& b,
                                  std::int64_t grasps) const {
  bool clear = false;
  for (std::size_t k = 0; k < objectives_.size(); ++k) {
    const std::vector<double> of_a = scores(a, k, grasps);
    const std::vector<double> of_b = scores(b, k, grasps);
    const ScoreDifference gain = score_difference(of_b, of_a, least_error(k, of_b[0], grasps));
    if (gain.value < 0) return false;
    clear = clear || gain.is_clear();
  }
  return clear;
}

void DesignRace::sort_best_first(Candidates& candidates, std::int64_t grasps) const {
  struct Ranked {
    Candidate* candidate;
    std::vector<double> scores;
    int better = 0;
  };
  std::vector<Ranked> ranked;
  for (Candidate* candidate : candidates) {
    ranked.push_back({candidate, {}, 0});
    for (std::size_t k = 0; k < objectives_.size(); ++k) {
      ranked.back().scores.push_back(score(*candidate, k, grasps));
    }
  }
  for (Ranked& one : ranked) {
    for (const Ranked& other : ranked) {
      bool better = false;
      bool worse = !is_front();
      for (std::size_t k = 0; k < one.scores.size(); ++k) {
        better = better || other.scores[k] > one.scores[k];
        worse = worse || other.scores[k] < one.scores[k];
      }
      if (better && !worse) ++one.better;
    }
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
    if (a.better != b.better) return a.better < b.better;
    return a.scores[0] > b.scores[0];
  });
  for (std::size_t k = 0; k < ranked.size(); ++k) candidates[k] = ranked[k].candidate;
}

Candidates DesignRace::race(Candidates live, std::size_t most) {
  for (std::int64_t grasps = kFirstRound; grasps <= question_.most_trials; grasps *= 2) {
    extend(live, grasps);
    sort_best_first(live, grasps);
    const Candidates ranked = live;
    live.clear();
    for (Candidate* candidate : ranked) {
      const bool leaves = std::any_of(live.begin(), live.end(), [&](const Candidate* better) {
        return (is_front() || better == live.front()) &&
               is_clearly_worse(*candidate, *better, grasps);
      });
      if (!leaves) live.push_back(candidate);
    }
    const bool is_last = grasps * 2 > question_.most_trials;
    const std::size_t left = is_last ? most : std::max(most, ranked.size() / 2);
    if (live.size() > left) live.resize(left);
  }
  return live;
}

}  // namespace graspmap
