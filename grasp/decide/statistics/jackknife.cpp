#include "grasp/decide/statistics/jackknife.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <vector>

namespace graspmap {

Interval jackknife_interval(double estimate, std::span<const double> left_out, double confidence) {
  std::vector<double> values;
  for (const double value : left_out) {
    if (!std::isnan(value)) values.push_back(value);
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (values.size() < 2) return {-kInfinity, kInfinity};
  const auto groups = static_cast<double>(values.size());
  double mean = 0;
  for (const double value : values) mean += value / groups;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const boost::math::students_t_distribution<double> student(groups - 1);
  const double t = boost::math::quantile(student, (1 + confidence) / 2);
  const double half = t * std::sqrt((groups - 1) / groups * squares);
  return {estimate - half, estimate + half};
}

}  // namespace graspmap
