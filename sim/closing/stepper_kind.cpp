#include "sim/closing/stepper_kind.hpp"

namespace graspmap {

const char* name(StepperKind kind) {
  switch (kind) {
    case StepperKind::kImplicit:
      return "implicit";
    case StepperKind::kImplicitFull:
      return "implicit-full";
    case StepperKind::kStewartTrinkle:
      return "stewart-trinkle";
    case StepperKind::kStewartTrinkleNonlinear:
      return "stewart-trinkle-nonlinear";
    case StepperKind::kAnitescuPotra:
      return "anitescu-potra";
    case StepperKind::kAnitescuHart:
      return "anitescu-hart";
    case StepperKind::kAnitescuHartUnstabilised:
      return "anitescu-hart-unstabilised";
    case StepperKind::kAnitescuHartConvex:
      return "anitescu-hart-convex";
  }
  return "";
}

std::optional<StepperKind> stepper_kind(std::string_view word) {
  for (const StepperKind kind : kStepperKinds) {
    if (word == name(kind)) return kind;
  }
  return std::nullopt;
}

}  // namespace graspmap
