#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace graspmap {

/// The time-steppers of the papers.
enum class StepperKind : std::uint8_t {
  kImplicit,        ///< condensed: closest points as functions of the end configuration
  kImplicitFull,    ///< the full MNCP, Chakraborty et al. 2014, eq. (21)-(22), (28)-(32), (37)-(40)
  kStewartTrinkle,  ///< LCP, gap linearised at q^l + h v^l, Stewart and Trinkle 2000, eq. (13)-(20)
  kStewartTrinkleNonlinear,   ///< its fixed-point iteration, section 3.4
  kAnitescuPotra,             ///< velocity level, section 3.3
  kAnitescuHart,              ///< stabilised LCP, Hart and Anitescu 2003, eq. (2.11)-(2.12)
  kAnitescuHartUnstabilised,  ///< the same with Upsilon = Delta = 0
  kAnitescuHartConvex         ///< the optimisation variant, eq. (2.10)
};

inline constexpr std::array<StepperKind, 8> kStepperKinds{StepperKind::kImplicit,
                                                          StepperKind::kImplicitFull,
                                                          StepperKind::kStewartTrinkle,
                                                          StepperKind::kStewartTrinkleNonlinear,
                                                          StepperKind::kAnitescuPotra,
                                                          StepperKind::kAnitescuHart,
                                                          StepperKind::kAnitescuHartUnstabilised,
                                                          StepperKind::kAnitescuHartConvex};

/// The word for a stepper in scenes, configurations and options, such as "stewart-trinkle".
const char* name(StepperKind kind);

/// The stepper of a word, or nothing.
std::optional<StepperKind> stepper_kind(std::string_view word);

/// True when contact geometry is solved together with the motion at the end of the step.
constexpr bool is_implicit(StepperKind kind) {
  return kind == StepperKind::kImplicit || kind == StepperKind::kImplicitFull;
}

}  // namespace graspmap
