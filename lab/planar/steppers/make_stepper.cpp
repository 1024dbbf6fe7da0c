#include "lab/planar/steppers/make_stepper.hpp"

#include "lab/planar/full/implicit_full.hpp"
#include "lab/planar/linear/anitescu_hart.hpp"
#include "lab/planar/linear/stewart_trinkle.hpp"
#include "lab/planar/steppers/end_geometry.hpp"

namespace graspmap {

std::unique_ptr<PlanarStepper> make_stepper(StepperKind kind, const StepperSettings& settings) {
  switch (kind) {
    case StepperKind::kImplicit:
      return make_end_geometry_stepper(EndGeometry::kNewton, settings);
    case StepperKind::kImplicitFull:
      return make_implicit_full(settings);
    case StepperKind::kStewartTrinkle:
      return make_stewart_trinkle(settings);
    case StepperKind::kStewartTrinkleNonlinear:
      return make_end_geometry_stepper(EndGeometry::kFrozen, settings);
    case StepperKind::kAnitescuPotra:
      return make_anitescu_potra(settings);
    case StepperKind::kAnitescuHart:
      return make_anitescu_hart(settings);
    case StepperKind::kAnitescuHartUnstabilised:
      return make_anitescu_hart_unstabilised(settings);
    case StepperKind::kAnitescuHartConvex:
      return make_anitescu_hart_convex(settings);
  }
  return nullptr;
}

}  // namespace graspmap
