#include "bench/compare/measurement.hpp"

#include <algorithm>

#include "grasp/base/process/environment.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"

namespace graspmap::bench {
namespace {

constexpr std::size_t kTrialsPerTurn = 50;

/// One contestant under way.
struct Runner {
  Engine* engine = nullptr;
  Measurement measurement;
  std::vector<bool> unrepeatable;
  double seconds = 0.0;  ///< in this repetition
};

class Race {
 public:
  Race(const std::vector<Contestant>& contestants, const SweepConfig& config, int trials,
       const SweepControl& control)
      : config_(config), control_(control), results_(kTrialsPerTurn) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(trials); ++k) {
      trials_.push_back(sample_trial(config, static_cast<std::int64_t>(k)).parameters);
    }
    for (const Contestant& contestant : contestants) {
      runners_.push_back({contestant.engine.get(), {}, {}, 0.0});
      runners_.back().unrepeatable.resize(trials_.size());
    }
  }

  /// False when it was stopped.
  bool run(int repetition) {
    std::vector<std::size_t> order(trials_.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    if (repetition % 2 == 1) std::reverse(order.begin(), order.end());
    for (std::size_t begin = 0; begin < order.size(); begin += kTrialsPerTurn) {
      const std::size_t end = std::min(begin + kTrialsPerTurn, order.size());
      turn_.assign(order.begin() + static_cast<std::ptrdiff_t>(begin),
                   order.begin() + static_cast<std::ptrdiff_t>(end));
      for (Runner& runner : runners_) {
        if (control_.stop != nullptr && *control_.stop != 0) return false;
        run_turn(runner, repetition);
      }
    }
    for (Runner& runner : runners_) {
      runner.measurement.trials_per_s.push_back(static_cast<double>(trials_.size()) /
                                                runner.seconds);
      runner.seconds = 0.0;
    }
    return true;
  }

  std::vector<Measurement> measurements() {
    std::vector<Measurement> all;
    for (Runner& runner : runners_) {
      runner.measurement.unrepeatable = static_cast<int>(
          std::count(runner.unrepeatable.begin(), runner.unrepeatable.end(), true));
      all.push_back(std::move(runner.measurement));
    }
    return all;
  }

 private:
  /// The next few trials of one contestant; only the simulation is timed.
  void run_turn(Runner& runner, int repetition) {
    const double begin = thread_seconds();
    for (std::size_t k = 0; k < turn_.size(); ++k) {
      runner.engine->simulate(trials_[turn_[k]], results_[k]);
    }
    runner.seconds += thread_seconds() - begin;
    std::vector<TrialEnd>& ends = runner.measurement.ends;
    ends.resize(trials_.size());
    for (std::size_t k = 0; k < turn_.size(); ++k) {
      const TrialEnd end = trial_end(config_, results_[k]);
      if (repetition == 0) {
        ends[turn_[k]] = end;
      } else if (end != ends[turn_[k]]) {
        runner.unrepeatable[turn_[k]] = true;
      }
      if (control_.counters != nullptr) control_.counters->add(end.outcome);
    }
  }

  const SweepConfig& config_;
  const SweepControl& control_;
  std::vector<TrialParameters> trials_;
  std::vector<Runner> runners_;
  std::vector<std::size_t> turn_;
  std::vector<SimulationResult> results_;
};

}  // namespace

std::optional<std::vector<Measurement>> measure(const std::vector<Contestant>& contestants,
                                                const SweepConfig& config, int trials,
                                                int repetitions, const SweepControl& control) {
  Race race(contestants, config, trials, control);
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    if (!race.run(repetition)) return std::nullopt;
  }
  return race.measurements();
}

}  // namespace graspmap::bench
