#include "sim/closing/grasp_stepper.hpp"

namespace graspmap {

std::unique_ptr<GraspStepper> make_other_stepper() { return nullptr; }

}  // namespace graspmap
