#include "grasp/sweep/figures/bar_faces.hpp"

#include <fmt/format.h>

#include <array>

namespace graspmap {
namespace {

enum class Face { kTop, kAlongX, kAlongY, kUncounted };

struct Corner {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
};

/// A cell's borders.
struct CellBox {
  double x_min, x_max, y_min, y_max;
};

class BarWriter {
 public:
  BarWriter(const SuccessMap& map, int first_x) : map_(map), first_x_(first_x) {}

  std::string write() {
    for (int j = 0; j < map_.y_mm.cells; ++j) {
      for (int i = first_x_; i < map_.x_mm.cells; ++i) add_bar(i, j);
    }
    return csv_;
  }

 private:
  [[nodiscard]] bool is_counted(int i, int j) const { return map_.at(i, j).valid_trials() > 0; }

  /// The bar's height, 0 outside the map and without counted trials.
  [[nodiscard]] double height(int i, int j) const {
    const bool exists = i >= first_x_ && i < map_.x_mm.cells && j >= 0 && j < map_.y_mm.cells;
    return exists && is_counted(i, j) ? map_.at(i, j).success_probability() : 0.0;
  }

  [[nodiscard]] CellBox box(int i, int j) const {
    return {map_.x_mm.cell_min(i), map_.x_mm.cell_min(i + 1), map_.y_mm.cell_min(j),
            map_.y_mm.cell_min(j + 1)};
  }

  void add_bar(int i, int j) {
    const CellBox b = box(i, j);
    const double z = height(i, j);
    add_face({{{b.x_min, b.y_min, z},
               {b.x_max, b.y_min, z},
               {b.x_min, b.y_max, z},
               {b.x_max, b.y_max, z}}},
             z, is_counted(i, j) ? Face::kTop : Face::kUncounted);
    add_side({b.x_min, b.y_min, z}, {b.x_min, b.y_max, z}, height(i - 1, j), Face::kAlongX);
    add_side({b.x_max, b.y_min, z}, {b.x_max, b.y_max, z}, height(i + 1, j), Face::kAlongX);
    add_side({b.x_min, b.y_min, z}, {b.x_max, b.y_min, z}, height(i, j - 1), Face::kAlongY);
    add_side({b.x_min, b.y_max, z}, {b.x_max, b.y_max, z}, height(i, j + 1), Face::kAlongY);
  }

  /// The side below the edge from a to b, down to `bottom`.
  void add_side(const Corner& a, const Corner& b, double bottom, Face face) {
    if (bottom >= a.z) return;
    add_face({{{a.x, a.y, bottom}, {b.x, b.y, bottom}, a, b}}, a.z, face);
  }

  void add_face(const std::array<Corner, 4>& corners, double probability, Face face) {
    for (std::size_t k = 0; k < corners.size(); ++k) {
      csv_ += fmt::format("{},{},{},{},{}\n", corners[k].x, corners[k].y, corners[k].z, probability,
                          static_cast<int>(face));
      if (k == 1) csv_ += "\n";
    }
    csv_ += "\n\n";
  }

  const SuccessMap& map_;
  int first_x_;
  std::string csv_ = "x_mm,y_mm,height,probability,face\n";
};

}  // namespace

std::string bar_faces_csv(const SuccessMap& map, int first_x) {
  return BarWriter(map, first_x).write();
}

}  // namespace graspmap
