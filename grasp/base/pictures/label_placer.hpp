#pragma once

#include <optional>
#include <vector>

#include "geometry/types.hpp"

namespace graspmap {

/// A rectangle with sides along the axes.
struct Box {
  Vec2 min = Vec2::Zero();
  Vec2 max = Vec2::Zero();

  [[nodiscard]] bool overlaps(const Box& other) const {
    return (min.array() < other.max.array()).all() && (other.min.array() < max.array()).all();
  }
  [[nodiscard]] bool contains(const Box& other) const {
    return (min.array() <= other.min.array()).all() && (other.max.array() <= max.array()).all();
  }
};

/// The box of a size about a centre.
Box box_about(const Vec2& center, const Vec2& size);

/// Finds places for labels that overlap neither each other nor what must stay visible.
class LabelPlacer {
 public:
  /// Labels stay within `area`.
  explicit LabelPlacer(const Box& area) : area_(area) {}

  void block(const Box& box) { blocked_.push_back(box); }
  /// Keeps labels off a line by `distance`.
  void block_line(const Vec2& from, const Vec2& to, double distance);

  void block_path(const std::vector<Vec2>& points, double distance);

  [[nodiscard]] bool is_free(const Box& box) const;
  /// Takes the first free place for a label among some centres, and blocks it.
  std::optional<Vec2> place(const Vec2& size, const std::vector<Vec2>& centers);

 private:
  Box area_;
  std::vector<Box> blocked_;
};

}  // namespace graspmap
