#pragma once

#include <sys/resource.h>

#include <vector>

#include "grasp/base/probability/distribution.hpp"

namespace graspmap::bench {

/// The processor time of this process so far, in s.
inline double process_cpu_s() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// The middle one; of an even number, the upper of the two.
inline double median(const std::vector<double>& values) { return sample_quantile(values, 0.5); }

}  // namespace graspmap::bench
