#include "grasp/decide/sequence/sequence_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "grasp/base/io/number.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/probability/random.hpp"
#include "grasp/decide/sequence/sequence_search.hpp"
#include "grasp/decide/sequence/squeeze_map.hpp"
#include "grasp/sweep/config/scenario_reader.hpp"

namespace graspmap {
namespace {

/// Draw numbers that a sweep's inputs do not have.
constexpr std::uint32_t kAngleDraw = 1001;
constexpr std::uint32_t kXDraw = 1002;
constexpr std::uint32_t kYDraw = 1003;

/// The search's start poses have indices that trials do not have.
constexpr std::uint64_t kSearchPoses = std::uint64_t{2} << 60U;

constexpr int kSearchCloud = 720;
constexpr int kMapDraws = 6;
constexpr std::int64_t kTrialsOfChoice = 400;
constexpr std::size_t kSimulatedSequences = 4;  ///< of a length
constexpr double kMapError = 0.02;  ///< sequences whose share is less below the probability asked
                                    ///< for are simulated, too

std::vector<DrawnPhase> phases_of(const SweepConfig& config, const SqueezeSequence& squeezes,
                                  const SqueezeMotion& motion) {
  std::vector<DrawnPhase> phases;
  std::optional<double> opening_mm;
  for (const Squeeze& squeeze : squeezes) {
    for (DrawnPhase& phase : squeeze_phases(config.scenario, squeeze, motion, opening_mm)) {
      phases.push_back(phase);
    }
    if (!squeeze.is_push()) opening_mm = motion.opening_mm;
  }
  return phases;
}

PhaseCloud cloud_after(std::size_t phase, const std::vector<ProgramTrial>& trials, bool is_last,
                       const SamePose& same) {
  PhaseCloud after;
  std::int64_t there = 0;
  for (const ProgramTrial& trial : trials) {
    if (trial.is_failed()) continue;
    WeightedPose one;
    one.lost = phase >= trial.poses.size() || (is_last && trial.is_lost());
    if (!one.lost) {
      one.pose = trial.poses[phase];
      after.time_s += trial.times_s[phase];
      ++there;
    }
    after.cloud.push_back(one);
  }
  if (there > 0) after.time_s /= static_cast<double>(there);
  after.largest = largest_cluster(after.cloud, same);
  after.spread = spread_about(after.cloud, after.largest.pose, same);
  return after;
}

PoseCloud search_cloud(const SequenceQuestion& question, int draws) {
  PoseCloud cloud;
  for (int k = 0; k < kSearchCloud; ++k) {
    const auto number = kSearchPoses + static_cast<std::uint64_t>(k);
    WeightedPose one;
    one.pose = question.start.pose((k + 0.5) / kSearchCloud, question.seed, number);
    one.draw = k % draws;
    cloud.push_back(one);
  }
  return cloud;
}

/// Estimates the probability of the plan's program from trials first, first + 1, ...
void tell_probability(const SweepConfig& config, const KeptTrials& kept, std::int64_t first,
                      SequencePlan& plan) {
  plan.trials =
      simulate_program(config, plan.program, plan.question, first, plan.question.trials, kept);
  plan.counts = {};
  for (const WeightedPose& one : plan.trials.end().cloud) {
    ++plan.counts.trials;
    if (!one.lost && is_same(one.pose, plan.pose, plan.question.same)) ++plan.counts.successes;
  }
  plan.counts.failed = plan.trials.failed;
  plan.interval = plan.counts.interval(two_sided_z(plan.question.confidence));
}

/// The largest cluster at the end of the plan's program, in the trials of the choice.
PoseCluster end_of_choice(const SweepConfig& config, const KeptTrials& kept,
                          const SequencePlan& plan) {
  return simulate_program(config, plan.program, plan.question, kChoiceTrials, kTrialsOfChoice, kept)
      .end()
      .largest;
}

/// Some sequences of a length, whole programs of them: until one has the probability in the trials
/// by which it is chosen and in fresh ones. `plan` becomes that one, or the best; `best` is its
/// share. Returns the best share in the trials of the choice.
double choose(const SweepConfig& config, const std::vector<FoundSequence>& sequences,
              const KeptTrials& kept, SequencePlan& plan, double& best) {
  const SequenceQuestion& question = plan.question;
  double best_here = 0.0;
  for (std::size_t k = 0; k < std::min(kSimulatedSequences, sequences.size()); ++k) {
    SequencePlan found = plan;
    found.squeezes = sequences[k].squeezes;
    found.program = phases_of(config, found.squeezes, question.motion);
    const PoseCluster largest = end_of_choice(config, kept, found);
    found.pose = largest.pose;
    best_here = std::max(best_here, largest.share);
    double share = largest.share;
    if (share >= question.probability) {
      tell_probability(config, kept, kAcceptTrials + plan.refuted * question.trials, found);
      if (found.probability() >= question.probability) {
        found.accepted = true;
        plan = found;
        best = share;
        return best_here;
      }
      share = std::min(share, found.probability());
      found.refuted = ++plan.refuted;
    }
    if (share <= best) continue;
    best = share;
    plan = found;
  }
  return best_here;
}

/// What no sequence can exceed: start poses at all angles stay as many in each of the poses that
/// squeezes take for one. Beside the middle they may tell them apart, and so may pushes.
void set_bound(SqueezeMap& map, SequencePlan& plan) {
  const SequenceQuestion& question = plan.question;
  if (!question.start.has_all_angles() || question.offsets_mm != std::vector{0.0} ||
      !question.pushes_mm.empty()) {
    return;
  }
  plan.symmetry_rad = map.symmetry_rad();
  if (plan.symmetry_rad < 2.0 * question.same.within_rad) return;
  plan.bound = std::min(1.0, plan.symmetry_rad / question.same.period_rad);
}

/// Until a plan reaches the probability in fresh trials, or there are no more squeezes to add.
void search(const SweepConfig& config, const KeptTrials& kept,
            const std::function<void(const std::string&)>& line, SequencePlan& plan) {
  const SequenceQuestion& question = plan.question;
  SqueezeMap map(config, question.motion, question.pushes_mm, kMapDraws, question.seed,
                 question.threads, kept);
  set_bound(map, plan);
  const bool turns_first = !question.start.has_all_angles();
  std::vector<Squeeze> motions;
  for (const double offset : question.offsets_mm) motions.push_back({.offset_mm = offset});
  for (const double push : question.pushes_mm) motions.push_back({.push_mm = push});
  SequenceSearch search(map, search_cloud(question, map.draws()), question.same, motions,
                        turns_first);
  double best = -1.0;  // the first sequence is better than none
  for (int squeezes = 1; squeezes <= question.most_squeezes; ++squeezes) {
    const std::vector<FoundSequence> sequences = search.add_squeeze();
    SearchedLength length{squeezes, sequences.front().share, std::nullopt};
    const bool is_last = squeezes == question.most_squeezes;
    if (is_last || length.share >= question.probability - kMapError) {
      length.simulated = choose(config, sequences, kept, plan, best);
    }
    plan.searched.push_back(length);
    plan.squeezes_simulated = map.size();
    if (line) {
      line(fmt::format("{}: {} in the map{}; {} simulated for it{}\n",
                       length_words(squeezes, question), percent(length.share),
                       length.simulated ? ", " + percent(*length.simulated) + " in trials" : "",
                       map.size(),
                       plan.refuted > 0 ? fmt::format("; {} refuted", plan.refuted) : ""));
    }
    if (plan.accepted) return;
  }
}

}  // namespace

std::string length_words(int squeezes, const SequenceQuestion& question) {
  return counted(squeezes, "squeeze") + (question.pushes_mm.empty() ? ""
                                         : squeezes == 1            ? " or push"
                                                                    : " or pushes");
}

bool StartPoses::has_all_angles() const {
  return given.empty() && angles_rad[1] - angles_rad[0] > kWholeTurn_rad * (1.0 - 1e-9);
}

LyingPose StartPoses::pose(double level, std::uint64_t seed, std::uint64_t index) const {
  if (!given.empty()) {
    const auto k = static_cast<std::size_t>(level * static_cast<double>(given.size()));
    return given[std::min(k, given.size() - 1)];
  }
  const auto within = [&](std::uint32_t draw) {
    return 2.0 * uniform_open(seed, index, draw) - 1.0;
  };
  return {half_widths_mm.cwiseProduct(Vec2(within(kXDraw), within(kYDraw))),
          angles_rad[0] + level * (angles_rad[1] - angles_rad[0])};
}

ProgramTrials simulate_program(const SweepConfig& config, const std::vector<DrawnPhase>& program,
                               const SequenceQuestion& question, std::int64_t first,
                               std::int64_t count, const KeptTrials& kept) {
  SweepConfig with_program = config;
  with_program.scenario.program_as_drawn = program;
  with_program.scenario.program = program_of(program);
  const Vec2 point = squeeze_point_mm(config.scenario);
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), first);
  const std::vector<ProgramTrial> trials =
      kept.run(to_toml(with_program), numbers, question.threads,
               [&](std::int64_t k, Workspace& workspace, SimulationResult& result) {
                 const auto number = static_cast<std::uint64_t>(k);
                 const double level = uniform_open(question.seed, number, kAngleDraw);
                 return simulated_program(with_program, drawn_trial(config, question.seed, number),
                                          point, question.start.pose(level, question.seed, number),
                                          workspace, result);
               });
  ProgramTrials found;
  for (std::size_t phase = 0; phase <= program.size(); ++phase) {
    found.phases.push_back(cloud_after(phase, trials, phase == program.size(), question.same));
    found.phases.back().phase =
        phase == 0 ? "start" : brief_phase_words(with_program.scenario.program[phase - 1]);
  }
  for (const ProgramTrial& trial : trials) {
    found.lost += trial.is_lost() ? 1 : 0;
    found.failed += trial.is_failed() ? 1 : 0;
  }
  return found;
}

std::string search_text(const SweepConfig& config, const SequenceQuestion& question) {
  const StartPoses& start = question.start;
  const auto point = [](const Vec2& p) { return Value::List{p.x(), p.y()}; };
  const auto pose = [&](const LyingPose& one) {
    return Object{{"center_mm", point(one.center_mm)}, {"angle_rad", one.angle_rad}};
  };
  return json_document({{"config", to_toml(config)},
                        {"seed", question.seed},
                        {"turn_speed_rad_s", question.motion.turn_speed_rad_s},
                        {"opening_mm", question.motion.opening_mm},
                        {"half_widths_mm", point(start.half_widths_mm)},
                        {"angles_rad", start.angles_rad},
                        {"given", list_of(start.given, pose)}});
}

SequencePlan plan_sequence(const SweepConfig& config, const SequenceQuestion& question,
                           const KeptTrials& kept,
                           const std::function<void(const std::string&)>& line) {
  SequencePlan plan;
  plan.name = config.name;
  plan.question = question;
  plan.squeeze_point_mm = squeeze_point_mm(config.scenario);
  if (question.evaluate) {
    plan.program = config.scenario.program_as_drawn;
    plan.pose = end_of_choice(config, kept, plan).pose;
  } else {
    search(config, kept, line, plan);
  }
  // Trials that accept a sequence are those that come out well: others estimate its probability.
  tell_probability(config, kept, 0, plan);
  return plan;
}

}  // namespace graspmap
