#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/elementary/elementary.hpp"
#include "geometry/types.hpp"
#include "grasp/base/drawings/curves.hpp"
#include "grasp/base/drawings/drawing.hpp"
#include "grasp/base/io/errors.hpp"

namespace graspmap {

/// A drawing that reaches farther is in the wrong unit, or broken.
inline constexpr double kFarthestMm = 1e6;

/// x -> A x + b: how entities of a drawing are placed.
struct Affine {
  Mat2 linear = Mat2::Identity();
  Vec2 shift = Vec2::Zero();

  Vec2 operator()(const Vec2& x) const { return linear * x + shift; }
  /// First the other one, then this one.
  Affine operator*(const Affine& first) const {
    return {linear * first.linear, linear * first.shift + shift};
  }

  static Affine translation(const Vec2& by) { return {Mat2::Identity(), by}; }
  static Affine rotation(double angle_rad) {
    Affine turn;
    turn.linear << elementary::cos(angle_rad), -elementary::sin(angle_rad),
        elementary::sin(angle_rad), elementary::cos(angle_rad);
    return turn;
  }
  static Affine scaling(double x, double y) {
    Affine scale;
    scale.linear << x, 0.0, 0.0, y;
    return scale;
  }
};

/// A drawing's file: its name for messages, and its text.
struct SourceFile {
  std::string name;
  std::string text;

  /// Throws ConfigError "FILE:LINE: TEXT" on one line; without a line when it is 0.
  [[noreturn]] void fail(int line, std::string_view text) const;
};

/// The bytes of a file of a kind, "a DXF or SVG file". Throws ConfigError when it cannot be read.
std::string read_bytes(const std::filesystem::path& file, std::string_view kind);

/// Bytes as text in ASCII or UTF-8; a byte order mark is left out. Throws ConfigError for no
/// bytes, and for another encoding.
SourceFile source_of(std::string bytes, const std::filesystem::path& file);

/// A text of the file as UTF-8: what is no UTF-8 is taken as Latin-1; control characters become
/// '?'.
std::string cleaned(std::string_view text);

/// A word of the file in quotes, cleaned, and cut when it is long.
std::string in_quotes(std::string_view word);

/// A segment or an arc of a drawing, in mm.
struct Stroke {
  Vec2 begin_mm{0, 0};
  Vec2 end_mm{0, 0};
  double bulge = 0.0;
  std::size_t layer = 0;   ///< index into Sketch.layers
  std::size_t entity = 0;  ///< index into Sketch.entities
};

inline OutlineCurve curve_of(const Stroke& stroke) {
  return outline_curve(stroke.begin_mm, stroke.end_mm, stroke.bulge);
}

/// Where a stroke comes from.
struct SketchEntity {
  std::string kind;
  int line = 0;
  int number = 0;  ///< among those of its kind, from 1
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

/// A length or a point for people: six digits, and nothing below a millionth of a mm.
std::string mm_text(double value_mm);
std::string mm_text(const Vec2& point_mm);

/// A line of a report on a drawing: "  size      60 x 40 mm".
std::string fact_line(std::string_view what, std::string_view text);

/// A stroke as a person finds it: "LINE (0, 0) to (10, 0) on layer 'outline'".
std::string stroke_name(const Sketch& sketch, const Stroke& stroke);

/// The layers with what is on each and where, for messages; "" where there is one only.
std::string layers_text(const Sketch& sketch);

/// ", or choose layers", for messages; "" for a sketch without layers, as one of a solid.
std::string or_layers(const Sketch& sketch);

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

  Sketch take() { return std::move(sketch_); }

 private:
  void add(const Vec2& from_mm, const Vec2& to_mm, double bulge);
  void add_curve(const ParametricCurve& curve);
  void check(const Vec2& point_mm) const;
  std::size_t layer_index(std::string_view layer);

  const SourceFile& source_;
  const DrawingOptions& options_;
  Sketch sketch_;
  Affine place_;
  std::size_t layer_ = 0;
  std::map<std::string, std::size_t, std::less<>> layer_indices_;
  std::map<std::string, int, std::less<>> entities_of_kind_;
  std::map<std::pair<std::string, std::string>, std::size_t> ignored_indices_;
  std::int64_t entities_ = 0;
};

/// The layers that a person asked for, and those that a file has.
class LayerChoice {
 public:
  /// All layers when there are no names.
  explicit LayerChoice(std::vector<std::string> wanted) : wanted_(std::move(wanted)) {}

  /// True when what is on a layer, or on several at once, one within the other, is to be read.
  bool take(const std::vector<std::string>& layers);

  /// Says that a layer is not shown: it is "frozen", or "off".
  void hide(const std::string& layer, const std::string& how) { hidden_[layer] = how; }

  /// True when a layer was asked for by its name.
  [[nodiscard]] bool names(const std::string& layer) const;

  /// Throws ConfigError when nothing is on a layer that was asked for.
  void check(const SourceFile& source) const;

 private:
  std::vector<std::string> wanted_;
  std::set<std::string> seen_;
  std::map<std::string, std::string> hidden_;
};

/// What a DXF file shows in its model space. Throws ConfigError naming file and line.
Sketch read_dxf(const SourceFile& source, const DrawingOptions& options);

/// What an SVG file shows. Throws ConfigError naming file and line.
Sketch read_svg(const SourceFile& source, const DrawingOptions& options);

/// What the strokes of a sketch show. Throws ConfigError when they make no closed outlines.
Drawing drawing_of(const SourceFile& source, Sketch sketch, const DrawingOptions& options);

}  // namespace graspmap
