#pragma once

#include <Eigen/Geometry>
#include <array>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "geometry/types.hpp"
#include "grasp/base/drawings/curves.hpp"
#include "grasp/base/drawings/sketch.hpp"

namespace graspmap {

/// Triangles that enclose a solid, in mm.
struct SolidMesh {
  std::vector<Vec3> points_mm;
  std::vector<std::array<int, 3>> facets;  ///< counter-clockwise as seen from outside
  std::vector<bool> is_flat;  ///< of each facet: known to lie in a plane face; empty: not known
  double deviation_mm = 0.0;  ///< largest distance from the solid that it stands for
};

/// Integrals over a solid. `inertia_mm5` is about the centroid, for density 1.
struct SolidIntegrals {
  double volume_mm3 = 0.0;
  Vec3 centroid_mm = Vec3::Zero();
  Eigen::Matrix3d inertia_mm5 = Eigen::Matrix3d::Zero();
};

/// From the solid's file to the table: z = 0 is the table, z points up. It turns and shifts only.
using SolidPose = Eigen::Isometry3d;

/// A segment or an arc of a section.
struct SectionStroke {
  Vec2 begin_mm{0, 0};
  Vec2 end_mm{0, 0};
  double bulge = 0.0;
};

using SectionCurve = std::variant<SectionStroke, EllipseArc, Nurbs>;

/// The boundary of a section, in any order, whose ends meet.
struct SolidSection {
  std::vector<SectionCurve> curves;
  double deviation_mm = 0.0;  ///< of these curves from the solid as its file has it
  double smoother_mm = 0.0;   ///< a tolerance > 0 with which there would be half as many of them
};

/// A solid as its file has it.
class SolidBody {
 public:
  virtual ~SolidBody() = default;

  [[nodiscard]] virtual const SolidMesh& mesh() const = 0;
  [[nodiscard]] virtual const SolidIntegrals& integrals() const = 0;
  /// Its lowest and its highest point above the table.
  [[nodiscard]] virtual std::pair<double, double> heights(const SolidPose& pose) const = 0;
  /// Where the plane at a height above the table cuts the solid. No plane face lies at that height.
  /// Throws std::runtime_error saying what fails.
  [[nodiscard]] virtual SolidSection section(const SolidPose& pose, double height_mm,
                                             double tolerance_mm) const = 0;

  std::string source;  ///< "STL, 1234 facets", "STEP"
  std::string units;   ///< "inch", "mm, since STL files name no unit"
};

}  // namespace graspmap
