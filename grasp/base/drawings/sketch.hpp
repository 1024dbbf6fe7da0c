#pragma once

#include <map>
#include <string>
#include <vector>

#include "grasp/base/drawings/affine.hpp"
#include "grasp/base/drawings/drawing.hpp"
#include "grasp/base/drawings/nurbs.hpp"
#include "grasp/base/drawings/source_file.hpp"

namespace graspmap {

/// A segment or an arc of a drawing, in mm.
struct Stroke {
  Vec2 begin_mm{0, 0};
  Vec2 end_mm{0, 0};
  double bulge = 0.0;
  int layer = 0;   ///< index into Sketch.layers
  int entity = 0;  ///< index into Sketch.entities
};

/// Where a stroke comes from.
struct SketchEntity {
  std::string kind;
  int line = 0;
};

/// What a file shows, before its strokes are joined.
struct Sketch {
  std::vector<Stroke> strokes;
  std::vector<std::string> layers;
  std::vector<SketchEntity> entities;
  std::vector<IgnoredEntities> ignored;
  std::vector<std::string> notes;
  std::string units;
  double curve_error_mm = 0.0;
};

/// An arc of an ellipse: center + u cos t + v sin t, from t = begin over sweep.
struct EllipseArc {
  Vec2 center{0, 0};
  Vec2 u{0, 0};
  Vec2 v{0, 0};
  double begin_rad = 0.0;
  double sweep_rad = 0.0;
};

/// Draws entities of a file into a sketch: places them, and replaces curves by arcs. Throws
/// ConfigError naming file and line for what lies too far away, or is too much.
class Pen {
 public:
  Pen(const SourceFile& source, const DrawingOptions& options)
      : source_(source), options_(options) {}

  /// The placement that the options ask for, of coordinates in a unit.
  [[nodiscard]] Affine root(double unit_mm) const;

  /// What is drawn from now on.
  void begin(std::string_view kind, int line, std::string_view layer, const Affine& place);
  void segment(const Vec2& from, const Vec2& to);
  void arc(const Vec2& from, const Vec2& to, double bulge);
  void ellipse(const EllipseArc& arc);
  /// A valid one.
  void spline(const Nurbs& curve);

  void ignore(std::string_view kind, std::string_view reason, int line);
  /// A sentence for the reader, once.
  void note(const std::string& text);
  void set_units(std::string units) { sketch_.units = std::move(units); }

  /// Throws when the drawing has grown too large: called for each entity, drawn or not.
  void count_entity(int line);

  [[nodiscard]] const DrawingOptions& options() const { return options_; }
  Sketch take() { return std::move(sketch_); }

 private:
  void add(const Vec2& from_mm, const Vec2& to_mm, double bulge);
  void add_curve(const ParametricCurve& curve);
  void check(const Vec2& point_mm) const;
  int layer_index(std::string_view layer);

  const SourceFile& source_;
  const DrawingOptions& options_;
  Sketch sketch_;
  Affine place_;
  int layer_ = 0;
  std::map<std::string, int, std::less<>> layer_indices_;
  std::map<std::pair<std::string, std::string>, std::size_t> ignored_indices_;
  std::int64_t entities_ = 0;
};

}  // namespace graspmap
