#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "grasp/decide/support_fit/support_fit.hpp"
#include "lab/measured_pushes/least_squares.hpp"
#include "lab/measured_pushes/push_simulation.hpp"

namespace graspmap {

/// A push as it is compared: where it begins, and where it ended.
struct ComparedPush {
  const RecordedPush* push = nullptr;  ///< with an end
  PushStart start;
};

/// What differs between the laws of a family: u_01, u_02, log u_11, u_12, log u_22 of an upper
/// triangular U with u_00 = 1; log(mu_pusher / kPriorFriction); and a, b of a table whose friction
/// depends on the direction, as along and across the grain of wood.
using PushParameters = Eigen::Matrix<double, 8, 1>;

/// Friction of the pusher before any push is seen, and how far the parameters are from 0 then.
inline constexpr double kPriorFriction = 0.25;
inline constexpr double kPriorSd = 0.3;
inline constexpr double kPriorDirectionSd = 0.03;  ///< of a and b

/// A limit surface H(y) = 1 in other axes, H(U V y) = 1: convex as it is. The shape of the surface
/// is from wrenches and twists, its axes and the friction of the pusher are from pushes. V
/// stretches forces by 1 +- (a^2 + b^2)^(1/2) along axes of the table, seen from the part at its
/// start.
class PushLawFamily {
 public:
  /// The surface of a kind, an ellipsoid or of fourth order, that explains pairs of wrench and
  /// twist best (fit-support). `length_mm` is what moments are divided by.
  PushLawFamily(SlidingKind kind, const std::vector<MeasuredPush>& pairs, double length_mm,
                double mass_kg);

  [[nodiscard]] PushLaw law(const PushParameters& parameters, double angle_rad) const;
  [[nodiscard]] SlidingKind kind() const { return kind_; }

 private:
  SlidingKind kind_;
  SupportModel support_;
  double mu_support_;
};

/// A law that was fitted.
struct PushFit {
  PushLawFamily family;
  PushParameters parameters = PushParameters::Zero();
  double misfit = 0.0;  ///< what the fit has made as small as it could
  int pushes = 0;       ///< that it was fitted on
  int unsolved = 0;     ///< of these, at the end

  /// For a push that begins with the part at an angle.
  [[nodiscard]] PushLaw law_at(double angle_rad) const { return family.law(parameters, angle_rad); }
};

/// The parameters that explain the ends of pushes best: the least sum of the squares of
/// end_residual and of (parameter / its standard deviation)^2. Without pushes the parameters stay
/// 0; a and b do unless `directed`.
PushFit fit_push_law(const PushLawFamily& family, bool directed, double length_mm,
                     const PushScene& scene, const std::vector<ComparedPush>& pushes,
                     Workspace& workspace, SimulationResult& result);

/// The law of uniform pressure, nothing fitted: the ellipsoid of the plate's area, both
/// coefficients of friction 0.25.
PushLaw uniform_law(const PushedShape& shape);

}  // namespace graspmap
