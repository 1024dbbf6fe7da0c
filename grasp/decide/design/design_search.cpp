#include "grasp/decide/design/design_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "geometry/assert.hpp"
#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/base/io/request.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/probability/even_points.hpp"
#include "grasp/base/probability/random.hpp"
#include "grasp/base/probability/stratified.hpp"

namespace graspmap {
namespace {

constexpr std::size_t kElite = 10;       ///< that later generations start from
constexpr std::size_t kFrontElite = 24;  ///< the same of a front
constexpr std::int64_t kFinalNearGrasps = 1024;
constexpr std::int64_t kSharedGrasps = 128;    ///< at each of the others' placements
constexpr std::uint64_t kMoveSeed = 0x5D3517;  ///< of the moves to the next generation
constexpr double kStudent15 = 2.131;  ///< of 15 degrees of freedom, at 95 %; others in proportion

class Search {
 public:
  Search(const DesignQuestion& question, const DesignSpace& space, KeptGrasps& kept,
         const std::function<void(const std::string&)>& line)
      : question_(question), kept_(kept), line_(line), race_(question, space, kept) {}

  DesignAnswer run();

 private:
  [[nodiscard]] std::size_t elite() const { return race_.is_front() ? kFrontElite : kElite; }

  /// A design as a candidate; nothing when it is known, or is refused.
  Candidate* add(const Design& design);
  Candidates first_generation();
  Candidates next_generation(const Candidates& parents, int generation);
  /// The best ones, of all that were tried: those with the most grasps first.
  [[nodiscard]] Candidates finalists() const;
  void put_middle_first(Candidates& best, std::int64_t grasps) const;

  [[nodiscard]] RatedDesign rated(const Candidate& candidate) const;
  [[nodiscard]] Estimate estimate(std::size_t objective,
                                  const std::vector<double>& of_blocks) const;
  VerifiedDesign verify(const Candidate& candidate, std::vector<std::vector<double>>& of_blocks);
  void tell(int generation, const Candidate& best, std::size_t tried) const;

  const DesignQuestion& question_;
  KeptGrasps& kept_;
  const std::function<void(const std::string&)>& line_;
  DesignRace race_;
  std::vector<std::unique_ptr<Candidate>> all_;
  std::set<std::vector<std::string>> known_;  ///< by their overrides
  RefusedDesigns refused_;
  std::uint32_t next_point_ = 0;
};

Candidate* Search::add(const Design& design) {
  const std::vector<std::string> overrides = race_.space().overrides(design);
  if (!known_.insert(overrides).second) return nullptr;
  try {
    all_.push_back(std::make_unique<Candidate>(race_.built(design, overrides)));
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
    for (std::uint32_t k = 0; k < race_.space().dimensions(); ++k) {
      point.push_back(even_level(question_.seed, next_point_, k));
    }
    ++next_point_;
    if (Candidate* candidate = add(race_.space().at(point))) found.push_back(candidate);
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
    for (std::uint32_t k = 0; k < race_.space().dimensions(); ++k) {
      moves.push_back(uniform_open(question_.seed ^ kMoveSeed, number, k));
    }
    const Candidate& parent = *parents[static_cast<std::size_t>(child) % parents.size()];
    Candidate* candidate = add(race_.space().near(parent.design, reach, moves));
    if (candidate == nullptr) continue;
    for (std::size_t p = 0; p < candidate->parts.size(); ++p) {
      candidate->parts[p].aim = parent.parts[p].aim;
      candidate->parts[p].aim_sigma = parent.parts[p].aim_sigma;
    }
    found.push_back(candidate);
  }
  return found;
}

/// Among the designs of the best one's shape that lose nothing that counts, the one in their middle
/// comes first: it is the least likely to lie at an edge.
void Search::put_middle_first(Candidates& best, std::int64_t grasps) const {
  if (race_.is_front()) return;
  const Candidate& first = *best.front();
  const double highest = race_.score(first, 0, grasps);
  Candidates tied;
  for (Candidate* candidate : best) {
    const double loss = highest - race_.score(*candidate, 0, grasps);
    if (candidate->design.shape == first.design.shape && loss <= race_.no_loss(highest) &&
        !race_.is_clearly_worse(*candidate, first, grasps)) {
      tied.push_back(candidate);
    }
  }
  std::vector<double> middle(race_.space().variables(), 0.0);
  for (std::size_t k = 0; k < middle.size(); ++k) {
    if (!race_.space().has(first.design.shape, k)) continue;
    for (const Candidate* candidate : tied) {
      middle[k] += race_.space().level(candidate->design, k) / static_cast<double>(tied.size());
    }
  }
  const auto distance = [&](const Candidate* candidate) {
    double squares = 0.0;
    for (std::size_t k = 0; k < middle.size(); ++k) {
      if (!race_.space().has(first.design.shape, k)) continue;
      const double off = race_.space().level(candidate->design, k) - middle[k];
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
    race_.sort_best_first(candidates, grasps);
    found.insert(found.end(), candidates.begin(), candidates.end());
  }
  if (found.size() > elite()) found.resize(elite());
  return found;
}

RatedDesign Search::rated(const Candidate& candidate) const {
  RatedDesign design;
  design.design = candidate.design;
  design.words = race_.space().words(candidate.design);
  design.overrides = race_.space().overrides(candidate.design);
  design.grasps = candidate.grasps;
  for (std::size_t k = 0; k < race_.objectives().size(); ++k) {
    design.values.push_back(
        value_of_score(race_.objectives()[k], race_.score(candidate, k, candidate.grasps)));
  }
  for (const CandidatePart& part : candidate.parts) {
    if (race_.is_at_aims()) design.aims.push_back(part.aim);
  }
  return design;
}

Estimate Search::estimate(std::size_t k, const std::vector<double>& of_blocks) const {
  const std::vector<double> zero(of_blocks.size(), 0.0);
  const ScoreDifference told = score_difference(of_blocks, zero, 0.0);
  const double factor = kStudent15 / kZ95 * two_sided_z(question_.confidence);
  const double value = value_of_score(race_.objectives()[k], told.value);
  const double far = factor * told.standard_error;
  const double most =
      is_share(race_.objectives()[k]) ? 1.0 : std::numeric_limits<double>::infinity();
  return {value, {std::max(value - far, 0.0), std::min(value + far, most)}};
}

/// The interval of the least of several success probabilities: all of them hold at once.
Estimate least_of(const std::vector<SampleCounts>& counts, double confidence) {
  const double each = 1.0 - (1.0 - confidence) / static_cast<double>(counts.size());
  Estimate least{1.0, {1.0, 1.0}};
  for (const SampleCounts& count : counts) {
    const Interval one = count.interval(two_sided_z(each));
    least.value = std::min(least.value, count.share());
    least.interval.low = std::min(least.interval.low, one.low);
    least.interval.high = std::min(least.interval.high, one.high);
  }
  return least;
}

VerifiedDesign Search::verify(const Candidate& candidate,
                              std::vector<std::vector<double>>& of_blocks) {
  VerifiedDesign verified;
  std::map<GraspAt, std::vector<GraspJob>> jobs;
  std::set<GraspAt> kinds = race_.kinds();
  // How often the grasp succeeds is reported whatever the objective is, where there is an error.
  if (question_.error) kinds.insert(GraspAt::kAim);
  for (const GraspAt at : kinds) {
    for (const CandidatePart& part : candidate.parts) {
      const auto cells = static_cast<std::int64_t>(part.grasp->cells());
      std::int64_t count = question_.trials;
      // A cell gets few of them, and a scale of the error.
      if (at == GraspAt::kCells) count = std::max(count, 100 * cells);
      if (at == GraspAt::kScaled) count *= 4;
      jobs[at].push_back(part.grasp->job(candidate.id, at, 0, count, part.aim, {}, /*fresh=*/true));
    }
    race_.run(jobs[at]);
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
  for (std::size_t k = 0; k < race_.objectives().size(); ++k) {
    const std::vector<GraspJob>& of_kind = jobs[grasps_for(race_.objectives()[k])];
    std::vector<std::vector<double>> parts;
    std::vector<SampleCounts> counts;
    for (std::size_t p = 0; p < of_kind.size(); ++p) {
      const DesignedGrasp& grasp = *candidate.parts[p].grasp;
      parts.push_back(score_and_blocks(race_.objective(k, grasp), of_kind[p].ends));
      const bool by_cell = race_.objectives()[k] == DesignObjective::kWorstCell;
      for (const SampleCounts& count : counts_of(of_kind[p], by_cell ? grasp.cells() : 1)) {
        counts.push_back(count);
      }
    }
    of_blocks.push_back(race_.combined(parts));
    const bool is_least =
        question_.rule.parts_rule == PartsRule::kWorst || question_.parts.size() == 1;
    if (is_share(race_.objectives()[k]) && is_least) {
      verified.values.push_back(least_of(counts, question_.confidence));
    } else if (race_.objectives()[k] == DesignObjective::kSuccess) {
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

void Search::tell(int generation, const Candidate& best, std::size_t tried) const {
  if (!line_) return;
  const RatedDesign design = rated(best);
  line_(fmt::format("{}, {}: {} ({})\n",
                    generation == 0 ? "first designs" : fmt::format("generation {}", generation),
                    counted(static_cast<std::int64_t>(tried), "design"),
                    objective_text(question_.rule, race_.objectives()[0], design.values[0]),
                    design.words));
}

DesignAnswer Search::run() {
  // No design of the space: its values are not asked for.
  Candidate today = race_.built({0, std::vector<double>(race_.space().variables(), 0.0)}, {});
  today.id = "today";
  Candidates fresh = first_generation();
  race_.find_aims(fresh);
  Candidates best = race_.race(fresh, elite());
  tell(0, *best.front(), all_.size());
  race_.share_aims(best, kSharedGrasps);
  race_.extend(best, question_.most_trials);
  for (int generation = 1; generation <= question_.generations; ++generation) {
    fresh = next_generation(best, generation);
    if (fresh.empty()) continue;
    race_.refine_aims(fresh, DesignRace::kNearGrasps);
    fresh.insert(fresh.begin(), best.begin(), best.end());
    best = race_.race(fresh, elite());
    tell(generation, *best.front(), all_.size());
  }

  DesignAnswer answer{question_, race_.space()};
  answer.refused = refused_;
  for (const auto& candidate : all_) answer.all.push_back(rated(*candidate));

  // With better placements their grasps begin again.
  best = finalists();
  race_.find_aims({&today});
  Candidates last = best;
  last.push_back(&today);
  if (race_.has_aims()) {
    race_.refine_aims(last, kFinalNearGrasps);
    race_.share_aims(last, 2 * kSharedGrasps);
    for (Candidate* candidate : last) {
      for (CandidatePart& part : candidate->parts) part.ends.clear();
    }
  }
  const std::int64_t grasps = 4 * question_.most_trials;
  race_.extend(last, grasps);
  race_.sort_best_first(best, grasps);
  const Candidate* highest = best.front();
  put_middle_first(best, grasps);
  for (const Candidate* candidate : best) {
    RatedDesign design = rated(*candidate);
    design.tied = !race_.is_clearly_worse(*candidate, *highest, grasps);
    design.on_front = std::none_of(best.begin(), best.end(), [&](const Candidate* other) {
      return race_.is_front() && race_.is_clearly_worse(*candidate, *other, grasps);
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
  for (std::size_t k = 0; k < race_.objectives().size(); ++k) {
    const ScoreDifference gain = score_difference(
        of_best[k], of_today[k], race_.least_error(k, of_best[k][0], question_.trials));
    const double far = kStudent15 / kZ95 * two_sided_z(question_.confidence) * gain.standard_error;
    answer.gains.push_back({gain.value, {gain.value - far, gain.value + far}});
  }
  answer.searched = kept_.used();
  answer.profiles = variable_profiles(race_, *best.front());
  for (const CandidatePart& part : best.front()->parts) {
    answer.configs.push_back(part.grasp->config());
  }
  answer.simulated = kept_.used();
  return answer;
}

}  // namespace

std::string design_search_text(const DesignQuestion& question) {
  const auto config_of = [&](const DesignedPart& part) {
    SweepConfig config = parse_sweep_config(part.text, part.source);
    config.design = question.rule;
    config.robot = question.error;
    return to_toml(config);
  };
  return json_document({{"designs", question.designs},
                        {"generations", question.generations},
                        {"most_trials", question.most_trials},
                        {"trials", question.trials},
                        {"seed", question.seed},
                        {"parts", list_of(question.parts, config_of)}});
}

DesignAnswer search_design(const DesignQuestion& question, const DesignSpace& space,
                           KeptGrasps& kept, const std::function<void(const std::string&)>& line) {
  GRASPMAP_CHECK(!question.parts.empty());
  return Search(question, space, kept, line).run();
}

std::string objective_text(const DesignRule& rule, DesignObjective objective, double value) {
  switch (objective) {
    case DesignObjective::kSuccess:
      return "success " + percent(value);
    case DesignObjective::kWorstCell:
      return "worst cell " + percent(value);
    case DesignObjective::kToleratedError:
      return fmt::format("{}{:.3g} times the robot's error at {:.4g} %",
                         value < kMostErrorScale ? "" : "at least ", value, 100 * rule.probability);
    case DesignObjective::kPoseSpread:
      break;
  }
  const std::string word = kSpreadOfWords[static_cast<std::size_t>(rule.spread_of)];
  if (std::isnan(value)) return fmt::format("success below {:.4g} %", 100 * rule.probability);
  return (value > kLeastSpread ? "spread " : "spread below ") +
         quantity_text("placement.noise." + word, value);
}

}  // namespace graspmap
