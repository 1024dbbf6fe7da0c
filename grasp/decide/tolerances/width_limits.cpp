#include "grasp/decide/tolerances/width_limits.hpp"

#include <array>
#include <cmath>

namespace graspmap {
namespace {

constexpr int kStepsPerOctave = 8;
constexpr int kNarrowestStep = -4 * kStepsPerOctave;
constexpr int kWidestStep = 2 * kStepsPerOctave;

double factor_of_step(int step) { return std::exp2(static_cast<double>(step) / kStepsPerOctave); }

/// The widths of one input, all others as they are.
class OneInput {
 public:
  OneInput(WidthSample& sample, std::size_t inputs, std::size_t input)
      : sample_(sample), factors_(inputs, 1.0), input_(input) {}

  WidthLimit largest(double share) {
    if (reaches(factor_of_step(kWidestStep), share)) {
      return {WidthState::kAny, factor_of_step(kWidestStep)};
    }
    int low = 0;
    int high = kWidestStep;
    if (!reaches(1.0, share)) {
      low = kNarrowestStep;
      high = 0;
      if (!reaches(factor_of_step(low), share)) {
        return {reaches(0.0, share) ? WidthState::kExactOnly : WidthState::kNever, 0.0};
      }
    }
    while (high - low > 1) {
      const int middle = (high + low) / 2;
      (reaches(factor_of_step(middle), share) ? low : high) = middle;
    }
    return {WidthState::kLimited, factor_of_step(low)};
  }

 private:
  bool reaches(double factor, double share) {
    factors_[input_] = factor;
    return sample_.reaches(factors_, share);
  }

  WidthSample& sample_;
  std::vector<double> factors_;
  std::size_t input_;
};

}  // namespace

const char* name(WidthState state) {
  constexpr std::array kNames = {"never", "exact_only", "limited", "any"};
  return kNames[static_cast<std::size_t>(state)];
}

WidthLimits width_limits(const std::vector<ToleranceInput>& inputs, const WidthQuestion& question,
                         const SimulateWidths& simulate, const std::function<void(double)>& show) {
  const double z = two_sided_z(question.confidence);
  WidthSample sample(simulate, question.trials);
  WidthLimits limits;
  limits.question = question;
  limits.today = sample.count(std::vector<double>(inputs.size(), 1.0));
  limits.interval = limits.today.interval(z);
  const double sure = share_for_confidence(question.required, question.trials, z);
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    if (show) show(static_cast<double>(k) / static_cast<double>(inputs.size()));
    OneInput one(sample, inputs.size(), k);
    const WidthLimit estimate = one.largest(question.required);
    limits.inputs.push_back({inputs[k], estimate, one.largest(sure)});
  }
  if (show) show(1.0);
  return limits;
}

}  // namespace graspmap
