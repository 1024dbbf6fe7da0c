#include "grasp/decide/design/design_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "geometry/assert.hpp"
#include "geometry/elementary/elementary.hpp"
#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/base/io/request.hpp"
#include "grasp/base/probability/even_points.hpp"
#include "grasp/base/probability/random.hpp"
#include "grasp/decide/design/aim_choice.hpp"
#include "grasp/decide/plan/error_model.hpp"

namespace graspmap {
namespace {

constexpr std::int64_t kFirstRound = 64;  ///< grasps of each design in the race
constexpr std::size_t kElite = 10;        ///< that later generations go on from
constexpr std::size_t kFrontElite = 24;   ///< the same of a front
constexpr int kLevels = 9;                ///< of a variable's profile
constexpr std::int64_t kMapGrasps = 64;   ///< to find a placement: this to the power of d / 2
constexpr std::int64_t kNearGrasps = 64;  ///< to improve it
constexpr std::int64_t kFinalNearGrasps = 1024;
constexpr std::uint64_t kMoveSeed = 0x5D3517;  ///< of the moves to the next generation
constexpr double kStudent15 = 2.131;  ///< of 15 degrees of freedom, at 95 %; others in proportion

/// How a placement is looked for.
struct AimSearch {
  PlacementVector aim{};
  PlacementVector sigma{};  ///< with which it was judged
};

/// A part grasped by a design.
struct CandidatePart {
  std::unique_ptr<DesignedGrasp> grasp;
  AimSearch search;
  std::map<GraspAt, std::vector<GraspEnd>> ends;
};

struct Candidate {
  Design design;
  std::string id;
  std::vector<CandidatePart> parts;
  std::int64_t grasps = 0;  ///< of each objective's kind, up to now
};
using Candidates = std::vector<Candidate*>;

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

/// Distances of an aim's kernel: the error's, no less than what so many grasps tell apart.
PlacementVector kernel(const DesignedGrasp& grasp, double share) {
  const std::array<Axis, 3> axes = grasp.config().placement.axes();
  PlacementVector sigma{};
  for (std::size_t k = 0; k < 3; ++k) {
    if (axes[k].is_fixed()) continue;
    sigma[k] = std::max(grasp.error_sigma()[k], share * (axes[k].max - axes[k].min));
  }
  return sigma;
}

int dimensions_of(const DesignedGrasp& grasp) { return grasp.has_angles() ? 3 : 2; }

/// A design's grasps all over the map: 64, or in three dimensions 512.
std::int64_t map_grasps(const DesignedGrasp& grasp) {
  return dimensions_of(grasp) == 2 ? 2 * kMapGrasps : 8 * kMapGrasps;
}

class Search {
 public:
  Search(const DesignQuestion& question, const DesignSpace& space, KeptGrasps& kept,
         const std::function<void(const std::string&)>& line)
      : question_(question),
        space_(space),
        kept_(kept),
        line_(line),
        objectives_(question.rule.objectives()),
        error_(std::make_shared<const ErrorMixture>(
            question.error ? make_mixture(error_model(*question.error)) : ErrorMixture{})) {
    for (const DesignObjective objective : objectives_) kinds_.insert(grasps_for(objective));
  }

  DesignAnswer run();

 private:
  [[nodiscard]] bool has_aims() const {
    return question_.rule.placement.empty() &&
           std::any_of(kinds_.begin(), kinds_.end(),
                       [](GraspAt at) { return at != GraspAt::kCells; });
  }
  [[nodiscard]] bool is_front() const { return objectives_.size() > 1; }
  [[nodiscard]] std::size_t elite() const { return is_front() ? kFrontElite : kElite; }

  [[nodiscard]] ObjectiveQuestion objective(std::size_t k, const SweepConfig& config) const;
  std::vector<CandidatePart> build(const std::vector<std::string>& overrides) const;
  /// A design as a candidate; nothing when it is known, or is refused.
  Candidate* add(const Design& design);
  Candidates first_generation();
  Candidates next_generation(const Candidates& parents, int generation);

  void place(const Candidates& candidates, GraspAt at, std::int64_t grasps, double spread,
             double share);
  void find_aims(const Candidates& candidates);
  void refine_aims(const Candidates& candidates, std::int64_t grasps);
  void extend(const Candidates& candidates, std::int64_t grasps);

  [[nodiscard]] std::vector<double> blocks(const Candidate& candidate, std::size_t objective,
                                           std::int64_t grasps) const;
  [[nodiscard]] double least_error(std::size_t objective, double value, std::int64_t grasps) const;
  [[nodiscard]] double no_loss(double value) const;
  [[nodiscard]] bool is_clearly_worse(const Candidate& a, const Candidate& b,
                                      std::int64_t grasps) const;
  void sort_best_first(Candidates& candidates, std::int64_t grasps) const;
  Candidates race(Candidates live);
  /// The best ones, of all that were tried: those with the most grasps first.
  [[nodiscard]] Candidates finalists() const;

  void put_middle_first(Candidates& best, std::int64_t grasps) const;
  [[nodiscard]] RatedDesign rated(const Candidate& candidate) const;
  VerifiedDesign verify(const Candidate& candidate, std::vector<std::vector<double>>& of_blocks);
  [[nodiscard]] ValueEstimate estimate(std::size_t objective,
                                       const std::vector<double>& of_blocks) const;
  std::vector<VariableProfile> profiles(const Candidate& best);
  void tell(int generation, const Candidate& best, std::size_t tried) const;

  const DesignQuestion& question_;
  const DesignSpace& space_;
  KeptGrasps& kept_;
  const std::function<void(const std::string&)>& line_;
  std::vector<DesignObjective> objectives_;
  std::set<GraspAt> kinds_;
  std::shared_ptr<const ErrorMixture> error_;
  std::vector<std::unique_ptr<Candidate>> all_;
  std::set<std::string> known_;
  RefusedDesigns refused_;
  std::uint32_t next_point_ = 0;
};

ObjectiveQuestion Search::objective(std::size_t k, const SweepConfig& config) const {
  ObjectiveQuestion asked;
  asked.objective = objectives_[k];
  asked.probability = question_.rule.probability;
  asked.spread_of = question_.rule.spread_of;
  asked.period_rad = config.success.front().theta_period_rad;
  asked.cells = static_cast<std::size_t>(config.placement.cell_count());
  return asked;
}

std::vector<CandidatePart> Search::build(const std::vector<std::string>& overrides) const {
  std::vector<CandidatePart> parts;
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
      std::copy(at.begin(), at.end(), built.search.aim.begin());
      if (at.size() < 3) built.search.aim[2] = built.grasp->config().placement.theta_rad.min;
    }
    parts.push_back(std::move(built));
  }
  return parts;
}

Candidate* Search::add(const Design& design) {
  const std::vector<std::string> overrides = space_.overrides(design);
  const std::string id = id_of(overrides);
  if (!known_.insert(id).second) return nullptr;
  try {
    auto candidate = std::make_unique<Candidate>(Candidate{design, id, build(overrides), 0});
    all_.push_back(std::move(candidate));
    return all_.back().get();
  } catch (const ConfigError& error) {
    if (refused_.count++ == 0) refused_.first = error.what();
    return nullptr;
  }
}

Candidates Search::first_generation() {
  Candidates found;
  // Of a space in which most designs cannot be built, a few are enough.
  const std::uint32_t most = 16 * static_cast<std::uint32_t>(question_.designs);
  while (static_cast<int>(found.size()) < question_.designs && next_point_ < most) {
    std::vector<double> point;
    for (std::uint32_t k = 0; k < space_.dimensions(); ++k) {
      point.push_back(k < kSobolDimensions ? sobol_coordinate(question_.seed, {0, next_point_}, k)
                                           : uniform_open(question_.seed, next_point_, k));
    }
    ++next_point_;
    if (Candidate* candidate = add(space_.at(point))) found.push_back(candidate);
  }
  if (found.empty()) {
    throw RequestError(fmt::format("no design can be built: {}", refused_.first));
  }
  return found;
}

Candidates Search::next_generation(const Candidates& parents, int generation) {
  // Each generation looks half as far.
  const double reach = 0.5 / static_cast<double>(1 << generation);
  const int children = std::max(question_.designs * 3 / 8, 8);
  Candidates found;
  for (int child = 0; child < children; ++child) {
    const auto number =
        (static_cast<std::uint64_t>(generation) << 32U) + static_cast<std::uint64_t>(child);
    std::vector<double> moves;
    for (std::uint32_t k = 0; k < space_.dimensions(); ++k) {
      moves.push_back(uniform_open(question_.seed ^ kMoveSeed, number, k));
    }
    const Candidate& parent = *parents[static_cast<std::size_t>(child) % parents.size()];
    Candidate* candidate = add(space_.near(parent.design, reach, moves));
    if (candidate == nullptr) continue;
    for (std::size_t p = 0; p < candidate->parts.size(); ++p) {
      candidate->parts[p].search = parent.parts[p].search;
    }
    found.push_back(candidate);
  }
  return found;
}

/// Chooses placements by grasps all over the map, or near those so far.
void Search::place(const Candidates& candidates, GraspAt at, std::int64_t grasps, double spread,
                   double share) {
  std::vector<GraspJob> jobs;
  std::vector<PlacementVector> spreads;
  for (Candidate* candidate : candidates) {
    for (CandidatePart& part : candidate->parts) {
      PlacementVector far{};
      for (std::size_t k = 0; k < 3; ++k) far[k] = spread * part.search.sigma[k];
      const std::int64_t count = at == GraspAt::kMap ? map_grasps(*part.grasp) : grasps;
      jobs.push_back(part.grasp->job(candidate->id, at, 0, count, part.search.aim, far));
      spreads.push_back(far);
    }
  }
  kept_.run(jobs, question_.threads);
  const double least_mm = question_.rule.clearance_mm.value_or(0.0);
  std::size_t next = 0;
  for (Candidate* candidate : candidates) {
    for (CandidatePart& part : candidate->parts) {
      const GraspJob& job = jobs[next];
      const PlacementVector& far = spreads[next++];
      std::vector<AimSample> samples;
      for (std::size_t k = 0; k < job.ends.size(); ++k) {
        if (job.ends[k].outcome == Outcome::kFailed) continue;
        AimSample sample;
        sample.at = part.grasp->placement(at, static_cast<std::int64_t>(k), part.search.aim, far);
        sample.success = job.ends[k].outcome == Outcome::kSuccess &&
                         !(least_mm > 0 && part.grasp->clearance_mm(sample.at) < least_mm);
        for (std::size_t axis = 0; at == GraspAt::kNear && axis < 3; ++axis) {
          if (!(far[axis] > 0)) continue;
          const double z = (sample.at[axis] - part.search.aim[axis]) / far[axis];
          sample.density *= elementary::exp(-0.5 * z * z);
        }
        // What lies far out weighs no more than what lies at three standard deviations.
        sample.density = std::max(sample.density, 0.01);
        samples.push_back(sample);
      }
      const auto& config = part.grasp->config();
      part.search.sigma = kernel(*part.grasp, share);
      const bool is_first = at == GraspAt::kMap;
      const bool any = std::any_of(samples.begin(), samples.end(),
                                   [](const AimSample& sample) { return sample.success; });
      if (!any && !is_first) continue;
      const auto now = is_first ? std::nullopt : std::optional(part.search.aim);
      part.search.aim = best_aim(samples, part.search.sigma, config.placement.axes(), now);
    }
  }
}

void Search::find_aims(const Candidates& candidates) {
  if (!has_aims()) return;
  constexpr double kMapShare = 0.03;
  place(candidates, GraspAt::kMap, 0, 0.0, kMapShare);
  place(candidates, GraspAt::kNear, kNearGrasps, 2.0, kMapShare / 2);
}

void Search::refine_aims(const Candidates& candidates, std::int64_t grasps) {
  if (!has_aims()) return;
  constexpr double kNearShare = 0.01;
  place(candidates, GraspAt::kNear, grasps, 1.5, kNearShare);
}

void Search::extend(const Candidates& candidates, std::int64_t grasps) {
  std::vector<GraspJob> jobs;
  std::vector<std::vector<GraspEnd>*> targets;
  for (Candidate* candidate : candidates) {
    candidate->grasps = std::max(candidate->grasps, grasps);
    for (CandidatePart& part : candidate->parts) {
      for (const GraspAt at : kinds_) {
        std::vector<GraspEnd>& ends = part.ends[at];
        const auto there = static_cast<std::int64_t>(ends.size());
        if (there >= grasps) continue;
        jobs.push_back(part.grasp->job(candidate->id, at, there, grasps - there, part.search.aim));
        targets.push_back(&ends);
      }
    }
  }
  kept_.run(jobs, question_.threads);
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    targets[k]->insert(targets[k]->end(), jobs[k].ends.begin(), jobs[k].ends.end());
  }
}

/// The parts' scores as one: their weighted mean, or the worst.
std::vector<double> combined(const DesignQuestion& question,
                             const std::vector<std::vector<double>>& parts) {
  std::vector<double> all(parts.front().size(), 0.0);
  double weights = 0.0;
  for (const DesignedPart& part : question.parts) weights += part.weight;
  for (std::size_t k = 0; k < all.size(); ++k) {
    double worst = parts.front()[k];
    for (std::size_t p = 0; p < parts.size(); ++p) {
      all[k] += question.parts[p].weight / weights * parts[p][k];
      worst = std::min(worst, parts[p][k]);
    }
    if (question.rule.parts_rule == PartsRule::kWorst) all[k] = worst;
  }
  return all;
}

std::vector<double> Search::blocks(const Candidate& candidate, std::size_t k,
                                   std::int64_t grasps) const {
  std::vector<std::vector<double>> parts;
  for (const CandidatePart& part : candidate.parts) {
    const std::vector<GraspEnd>& ends = part.ends.at(grasps_for(objectives_[k]));
    const std::size_t count = std::min(ends.size(), static_cast<std::size_t>(grasps));
    parts.push_back(
        score_and_blocks(objective(k, part.grasp->config()), std::span(ends).first(count)));
  }
  return combined(question_, parts);
}

/// The least that a standard error is taken for: blocks that all agree know no better.
double Search::least_error(std::size_t k, double value, std::int64_t grasps) const {
  return (is_share(objectives_[k]) ? 1.0 : std::abs(value)) / static_cast<double>(grasps);
}

/// What the first objective may lose and count as no worse.
double Search::no_loss(double value) const {
  return is_share(objectives_[0]) ? kDesignLoss : kDesignLoss * std::abs(value);
}

/// Whether a design is no better than another in any objective, and clearly worse in one.
bool Search::is_clearly_worse(const Candidate& a, const Candidate& b, std::int64_t grasps) const {
  bool clear = false;
  for (std::size_t k = 0; k < objectives_.size(); ++k) {
    const std::vector<double> of_a = blocks(a, k, grasps);
    const std::vector<double> of_b = blocks(b, k, grasps);
    const ScoreDifference gain = score_difference(of_b, of_a, least_error(k, of_b[0], grasps));
    if (gain.value < 0) return false;
    clear = clear || gain.is_clear();
  }
  return clear;
}

/// By the score; with two objectives by how many designs are as good in both and better in one,
/// then by the first.
void Search::sort_best_first(Candidates& candidates, std::int64_t grasps) const {
  struct Ranked {
    Candidate* candidate;
    std::vector<double> scores;
    int better = 0;
  };
  std::vector<Ranked> ranked;
  for (Candidate* candidate : candidates) {
    ranked.push_back({candidate, {}, 0});
    for (std::size_t k = 0; k < objectives_.size(); ++k) {
      ranked.back().scores.push_back(blocks(*candidate, k, grasps)[0]);
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

Candidates Search::race(Candidates live) {
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
    const std::size_t most = is_last ? elite() : std::max(elite(), ranked.size() / 2);
    if (live.size() > most) live.resize(most);
  }
  return live;
}

/// Among the designs of the best one's shape that lose nothing that counts, the one in their middle
/// comes first: it is the least likely to lie at an edge.
void Search::put_middle_first(Candidates& best, std::int64_t grasps) const {
  if (is_front()) return;
  const Candidate& first = *best.front();
  const double highest = blocks(first, 0, grasps)[0];
  Candidates tied;
  for (Candidate* candidate : best) {
    const double loss = highest - blocks(*candidate, 0, grasps)[0];
    if (candidate->design.shape == first.design.shape && loss <= no_loss(highest) &&
        !is_clearly_worse(*candidate, first, grasps)) {
      tied.push_back(candidate);
    }
  }
  std::vector<double> middle(space_.variables(), 0.0);
  for (std::size_t k = 0; k < middle.size(); ++k) {
    if (!space_.has(first.design.shape, k)) continue;
    for (const Candidate* candidate : tied) {
      middle[k] += space_.level(candidate->design, k) / static_cast<double>(tied.size());
    }
  }
  const auto distance = [&](const Candidate* candidate) {
    double squares = 0.0;
    for (std::size_t k = 0; k < middle.size(); ++k) {
      if (!space_.has(first.design.shape, k)) continue;
      const double off = space_.level(candidate->design, k) - middle[k];
      squares += off * off;
    }
    return squares;
  };
  Candidate* chosen =
      *std::min_element(tied.begin(), tied.end(),
                        [&](const auto* a, const auto* b) { return distance(a) < distance(b); });
  std::stable_partition(best.begin(), best.end(),
                        [&](const Candidate* candidate) { return candidate == chosen; });
}

Candidates Search::finalists() const {
  std::map<std::int64_t, Candidates, std::greater<>> by_grasps;
  for (const auto& candidate : all_) by_grasps[candidate->grasps].push_back(candidate.get());
  Candidates found;
  for (auto& [grasps, candidates] : by_grasps) {
    sort_best_first(candidates, grasps);
    found.insert(found.end(), candidates.begin(), candidates.end());
  }
  if (found.size() > elite()) found.resize(elite());
  return found;
}

RatedDesign Search::rated(const Candidate& candidate) const {
  RatedDesign design;
  design.design = candidate.design;
  design.words = space_.words(candidate.design);
  design.overrides = space_.overrides(candidate.design);
  design.grasps = candidate.grasps;
  for (std::size_t k = 0; k < objectives_.size(); ++k) {
    design.values.push_back(
        value_of_score(objectives_[k], blocks(candidate, k, candidate.grasps)[0]));
  }
  for (const CandidatePart& part : candidate.parts) {
    if (kinds_.size() > kinds_.count(GraspAt::kCells)) design.aims.push_back(part.search.aim);
  }
  return design;
}

ValueEstimate Search::estimate(std::size_t k, const std::vector<double>& of_blocks) const {
  const std::vector<double> zero(of_blocks.size(), 0.0);
  const ScoreDifference told = score_difference(of_blocks, zero, 0.0);
  const double factor = kStudent15 / kZ95 * two_sided_z(question_.confidence);
  const double value = value_of_score(objectives_[k], told.value);
  const double far = factor * told.standard_error;
  return {value, {std::max(value - far, 0.0), value + far}};
}

/// The interval of the least of several success probabilities: all of them hold at once.
ValueEstimate least_of(const std::vector<SampleCounts>& counts, double confidence) {
  const double each = 1.0 - (1.0 - confidence) / static_cast<double>(counts.size());
  ValueEstimate least{1.0, {1.0, 1.0}};
  for (const SampleCounts& count : counts) {
    const Interval one =
        wilson_interval_with_failed(count.successes, count.trials, count.failed, two_sided_z(each));
    least.value = std::min(least.value, count.trials > 0 ? count.probability() : 0.0);
    least.interval.low = std::min(least.interval.low, one.low);
    least.interval.high = std::min(least.interval.high, one.high);
  }
  return least;
}

VerifiedDesign Search::verify(const Candidate& candidate,
                              std::vector<std::vector<double>>& of_blocks) {
  VerifiedDesign verified;
  std::map<GraspAt, std::vector<GraspJob>> jobs;
  std::set<GraspAt> kinds = kinds_;
  // How often the grasp succeeds is told whatever the objective is, where there is an error.
  if (question_.error) kinds.insert(GraspAt::kAim);
  for (const GraspAt at : kinds) {
    for (const CandidatePart& part : candidate.parts) {
      const auto cells = static_cast<std::int64_t>(part.grasp->cells());
      std::int64_t count = question_.trials;
      // A cell gets few of them, and a scale of the error.
      if (at == GraspAt::kCells) count = std::max(count, 100 * cells);
      if (at == GraspAt::kScaled) count *= 4;
      jobs[at].push_back(
          part.grasp->job(candidate.id, at, 0, count, part.search.aim, {}, /*fresh=*/true));
    }
    kept_.run(jobs[at], question_.threads);
  }
  const auto counts_of = [](const GraspJob& job, std::size_t cells) {
    std::vector<SampleCounts> counts(cells);
    for (std::size_t k = 0; k < job.ends.size(); ++k) {
      count_outcome(job.ends[k].outcome, counts[k % cells]);
    }
    return counts;
  };
  if (jobs.contains(GraspAt::kAim)) {
    for (const GraspJob& job : jobs[GraspAt::kAim]) {
      verified.successes.push_back(counts_of(job, 1)[0]);
    }
  }
  for (std::size_t k = 0; k < objectives_.size(); ++k) {
    const std::vector<GraspJob>& of_kind = jobs[grasps_for(objectives_[k])];
    std::vector<std::vector<double>> parts;
    std::vector<SampleCounts> counts;
    for (std::size_t p = 0; p < of_kind.size(); ++p) {
      const DesignedGrasp& grasp = *candidate.parts[p].grasp;
      parts.push_back(score_and_blocks(objective(k, grasp.config()), of_kind[p].ends));
      const bool by_cell = objectives_[k] == DesignObjective::kWorstCell;
      for (const SampleCounts& count : counts_of(of_kind[p], by_cell ? grasp.cells() : 1)) {
        counts.push_back(count);
      }
    }
    of_blocks.push_back(combined(question_, parts));
    const bool worst = question_.rule.parts_rule == PartsRule::kWorst || counts.size() == 1;
    if (objectives_[k] == DesignObjective::kWorstCell && (worst || parts.size() == 1)) {
      verified.values.push_back(least_of(counts, question_.confidence));
    } else if (objectives_[k] == DesignObjective::kSuccess && worst) {
      verified.values.push_back(least_of(counts, question_.confidence));
    } else if (objectives_[k] == DesignObjective::kSuccess) {
      std::vector<Stratum> strata;
      double weights = 0.0;
      for (const DesignedPart& part : question_.parts) weights += part.weight;
      for (std::size_t p = 0; p < counts.size(); ++p) {
        strata.push_back({question_.parts[p].weight / weights * (1 - 1e-12),
                          static_cast<double>(counts[p].successes),
                          static_cast<double>(counts[p].trials),
                          static_cast<double>(counts[p].failed)});
      }
      const StratifiedProbability all =
          stratified_probability(strata, two_sided_z(question_.confidence));
      verified.values.push_back({all.estimate, all.interval});
    } else {
      verified.values.push_back(estimate(k, of_blocks.back()));
    }
  }
  return verified;
}

std::vector<VariableProfile> Search::profiles(const Candidate& best) {
  std::vector<VariableProfile> all;
  struct Level {
    std::size_t profile;
    double number;  ///< at a place of its own: a level; of a tolerance, how far off
    Candidate* candidate;
  };
  std::vector<Level> levels;
  std::vector<Level> offs;
  std::vector<std::unique_ptr<Candidate>> made;
  const auto make = [&](const Design& design) -> Candidate* {
    try {
      const std::vector<std::string> overrides = space_.overrides(design);
      made.push_back(
          std::make_unique<Candidate>(Candidate{design, id_of(overrides), build(overrides), 0}));
    } catch (const ConfigError&) {
      return nullptr;
    }
    for (std::size_t p = 0; p < best.parts.size(); ++p) {
      made.back()->parts[p].search = best.parts[p].search;
    }
    return made.back().get();
  };
  for (std::size_t k = 0; k < space_.variables(); ++k) {
    if (!space_.has(best.design.shape, k)) continue;
    const DesignVariable& variable = space_.rule().variables[k];
    VariableProfile profile;
    profile.variable = k;
    profile.key = variable.key;
    profile.has_tolerance = variable.is_range();
    const std::size_t choices = variable.choices();
    const auto count =
        choices == 0 ? static_cast<std::size_t>(kLevels) : std::min<std::size_t>(choices, kLevels);
    std::vector<double> places = {space_.level(best.design, k)};
    for (std::size_t level = 0; level < count; ++level) {
      places.push_back(choices == 0 ? static_cast<double>(level) / static_cast<double>(count - 1)
                                    : (static_cast<double>(level * (choices - 1) /
                                                           std::max<std::size_t>(count - 1, 1)) +
                                       0.5) /
                                          static_cast<double>(choices));
    }
    std::sort(places.begin(), places.end());
    for (const double u : places) {
      const Design design = space_.with_level(best.design, k, u);
      const std::string text = space_.value_text(design, k);
      if (!profile.levels.empty() && profile.levels.back() == text) continue;
      const auto level = static_cast<double>(profile.levels.size());
      profile.levels.push_back(text);
      if (variable.texts.empty()) profile.numbers.push_back(design.values[k]);
      profile.values.push_back(std::nan(""));
      levels.push_back({all.size(), level, make(design)});
    }
    if (profile.has_tolerance) {
      const double range = *variable.max - *variable.min;
      for (const double sign : {-1.0, 1.0}) {
        for (int halving = 6; halving >= 1; --halving) {
          Design design = best.design;
          const double off = sign * range / static_cast<double>(1 << halving);
          design.values[k] += off;
          offs.push_back({all.size(), off, make(design)});
        }
      }
    }
    all.push_back(std::move(profile));
  }
  Candidates placed;
  for (const Level& level : levels) {
    if (level.candidate != nullptr) placed.push_back(level.candidate);
  }
  refine_aims(placed, 2 * kNearGrasps);
  Candidates both = placed;
  for (const Level& off : offs) {
    if (off.candidate != nullptr) both.push_back(off.candidate);
  }
  const std::int64_t grasps = 2 * question_.most_trials;
  extend(both, grasps);
  const std::vector<double> at_best = blocks(best, 0, grasps);
  for (VariableProfile& profile : all) {
    const auto number = static_cast<std::size_t>(&profile - all.data());
    double lowest = at_best[0];
    const Candidate* worst = &best;
    for (const Level& level : levels) {
      if (level.profile != number || level.candidate == nullptr) continue;
      const double score = blocks(*level.candidate, 0, grasps)[0];
      profile.values[static_cast<std::size_t>(level.number)] =
          value_of_score(objectives_[0], score);
      if (score < lowest) {
        lowest = score;
        worst = level.candidate;
      }
    }
    const std::vector<double> at_worst = blocks(*worst, 0, grasps);
    const ScoreDifference worth =
        score_difference(at_best, at_worst, least_error(0, at_best[0], grasps));
    const double loss = no_loss(at_best[0]);
    profile.worth = std::min(worth.value, std::abs(at_best[0]));
    profile.matters = worth.is_clear() && worth.value > loss;
    for (const double sign : {-1.0, 1.0}) {
      double before = 0.0;
      double loss_before = 0.0;
      std::optional<double> limit;
      for (const Level& off : offs) {
        if (off.profile != number || off.number * sign < 0 || limit) continue;
        const double lost =
            off.candidate == nullptr ? 1e9 : at_best[0] - blocks(*off.candidate, 0, grasps)[0];
        const double far = std::abs(off.number);
        if (lost > loss) {
          const double share = off.candidate == nullptr
                                   ? 0.0
                                   : (loss - loss_before) / std::max(lost - loss_before, loss);
          limit = before + std::clamp(share, 0.0, 1.0) * (far - before);
        }
        before = far;
        loss_before = std::max(loss_before, lost);
      }
      (sign < 0 ? profile.down : profile.up) = limit;
    }
  }
  return all;
}

void Search::tell(int generation, const Candidate& best, std::size_t tried) const {
  if (!line_) return;
  const RatedDesign design = rated(best);
  line_(fmt::format("{}, {}: {} ({})\n",
                    generation == 0 ? "first designs" : fmt::format("generation {}", generation),
                    counted(static_cast<std::int64_t>(tried), "design"),
                    objective_text(question_.rule, objectives_[0], design.values[0]),
                    design.words));
}

DesignAnswer Search::run() {
  // No design of the space: its values are not asked for.
  Candidate today;
  today.design.values.assign(space_.variables(), 0.0);
  today.id = "today";
  today.parts = build({});
  Candidates fresh = first_generation();
  find_aims(fresh);
  Candidates best = race(fresh);
  tell(0, *best.front(), all_.size());
  for (int generation = 1; generation <= question_.generations; ++generation) {
    fresh = next_generation(best, generation);
    if (fresh.empty()) continue;
    refine_aims(fresh, kNearGrasps);
    fresh.insert(fresh.begin(), best.begin(), best.end());
    best = race(fresh);
    tell(generation, *best.front(), all_.size());
  }

  DesignAnswer answer{question_, space_, {}, {}, refused_, {}, {}, {}, {}, {}, 0, 0, {}};
  for (const auto& candidate : all_) answer.all.push_back(rated(*candidate));

  // With better placements their grasps begin anew.
  best = finalists();
  find_aims({&today});
  Candidates last = best;
  last.push_back(&today);
  if (has_aims()) {
    refine_aims(last, kFinalNearGrasps);
    for (Candidate* candidate : last) {
      for (CandidatePart& part : candidate->parts) part.ends.clear();
    }
  }
  const std::int64_t grasps = 4 * question_.most_trials;
  extend(last, grasps);
  sort_best_first(best, grasps);
  const Candidate* highest = best.front();
  put_middle_first(best, grasps);
  for (const Candidate* candidate : best) {
    RatedDesign design = rated(*candidate);
    design.tied = !is_clearly_worse(*candidate, *highest, grasps);
    design.on_front = std::none_of(best.begin(), best.end(), [&](const Candidate* other) {
      return is_front() && is_clearly_worse(*candidate, *other, grasps);
    });
    answer.best.push_back(std::move(design));
  }
  answer.today = rated(today);
  answer.today.words = "as it is";
  answer.today.overrides.clear();
  std::vector<std::vector<double>> of_best;
  std::vector<std::vector<double>> of_today;
  answer.best_values = verify(*best.front(), of_best);
  answer.today_values = verify(today, of_today);
  for (std::size_t k = 0; k < objectives_.size(); ++k) {
    const ScoreDifference gain =
        score_difference(of_best[k], of_today[k], least_error(k, of_best[k][0], question_.trials));
    const double far = kStudent15 / kZ95 * two_sided_z(question_.confidence) * gain.standard_error;
    answer.gains.push_back({gain.value, {gain.value - far, gain.value + far}});
  }
  answer.searched = kept_.used();
  answer.profiles = profiles(*best.front());
  for (const CandidatePart& part : best.front()->parts) {
    answer.configs.push_back(part.grasp->config());
  }
  answer.simulated = kept_.used();
  return answer;
}

}  // namespace

std::string design_search_text(const DesignQuestion& question) {
  std::string text =
      fmt::format("{} {} {} {} {} {}", question.designs, question.generations, question.most_trials,
                  question.trials, question.seed, question.confidence);
  for (const DesignedPart& part : question.parts) {
    SweepConfig config = parse_sweep_config(part.text, part.source);
    config.design = question.rule;
    config.robot = question.error;
    text += "\n" + to_toml(config);
  }
  return text;
}

DesignAnswer search_design(const DesignQuestion& question, const DesignSpace& space,
                           KeptGrasps& kept, const std::function<void(const std::string&)>& line) {
  GRASPMAP_CHECK(!question.parts.empty());
  return Search(question, space, kept, line).run();
}

std::string objective_text(const DesignRule& rule, DesignObjective objective, double value) {
  switch (objective) {
    case DesignObjective::kSuccess:
      return fmt::format("success {:.1f} %", 100 * value);
    case DesignObjective::kWorstCell:
      return fmt::format("worst cell {:.1f} %", 100 * value);
    case DesignObjective::kToleratedError:
      return fmt::format("{}{:.3g} times the robot's error at {:.4g} %",
                         value < kMostErrorScale ? "" : "at least ", value, 100 * rule.probability);
    case DesignObjective::kPoseSpread:
      break;
  }
  const std::string key = kSpreadOfWords[static_cast<std::size_t>(rule.spread_of)];
  if (std::isnan(value)) return fmt::format("success below {:.4g} %", 100 * rule.probability);
  return (value > kLeastSpread ? "spread " : "spread below ") + quantity_text(key, value);
}

}  // namespace graspmap
