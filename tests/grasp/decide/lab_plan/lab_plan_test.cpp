#include "grasp/decide/lab_plan/lab_plan.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "grasp/base/probability/distribution.hpp"
#include "grasp/base/probability/random.hpp"

namespace graspmap::testing {
namespace {

const Distribution kNormal = Normal{0.0, 1.0};

/// Experiments whose power is that of a normal statistic of this slope.
PowerFunction normal_power(double at_zero, double slope, double most_power = 1.0) {
  return [=](std::int64_t trials, std::int64_t experiments) {
    LabPower power{trials, experiments, 0, {}, 0};
    const double p = std::min(
        most_power, kNormal.cumulative(at_zero + slope * std::sqrt(static_cast<double>(trials))));
    for (std::int64_t r = 0; r < experiments; ++r) {
      const double u =
          uniform_open(static_cast<std::uint64_t>(trials), static_cast<std::uint64_t>(r), 0);
      if (u < p) ++power.reached;
    }
    return power;
  };
}

LabRequest goal_request(const LabGoal& goal) { return {goal, 0.8, 0.95}; }

}  // namespace

TEST_CASE("lab search: finds the number of trials of a normal statistic") {
  const LabRequest request = goal_request(DetectGoal{});
  for (const double slope : {0.05, 0.15, 0.5}) {
    const double root = (1.96 + 0.8416) / slope;
    for (const double guess : {0.3, 1.0, 4.0}) {
      const LabTrials found =
          search_trials(request, guess * root * root, 1000, normal_power(-1.96, slope));
      CHECK(found.found);
      CHECK(static_cast<double>(found.trials) == Approx(root * root).epsilon(0.12));
      CHECK(found.steps.back().trials == found.trials);
      CHECK(found.steps.back().experiments == 1000);
    }
  }
}

TEST_CASE("lab search: says so when the power stays below what is asked") {
  const LabRequest request = goal_request(DetectGoal{});
  const LabTrials flat = search_trials(request, 100, 500, normal_power(-1.64, 0.0));
  CHECK_FALSE(flat.found);
  const LabTrials few = search_trials(request, 100, 500, normal_power(-1.96, 0.2, 0.5));
  CHECK_FALSE(few.found);
  CHECK(few.steps.back().trials > 4'000);
  const LabTrials slow = search_trials(request, 100, 500, normal_power(-1.96, 0.02));
  CHECK_FALSE(slow.found);
  CHECK(slow.steps.back().trials == kMostLabTrials);
}

TEST_CASE("lab search: of two powers near the one that is asked the nearer one is taken") {
  for (const double first : {0.785, 0.815}) {
    for (const double next : {0.795, 0.84}) {
      int seen = 0;  // of the steps with all experiments
      const PowerFunction power = [&](std::int64_t trials, std::int64_t experiments) {
        const double p = experiments < 1000 ? 0.78 : (seen++ == 0 ? first : next);
        return LabPower{
            trials, experiments, std::llround(p * static_cast<double>(experiments)), {}, 0};
      };
      const LabTrials found = search_trials(goal_request(DetectGoal{}), 59, 1000, power);
      CAPTURE(first, next);
      CHECK(found.found);
      CHECK(seen == 2);
      CHECK(found.steps.back().trials == found.trials);
      CHECK(found.steps.back().power() == (next < 0.8 ? next : first));
    }
  }
}

TEST_CASE("lab search: where one placement decides, no trial more than it takes") {
  // From the 37th trial on, whose placement decides, all experiments reach the goal.
  const PowerFunction jump = [](std::int64_t trials, std::int64_t experiments) {
    return LabPower{trials, experiments, trials < 37 ? experiments / 4 : experiments, {}, 0};
  };
  const LabTrials found = search_trials(goal_request(DetectGoal{}), 26, 1000, jump);
  CHECK(found.found);
  CHECK(found.trials >= 37);
  CHECK(found.trials <= 40);
  CHECK(found.steps.back().trials == found.trials);
  CHECK(found.steps.back().power() == 1.0);
}

TEST_CASE("lab search: intervals as wide as asked for") {
  const LabRequest request = goal_request(LearnGoal{Change::kShiftX, 0.5});
  const PowerFunction widths = [](std::int64_t trials, std::int64_t experiments) {
    LabPower power{trials, experiments, 0, {}, 0};
    for (std::int64_t r = 0; r < experiments; ++r) {
      const double spread = 0.9 + 0.2 * static_cast<double>(r) / static_cast<double>(experiments);
      power.widths.push_back(10 * spread / std::sqrt(static_cast<double>(trials)));
      if (power.widths.back() <= 0.5) ++power.reached;
    }
    return power;
  };
  const LabTrials found = search_trials(request, 30, 1000, widths);
  CHECK(found.found);
  // 80 % of the widths are below 10 (0.9 + 0.2 * 0.8) / sqrt(n).
  CHECK(static_cast<double>(found.trials) == Approx(400 * 1.06 * 1.06).epsilon(0.03));
  CHECK(found.steps.back().power() == Approx(0.8).margin(0.05));
}

TEST_CASE("lab search: the line of powers near a number of trials") {
  std::vector<LabPower> steps;
  for (const std::int64_t trials : {100, 144, 196}) {
    steps.push_back(normal_power(-1.645, 0.2)(trials, 4000));
  }
  const PowerLine line = power_line(steps, 144, 0.95);
  CHECK(line.slope == Approx(0.2).margin(0.02));
  CHECK(line.power(144) == Approx(kNormal.cumulative(-1.645 + 2.4)).margin(0.02));
  CHECK(line.trials_for(line.power(150)) == Approx(150));
  CHECK(std::isinf(PowerLine{-1.0, 0.0}.trials_for(0.8)));
}

}  // namespace graspmap::testing
