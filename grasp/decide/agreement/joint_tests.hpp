#pragma once

#include <cstddef>
#include <vector>

#include "grasp/decide/agreement/agreement.hpp"

namespace graspmap {

/// A test statistic of the experiment and of experiments that were simulated under "no difference".
struct TestStatistic {
  bool two_sided = true;  ///< else large values speak against "no difference"
  double observed = 0.0;
  std::vector<double> simulated;  ///< of the same experiments in the same order for all statistics
};

struct JointTests {
  std::vector<TestResult> tests;
  double critical_p = 0.0;  ///< each test's level when all together have the level `level`
};

/// p-values of several statistics, each alone and adjusted for their number: step-down min-p,
/// Westfall and Young 1993, "Resampling-based multiple testing", algorithm 2.8. The observed
/// experiment counts as one of the simulated, which makes the tests exact when it is one. A
/// two-sided p-value is twice that of the nearer end.
JointTests joint_tests(const std::vector<TestStatistic>& statistics, double level);

}  // namespace graspmap
