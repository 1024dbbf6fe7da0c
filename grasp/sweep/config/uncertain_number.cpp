#include "grasp/sweep/config/uncertain_number.hpp"

namespace graspmap {

void set_uncertain_numbers(const Scenario& nominal, const std::vector<UncertainNumber>& numbers,
                           std::span<const double> values, Scenario& trial) {
  trial = nominal;
  bool of_part = false;
  bool of_fingers = false;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const ScenarioNumber& number = numbers[k].number;
    number.put(trial, values[k]);
    of_part = of_part || number.shapes() == ShapesOf::kPart;
    of_fingers = of_fingers || number.shapes() == ShapesOf::kFingers;
  }
  if (of_part) make_shapes(ShapesOf::kPart, trial);
  if (of_fingers) make_shapes(ShapesOf::kFingers, trial);
}

}  // namespace graspmap
