#include "grasp/decide/tolerances/widened_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "geometry/assert.hpp"
#include "grasp/base/probability/distribution.hpp"
#include "grasp/base/probability/random.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/sweep/config/key_list.hpp"
#include "grasp/sweep/config/scenario_number.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {
namespace {

/// A number that must be positive keeps this share of its mean.
constexpr double kLeastShare = 0.01;
constexpr NumberRange kFrictionValues{.min = 0.0, .max = limits::kMostFriction};
constexpr std::array kRobotKeys = {"robot.x_mm", "robot.y_mm", "robot.theta_rad"};

/// All random inputs of a grasp, fixed ones too, in the order of its numbers: those of the
/// configuration, uncertain numbers first, then the robot's errors.
template <typename Config, typename Aim>
auto inputs_of(Config& config, Aim& aim) {
  auto inputs = random_inputs(config);
  std::rotate(inputs.begin(), inputs.end() - std::ssize(config.uncertain), inputs.end());
  for (std::size_t k = 0; k < 3; ++k) inputs.emplace_back(kRobotKeys[k], &aim.error[k]);
  return inputs;
}

}  // namespace

std::array<double, 3> AimAndRobot::standard_deviations() const {
  std::array<double, 3> result{};
  for (std::size_t k = 0; k < 3; ++k) result[k] = std::sqrt(error[k].variance());
  return result;
}

Distribution ToleranceInput::distribution_of(double factor) const {
  if (factor == 1) return distribution;
  if (factor > 0) return distribution.widened(factor);
  return Fixed{distribution.mean()};
}

ToleranceInput tolerance_input(const std::string& key, const Distribution& distribution,
                               const NumberRange& range) {
  ToleranceInput input;
  input.key = key;
  // The robot's errors are no keys; they have the units of the placement's noise.
  constexpr std::string_view kRobot = "robot.";
  input.unit =
      unit_of_key(key.starts_with(kRobot) ? "placement.noise." + key.substr(kRobot.size()) : key);
  input.distribution = distribution;
  if (distribution.is<Uniform>()) input.measure = WidthMeasure::kHalfWidth;
  input.width = distribution.width();
  const bool is_positive = range.min > 0 || range.above_min;
  input.least = is_positive ? std::max(range.min, kLeastShare * distribution.mean()) : range.min;
  // What today's distribution draws is possible.
  input.least = std::min(input.least, distribution.quantile(kLeastLevel));
  input.most = std::max(range.max, distribution.quantile(1 - kLeastLevel));
  return input;
}

std::vector<ToleranceInput> tolerance_inputs(const SweepConfig& config, const AimAndRobot& aim) {
  std::vector<ToleranceInput> inputs;
  const auto all = inputs_of(config, aim);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto& [key, distribution] = all[k];
    if (distribution->is_fixed()) continue;
    const NumberRange range = k < config.uncertain.size()    ? config.uncertain[k].number.range()
                              : key.starts_with("friction.") ? kFrictionValues
                                                             : kAnyNumber;
    inputs.push_back(tolerance_input(key, *distribution, range));
  }
  return inputs;
}

std::string width_text(const ToleranceInput& input, double width) {
  return fmt::format("{}{:.3g}{}{}", input.measure == WidthMeasure::kHalfWidth ? "±" : "σ ", width,
                     input.unit.empty() ? "" : " ", input.unit);
}

namespace {

/// The draw numbers of the robot's errors; those below are the sampler's (trial_sampler.cpp).
constexpr std::uint32_t kFirstRobotDraw = 1000;

}  // namespace

WidenedTrials::WidenedTrials(const SweepConfig& config, const AimAndRobot& aim,
                             std::span<const double> factors)
    : config_(config), aim_(aim), inputs_(tolerance_inputs(config, aim)) {
  GRASPMAP_CHECK(factors.size() == inputs_.size());
  const auto all = inputs_of(config_, aim_);
  for (std::size_t place = 0; place < all.size(); ++place) {
    Distribution& distribution = *all[place].second;
    if (distribution.is_fixed()) continue;
    distribution = inputs_[place_.size()].distribution_of(factors[place_.size()]);
    place_.push_back(place);
  }
}

Outcome WidenedTrials::simulate(TrialParameters parameters, std::vector<double> numbers,
                                std::uint64_t seed, std::uint64_t index, Workspace& workspace,
                                SimulationResult& result) const {
  const std::size_t uncertain = numbers.size();
  const auto& [x, y, theta] = aim_.at;
  numbers.insert(numbers.end(),
                 {parameters.mu_jaw, parameters.mu_support, parameters.placement_x_mm - x,
                  parameters.placement_y_mm - y, parameters.theta_rad - theta});
  for (std::uint32_t k = 0; k < 3; ++k) {
    const double u = uniform_open(seed, index, kFirstRobotDraw + k);
    numbers.push_back(aim_.error[k].quantile(u));
  }
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    double& number = numbers[place_[k]];
    number = std::clamp(number, inputs_[k].least, inputs_[k].most);
  }
  const double* other = numbers.data() + uncertain;
  parameters.mu_jaw = other[0];
  parameters.mu_support = other[1];
  parameters.placement_x_mm = x + other[2] + other[5];
  parameters.placement_y_mm = y + other[3] + other[6];
  parameters.theta_rad = theta + other[4] + other[7];
  try {
    return run_trial(config_, parameters, std::span(numbers.data(), uncertain), workspace, result)
        .outcome;
  } catch (const ConfigError&) {
    return Outcome::kBlocked;
  }
}

Outcome WidenedTrials::run(std::uint64_t seed, std::uint64_t index, Workspace& workspace,
                           SimulationResult& result) const {
  const auto& [x, y, theta] = aim_.at;
  return simulate(sample_at(config_, {x, y, theta}, seed, index),
                  sample_uncertain(config_, seed, index), seed, index, workspace, result);
}

Outcome WidenedTrials::run(std::uint64_t seed, const PartOfLot& part, Workspace& workspace,
                           SimulationResult& result) const {
  const auto& [x, y, theta] = aim_.at;
  return simulate(sample_at(config_, {x, y, theta}, seed, part),
                  sample_uncertain(config_, seed, part), seed, part.part, workspace, result);
}

namespace {

constexpr std::int64_t kFirstLook = 250;
constexpr double kSureZ = 3.5;

SampleCounts counted(const std::vector<PairSide>& outcomes, std::int64_t first_trials) {
  SampleCounts count;
  for (std::int64_t k = 0; k < first_trials; ++k) {
    const PairSide outcome = outcomes[static_cast<std::size_t>(k)];
    count.successes += outcome == PairSide::kSuccess ? 1 : 0;
    count.failed += outcome == PairSide::kFailed ? 1 : 0;
  }
  count.trials = first_trials - count.failed;
  return count;
}

}  // namespace

WidthSample::WidthSample(SimulateWidths simulate, std::int64_t most)
    : simulate_(std::move(simulate)), most_(most) {}

const std::vector<PairSide>& WidthSample::outcomes(const std::vector<double>& factors,
                                                   std::int64_t count) {
  std::vector<PairSide>& known = outcomes_[factors];
  const auto first = static_cast<std::int64_t>(known.size());
  if (first < count) {
    const std::vector<PairSide> more = simulate_(factors, first, count - first);
    known.insert(known.end(), more.begin(), more.end());
    simulated_ += count - first;
  }
  return known;
}

SampleCounts WidthSample::count(const std::vector<double>& factors) {
  return counted(outcomes(factors, most_), most_);
}

bool WidthSample::reaches(const std::vector<double>& factors, double share) {
  for (std::int64_t n = std::min(kFirstLook, most_); n < most_; n *= 2) {
    const Interval sure = counted(outcomes(factors, n), n).interval(kSureZ);
    if (sure.low >= share) return true;
    if (sure.high < share) return false;
  }
  return count(factors).share() >= share;
}

Estimate WidthSample::difference(const std::vector<double>& a, const std::vector<double>& b,
                                 double z) {
  const std::vector<PairSide> of_a = outcomes(a, most_);
  const std::vector<PairSide>& of_b = outcomes(b, most_);
  PairedStratum pairs{1.0, {}};
  for (std::size_t k = 0; k < of_a.size(); ++k) pairs.pairs.add(of_a[k], of_b[k]);
  return paired_difference(std::span(&pairs, 1), z);
}

double share_for_confidence(double probability, std::int64_t trials, double z) {
  return probability + z * std::sqrt(probability * (1 - probability) / static_cast<double>(trials));
}

namespace {

/// Seeds of a run are smaller.
constexpr std::uint64_t kSeedOfSamples = 0xf46f'6c00'0000'0000;

}  // namespace

SimulateWidths simulated_widths(const SweepConfig& config, const AimAndRobot& aim,
                                std::uint64_t seed, int threads) {
  return [&config, aim, seed, threads](std::span<const double> factors, std::int64_t first,
                                       std::int64_t count) {
    const WidenedTrials trials(config, aim, factors);
    std::vector<PairSide> sides(static_cast<std::size_t>(count), PairSide::kFailed);
    run_trials(count, {threads, stop_flag()},
               [&](std::int64_t index, Workspace& workspace, SimulationResult& result) {
                 const Outcome outcome =
                     trials.run(kSeedOfSamples + seed, static_cast<std::uint64_t>(first + index),
                                workspace, result);
                 sides[static_cast<std::size_t>(index)] = pair_side(outcome);
                 return outcome;
               });
    check_stop();
    return sides;
  };
}

}  // namespace graspmap
