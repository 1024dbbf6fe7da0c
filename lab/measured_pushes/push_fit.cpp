#include "lab/measured_pushes/push_fit.hpp"

#include <cmath>

#include "geometry/assert.hpp"
#include "grasp/decide/support_fit/model_fits.hpp"

namespace graspmap {
namespace {

constexpr double kGravity_mm_s2 = 9810.0;
constexpr double kMilli = 1e-3;  // N in mN

}  // namespace

PushLawFamily::PushLawFamily(SlidingKind kind, const std::vector<MeasuredPush>& pairs,
                             double length_mm, double mass_kg)
    : kind_(kind) {
  GRASPMAP_CHECK(kind == SlidingKind::kFourthOrder || kind == SlidingKind::kEllipsoid);
  const std::vector<MeasuredPush> rows = scaled_rows(pairs, length_mm);
  double force_n = 0.0;
  const auto take = [&](const auto& surface) {
    force_n = surface.radius(Vec3::UnitX());
    support_ = surface_support(surface, length_mm, force_n);
  };
  if (kind == SlidingKind::kFourthOrder) {
    take(*fit_fourth_order(rows));
  } else {
    take(*fit_ellipsoid(rows, false));
  }
  mu_support_ = force_n / (kMilli * mass_kg * kGravity_mm_s2);
}

PushLaw PushLawFamily::law(const PushParameters& parameters, double angle_rad) const {
  Eigen::Matrix3d U;
  U << 1.0, parameters[0], parameters[1],           //
      0.0, std::exp(parameters[2]), parameters[3],  //
      0.0, 0.0, std::exp(parameters[4]);
  // The stretch is [[a, b], [b, -a]] in the table's axes.
  const double c = std::cos(2.0 * angle_rad);
  const double d = std::sin(2.0 * angle_rad);
  const double a = parameters[6] * c + parameters[7] * d;
  const double b = parameters[7] * c - parameters[6] * d;
  Eigen::Matrix3d V;
  V << 1.0 + a, b, 0.0, b, 1.0 - a, 0.0, 0.0, 0.0, 1.0;
  const Eigen::Matrix3d UV = U * V;
  PushLaw law{support_, mu_support_, kPriorFriction * std::exp(parameters[5])};
  if (auto* ellipsoid = std::get_if<PartEllipsoidSupport>(&law.support)) {
    ellipsoid->matrix = UV.transpose() * ellipsoid->matrix * UV;
  } else {
    auto& form = std::get<FourthOrderSupport>(law.support).coefficients;
    form = FourthOrderForm(form).in_coordinates(UV).coefficients();
  }
  return law;
}

PushFit fit_push_law(const PushLawFamily& family, bool directed, double length_mm,
                     const PushScene& scene, const std::vector<ComparedPush>& pushes,
                     Workspace& workspace, SimulationResult& result) {
  PushFit fit{.family = family};
  fit.pushes = static_cast<int>(pushes.size());
  if (pushes.empty()) return fit;
  const Residuals residuals = [&](const Eigen::VectorXd& x, Eigen::VectorXd& found) {
    PushParameters parameters = PushParameters::Zero();
    parameters.head(x.size()) = x;
    fit.unsolved = 0;
    for (std::size_t k = 0; k < pushes.size(); ++k) {
      const auto& [push, start] = pushes[k];
      const PushLaw law = family.law(parameters, push->start.angle_rad);
      const SimulatedPush said = scene.simulated(*push, start, law, workspace, result);
      fit.unsolved += said.solved ? 0 : 1;
      found.segment<3>(static_cast<Eigen::Index>(3 * k)) =
          end_residual(said.end, *push->end, length_mm);
    }
    found.tail<8>() << parameters.head<6>() / kPriorSd, parameters.tail<2>() / kPriorDirectionSd;
  };
  Eigen::VectorXd at_end(3 * fit.pushes + 8);
  const Eigen::VectorXd x =
      least_squares(Eigen::VectorXd::Zero(directed ? 8 : 6), at_end.size(), residuals);
  residuals(x, at_end);
  fit.parameters.head(x.size()) = x;
  fit.misfit = at_end.squaredNorm();
  return fit;
}

PushLaw uniform_law(const PushedShape& shape) {
  return {EllipsoidSupport{1.0, 1.0, mean_radius_mm(shape.part, shape.mass.center_of_mass_P_mm)},
          kPriorFriction, kPriorFriction};
}

}  // namespace graspmap
