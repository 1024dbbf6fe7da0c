#pragma once

#include <Eigen/Geometry>
#include <filesystem>
#include <memory>
#include <vector>

#include "geometry/outline.hpp"

namespace graspmap::testing {

/// A solid that OpenCASCADE makes, for the tests of what reads it; its headers stay in the source.
class MadeSolid {
 public:
  class Shape;

  static MadeSolid box(double x_mm, double y_mm, double z_mm);
  static MadeSolid cylinder(double radius_mm, double height_mm);
  static MadeSolid sphere(double radius_mm);
  static MadeSolid cone(double low_radius_mm, double high_radius_mm, double height_mm);
  static MadeSolid torus(double radius_mm, double tube_mm);
  /// Between z = 0 and a height.
  static MadeSolid prism(const Outline& outline, double height_mm);
  /// A polygon (r, z), r >= 0, turned about the z axis.
  static MadeSolid revolved(const std::vector<Eigen::Vector2d>& profile);
  /// The cylinder of a closed B-spline curve through points of the plane z = 0.
  static MadeSolid spline_prism(const std::vector<Eigen::Vector2d>& points, double height_mm);

  [[nodiscard]] MadeSolid placed(const Eigen::Isometry3d& pose) const;
  [[nodiscard]] MadeSolid without(const MadeSolid& other) const;
  [[nodiscard]] MadeSolid with(const MadeSolid& other) const;
  /// All edges rounded.
  [[nodiscard]] MadeSolid rounded(double radius_mm) const;
  /// Both as one file's, neither cut nor joined.
  [[nodiscard]] MadeSolid beside(const MadeSolid& other) const;
  /// Its faces only.
  [[nodiscard]] MadeSolid skin() const;

  /// As a STEP file in a unit of STEP: "MM", "INCH".
  void write(const std::filesystem::path& file, const char* unit = "MM") const;
  /// As a binary STL file with facets that are off by `deviation_mm`.
  void write_stl(const std::filesystem::path& file, double deviation_mm) const;

 private:
  explicit MadeSolid(std::shared_ptr<const Shape> shape) : shape_(std::move(shape)) {}

  std::shared_ptr<const Shape> shape_;
};

}  // namespace graspmap::testing
