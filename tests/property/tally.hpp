#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>

#include "tests/property/judgement.hpp"

namespace graspmap::testing {

/// Counts and worst values of the trials of a kind.
struct Tally {
  static constexpr int kEnds = 5;
  static constexpr int kPhaseEnds = 7;
  static constexpr int kWorst = 11;

  std::int64_t trials = 0;
  std::int64_t mirrored = 0;  ///< and compared
  std::int64_t repeated = 0;
  std::int64_t steps = 0;
  double seconds = 0.0;
  std::array<std::int64_t, kEnds> ends{};
  std::array<std::int64_t, kPhaseEnds> phase_ends{};  ///< by PhaseEndReason
  std::array<std::int64_t, kFaults> faults{};
  std::array<double, kWorst> worst{};

  void add(const Judgement& judgement, bool repeats) {
    ++trials;
    seconds += judgement.seconds;
    steps += judgement.seen.laws.steps;
    for (std::size_t k = 0; k < faults.size(); ++k) faults[k] += judgement.faults[k] ? 1 : 0;
    const StepLaws& laws = judgement.seen.laws;
    keep_largest(worst[0], judgement.seen.overlap);
    keep_largest(worst[1], laws.momentum);
    keep_largest(worst[2], laws.cone);
    keep_largest(worst[3], laws.opposition);
    keep_largest(worst[4], -laws.dissipation);
    keep_largest(worst[5], judgement.seen.energy);
    keep_largest(worst[6], judgement.seen.opening);
    keep_largest(worst[7], judgement.seen.late);
    keep_largest(worst[8], laws.drift);
    keep_largest(worst[9], laws.drift_beyond_rounding);
    keep_largest(worst[10], judgement.seconds);
    if (judgement.has(Fault::kTooManySteps) || judgement.has(Fault::kThrown)) return;
    for (const PhaseEnd& phase : judgement.result.phase_ends) {
      ++phase_ends[static_cast<std::size_t>(phase.reason)];
    }
    const EndReason end = judgement.result.end;
    ++ends[static_cast<std::size_t>(is_unsolved(end) ? EndReason::kFailed : end)];
    if (is_unsolved(end)) return;
    ++mirrored;
    repeated += repeats ? 1 : 0;
  }

  /// What `line` writes, by column.
  static std::string heading() {
    std::string text = "kind,trials,mirrored,repeated,steps,seconds,stopped,closed,timeout,blocked";
    text += ",failed";
    for (int k = 0; k < kPhaseEnds; ++k) {
      text += std::string(",p_") + name(static_cast<PhaseEndReason>(k));
    }
    for (const char* fault : kFaultNames) text += std::string(",n_") + fault;
    return text +
           ",max_overlap,max_momentum,max_cone,max_opposition,max_driving,max_energy,max_opening,"
           "max_late,max_drift,max_drift_beyond_rounding,max_seconds";
  }

  [[nodiscard]] std::string line(const char* kind) const {
    std::string text =
        fmt::format("{},{},{},{},{},{:.3f}", kind, trials, mirrored, repeated, steps, seconds);
    for (const std::int64_t count : ends) text += fmt::format(",{}", count);
    for (const std::int64_t count : phase_ends) text += fmt::format(",{}", count);
    for (const std::int64_t count : faults) text += fmt::format(",{}", count);
    for (const double value : worst) text += fmt::format(",{:.3g}", value);
    return text;
  }
};

}  // namespace graspmap::testing
