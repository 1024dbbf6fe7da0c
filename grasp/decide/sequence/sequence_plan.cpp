#include "grasp/decide/sequence/sequence_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/assert.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/base/probability/random.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/decide/sequence/sequence_search.hpp"
#include "grasp/decide/sequence/squeeze_map.hpp"
#include "grasp/sweep/config/program_reader.hpp"

namespace graspmap {
namespace {

constexpr double kFullTurn_rad = 2.0 * std::numbers::pi;
constexpr double kDegrees = 360.0 / kFullTurn_rad;

/// Draw numbers that a sweep's inputs do not have.
constexpr std::uint32_t kAngleDraw = 1001;
constexpr std::uint32_t kXDraw = 1002;
constexpr std::uint32_t kYDraw = 1003;

/// The trials that a sequence is chosen by, those that tell its probability, and the search's start
/// poses have indices of their own.
constexpr std::uint64_t kChoiceTrials = std::uint64_t{1} << 60U;
constexpr std::uint64_t kSearchPoses = std::uint64_t{2} << 60U;

constexpr int kSearchCloud = 720;
constexpr int kMapDraws = 6;
constexpr std::int64_t kTrialsOfChoice = 400;
constexpr std::size_t kSimulatedSequences = 4;  ///< of a length
constexpr double kMapError = 0.02;  ///< sequences whose share is less below the probability asked
                                    ///< for are simulated, too

std::string phase_text(const DrawnPhase& phase) {
  switch (phase.action) {
    case PhaseAction::kClose:
      return "close";
    case PhaseAction::kOpen:
      return "open";
    case PhaseAction::kMove:
      return fmt::format("move by ({:.4g}, {:.4g}) mm", phase.by_mm.x(), phase.by_mm.y());
    case PhaseAction::kTurn:
      return fmt::format("turn by {:.1f} degrees", phase.by_rad * kDegrees);
    case PhaseAction::kWait:
      return fmt::format("wait {:.4g} s", phase.time_s);
  }
  return "";
}

std::vector<DrawnPhase> phases_of(const SweepConfig& config, const std::vector<double>& turns_rad,
                                  double speed_rad_s) {
  std::vector<DrawnPhase> phases;
  for (const double turn : turns_rad) {
    for (DrawnPhase& phase : squeeze_phases(config.scenario, turn, speed_rad_s)) {
      phases.push_back(phase);
    }
  }
  return phases;
}

/// What became of a trial, phase by phase.
struct ProgramTrial {
  std::vector<LyingPose> poses;  ///< at the start and at the end of each phase that ended
  std::vector<double> times_s;
  bool lost = false;
  bool failed = false;
};

PhaseCloud cloud_after(std::size_t phase, const std::vector<ProgramTrial>& trials, bool is_last,
                       const SamePose& same) {
  PhaseCloud after;
  std::int64_t there = 0;
  for (const ProgramTrial& trial : trials) {
    if (trial.failed) continue;
    WeightedPose one;
    one.lost = phase >= trial.poses.size() || (is_last && trial.lost);
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

/// The best of some sequences by the share of trials of whole programs; its own share.
double choose(const SweepConfig& config, const SequenceQuestion& question,
              const std::vector<SqueezeSequence>& sequences, SequencePlan& plan, double best) {
  double best_here = 0.0;
  std::size_t simulated = 0;
  for (const SqueezeSequence& sequence : sequences) {
    if (simulated++ == kSimulatedSequences) break;
    const auto phases = phases_of(config, sequence.turns_rad, question.turn_speed_rad_s);
    const ProgramTrials trials =
        simulate_program(config, phases, question, kChoiceTrials, kTrialsOfChoice);
    const PoseCluster& largest = trials.end().largest;
    best_here = std::max(best_here, largest.share);
    if (largest.share <= best) continue;
    best = largest.share;
    plan.turns_rad = sequence.turns_rad;
    plan.program = phases;
    plan.pose = largest.pose;
    if (best >= question.probability) break;
  }
  return best_here;
}

void search(const SweepConfig& config, const SequenceQuestion& question,
            const std::function<void(const std::string&)>& line, SequencePlan& plan) {
  SqueezeMap map(config, kMapDraws, question.seed, question.threads);
  const bool turns_first = !question.start.has_all_angles();
  SequenceSearch search(map, search_cloud(question, map.draws()), question.same, turns_first);
  double best = -1.0;  // the first sequence is better than none
  for (int squeezes = 1; squeezes <= question.most_squeezes; ++squeezes) {
    const std::vector<SqueezeSequence>& sequences = search.add_squeeze();
    SearchedLength length{squeezes, sequences.front().share, std::nullopt};
    const bool is_last = squeezes == question.most_squeezes;
    if (is_last || length.share >= question.probability - kMapError) {
      length.simulated = choose(config, question, sequences, plan, best);
      best = std::max(best, *length.simulated);
    }
    plan.searched.push_back(length);
    plan.squeezes_simulated = map.simulated();
    if (line) {
      line(fmt::format("{}: {} in the map{}; {} squeezes simulated\n", counted(squeezes, "squeeze"),
                       percent(length.share),
                       length.simulated ? ", " + percent(*length.simulated) + " in trials" : "",
                       map.simulated()));
    }
    if (best >= question.probability) return;
  }
}

}  // namespace

bool StartPoses::has_all_angles() const {
  return given.empty() && angles_rad[1] - angles_rad[0] > kFullTurn_rad * (1.0 - 1e-9);
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
                               const SequenceQuestion& question, std::uint64_t first,
                               std::int64_t count) {
  SweepConfig with_program = config;
  with_program.scenario.program = program_of(program);
  const Vec2 point = squeeze_point_mm(config.scenario);
  std::vector<ProgramTrial> trials(static_cast<std::size_t>(count));
  const auto run = [&](std::int64_t k, Workspace& workspace, SimulationResult& result) {
    const std::uint64_t number = first + static_cast<std::uint64_t>(k);
    const TrialDraw draw = drawn_trial(config, question.seed, number);
    const LyingPose start =
        question.start.pose(uniform_open(question.seed, number, kAngleDraw), question.seed, number);
    DrawnScenario memory;
    const Scenario& scenario = scenario_of(with_program, draw.uncertain, memory);
    simulate(scenario, trial_from(scenario, point, start, draw.friction), workspace, result);
    ProgramTrial& trial = trials[static_cast<std::size_t>(k)];
    trial.poses.push_back(start);
    trial.times_s.push_back(0.0);
    for (const PhaseEnd& end : result.phase_ends) {
      trial.poses.push_back(lying_pose(end.state, point));
      trial.times_s.push_back(end.time_s);
    }
    trial.lost = result.end != EndReason::kStopped && result.end != EndReason::kClosed;
    trial.failed = result.end == EndReason::kFailed || result.end == EndReason::kTooLong;
    return Outcome::kSuccess;
  };
  if (run_trials(count, {question.threads, stop_flag(), nullptr}, run) < count) {
    throw AnalysisStopped();
  }
  ProgramTrials found;
  for (std::size_t phase = 0; phase <= program.size(); ++phase) {
    found.phases.push_back(cloud_after(phase, trials, phase == program.size(), question.same));
    found.phases.back().phase = phase == 0 ? "start" : phase_text(program[phase - 1]);
  }
  for (const ProgramTrial& trial : trials) {
    found.lost += trial.lost ? 1 : 0;
    found.failed += trial.failed ? 1 : 0;
  }
  return found;
}

SequencePlan plan_sequence(const SweepConfig& config, const SequenceQuestion& question,
                           const std::function<void(const std::string&)>& line) {
  SequencePlan plan;
  plan.name = config.name;
  plan.question = question;
  plan.squeeze_point_mm = squeeze_point_mm(config.scenario);
  if (question.evaluate) {
    plan.program = config.scenario.program_as_drawn;
    plan.pose = simulate_program(config, plan.program, question, kChoiceTrials, kTrialsOfChoice)
                    .end()
                    .largest.pose;
  } else {
    search(config, question, line, plan);
  }
  if (line) line(fmt::format("{}\n", counted(question.trials, "fresh trial")));
  plan.trials = simulate_program(config, plan.program, question, 0, question.trials);
  for (const WeightedPose& one : plan.trials.end().cloud) {
    ++plan.counts.trials;
    if (!one.lost && is_same(one.pose, plan.pose, question.same)) ++plan.counts.successes;
  }
  plan.counts.failed = plan.trials.failed;
  plan.interval = wilson_interval_with_failed(plan.counts.successes, plan.counts.trials,
                                              plan.counts.failed, two_sided_z(question.confidence));
  return plan;
}

}  // namespace graspmap
