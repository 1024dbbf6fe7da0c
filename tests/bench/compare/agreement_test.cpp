#include "bench/compare/agreement.hpp"

#include <catch2/catch.hpp>
#include <cmath>

namespace graspmap::bench {
namespace {

TrialEnd end_at(Outcome outcome, double x_mm, double angle_rad = 0.0) {
  return {outcome, Pose2{{x_mm, 0.0}, angle_rad}, 0.0};
}

/// A trial that no disturbance changes.
ReferenceTrial robust_trial(Outcome outcome) {
  ReferenceTrial trial;
  trial.end.outcome = outcome;
  trial.disturbed.fill(trial.end);
  return trial;
}

}  // namespace

TEST_CASE("a trial is robust when no disturbance gives it another outcome") {
  ReferenceTrial trial = robust_trial(Outcome::kWedged);
  CHECK(trial.robust());
  for (std::size_t k = 0; k < kDisturbances.size(); ++k) {
    ReferenceTrial changed = trial;
    changed.disturbed[k].outcome = Outcome::kSuccess;
    CHECK_FALSE(changed.robust());
    CHECK(changed_outcomes({trial, changed, changed}, k) == 2);
  }
  CHECK_FALSE(robust_trial(Outcome::kFailed).robust());
}

TEST_CASE("disturbances change what they say and leave friction non-negative") {
  const TrialParameters trial{1.0, -11.0, 0.1, 0.003, 0.3};
  CHECK(kDisturbances[kHalfStep].step_factor == 0.5);
  double x_mm = 0.0;
  double least_mu = 1.0;
  for (const Disturbance& disturbance : kDisturbances) {
    const TrialParameters changed = disturbed(trial, disturbance);
    CHECK(changed.theta_rad == trial.theta_rad);
    x_mm += std::abs(changed.placement_x_mm - trial.placement_x_mm);
    least_mu = std::min(least_mu, changed.mu_jaw);
  }
  CHECK(x_mm == Approx(0.04));
  CHECK(least_mu == 0.0);
}

TEST_CASE("agreement counts robust trials apart, and failed trials never agree") {
  std::vector<ReferenceTrial> reference(4, robust_trial(Outcome::kSuccess));
  reference[1].disturbed[3].outcome = Outcome::kWedged;  // not robust
  reference[3] = robust_trial(Outcome::kFailed);
  const Agreement found =
      agreement(reference, {end_at(Outcome::kSuccess, 0.0), end_at(Outcome::kSuccess, 0.0),
                            end_at(Outcome::kWedged, 0.0), end_at(Outcome::kFailed, 0.0)});
  CHECK(found.trials == 4);
  CHECK(found.agreeing == 2);
  CHECK(found.robust == 2);
  CHECK(found.robust_agreeing == 1);
  CHECK(found.robust_wrong() == 1);
  CHECK(found.failed == 1);
  CHECK(found.robust_share() == 0.5);
  CHECK(found.robust_interval().low == Approx(0.0945).margin(1e-4));
  CHECK(found.robust_interval().high == Approx(0.9055).margin(1e-4));
}

TEST_CASE("pose errors are over trials with the same outcome, the worst overlap over all") {
  const std::vector<ReferenceTrial> reference(4, robust_trial(Outcome::kSuccess));
  std::vector<TrialEnd> ends{end_at(Outcome::kSuccess, 1.0, -0.3),
                             end_at(Outcome::kSuccess, -2.0, 0.2),
                             end_at(Outcome::kSuccess, 3.0, 0.1), end_at(Outcome::kWedged, 50.0)};
  ends[3].overlap_mm = 0.7;
  const Agreement found = agreement(reference, ends);
  CHECK(found.median_mm == 2.0);
  CHECK(found.p90_mm == 3.0);
  CHECK(found.p99_mm == 3.0);
  CHECK(found.median_rad == 0.2);
  CHECK(found.p90_rad == 0.3);
  CHECK(found.p99_rad == 0.3);
  CHECK(found.worst_overlap_mm == 0.7);

  const Agreement none = agreement(reference, std::vector(4, end_at(Outcome::kMissed, 0.0)));
  CHECK(none.agreeing == 0);
  CHECK(std::isnan(none.median_mm));
}

TEST_CASE("the reference is held against itself at half the step") {
  std::vector<ReferenceTrial> reference(3, robust_trial(Outcome::kSuccess));
  for (ReferenceTrial& trial : reference) {
    trial.disturbed[kHalfStep].final_pose.position_mm.y() = 1e-3;
  }
  reference[0].disturbed[kHalfStep].outcome = Outcome::kMissed;
  const Agreement half = convergence(reference);
  CHECK(half.agreeing == 2);
  CHECK(half.median_mm == 1e-3);
}

}  // namespace graspmap::bench
