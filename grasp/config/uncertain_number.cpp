#include "grasp/config/uncertain_number.hpp"

namespace graspmap {

void set_uncertain_numbers(const Scenario& nominal, const std::vector<UncertainNumber>& numbers,
                           std::span<const double> values, Scenario& trial) {
  trial = nominal;
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k].number.set(trial, values[k]);
}

}  // namespace graspmap
