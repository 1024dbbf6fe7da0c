#include "lab/spatial/contact_patch.hpp"

#include <Eigen/QR>
#include <variant>

namespace graspmap {
namespace {

constexpr double kNoMultiplier = 1e-7;  // y is a unit vector
constexpr double kNoImpulse = 1e-9;     // p_n of an open contact, of the step's impulse
constexpr double kParallel = 1e-6;

/// The directions in which a body is curved or bounded at its contact point, in G, one a row.
class CurvedDirections {
 public:
  void add(const Surface& surface, const Mat3& R) {
    if (const auto* plane = std::get_if<PlaneSurface>(&surface)) {
      add(R * plane->normal);
    } else if (std::holds_alternative<TubeSurface>(surface)) {
      add(R.col(0));
      add(R.col(1));
    } else {
      for (int i = 0; i < 3; ++i) add(Vec3::Unit(i));
    }
  }
  /// Of one or more.
  [[nodiscard]] int rank() const {
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(rows_.topRows(count_).transpose());
    qr.setThreshold(kParallel);
    return static_cast<int>(qr.rank());
  }

 private:
  void add(const Vec3& direction) { rows_.row(count_++) = direction.transpose(); }

  Eigen::Matrix<double, 16, 3> rows_ = Eigen::Matrix<double, 16, 3>::Zero();
  int count_ = 0;
};

}  // namespace

void set_patch(const StepContact& contact, const Eigen::VectorXd& z, const SpatialScales& scales,
               const Mat3& R_a, const Mat3& R_b, SpatialContact& read) {
  CurvedDirections curved;
  const auto count = [&](const std::vector<Surface>& surfaces, int multipliers, const Mat3& R) {
    int facets = 0;
    for (std::size_t i = 0; i < surfaces.size(); ++i) {
      const bool is_unique = contact.is_condensed;
      if (!is_unique && z[contact.first + multipliers + static_cast<int>(i)] <= kNoMultiplier) {
        continue;
      }
      ++facets;
      curved.add(surfaces[i], R);
    }
    return facets;
  };
  read.facets_a = count(contact.surfaces_a, contact.multiplier_a(), R_a);
  read.facets_b = count(contact.surfaces_b, contact.multiplier_b(), R_b);
  if (read.p_n <= kNoImpulse * scales.impulse_mn_s) return;
  if (read.facets_a + read.facets_b == 0) return;  // no solution: there |y| = 1
  constexpr PatchKind kKinds[] = {PatchKind::kPoint, PatchKind::kLine, PatchKind::kSurface};
  const int flat = 3 - curved.rank();
  read.patch = kKinds[flat < 0 ? 0 : flat > 2 ? 2 : flat];
}

}  // namespace graspmap
