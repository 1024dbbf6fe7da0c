#include "grasp/base/drawings/sketch.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cerrno>
#include <cmath>

#include "geometry/elementary/elementary.hpp"
#include "geometry/tolerances.hpp"
#include "grasp/base/io/printable_text.hpp"

namespace graspmap {
namespace {

constexpr std::size_t kLongestWord = 40;

void check_encoding(const SourceFile& source) {
  const std::string_view text = source.text;
  if (text.starts_with("AutoCAD Binary DXF")) {
    source.fail(0, "is a binary DXF file; save it as an ASCII DXF file");
  }
  if (text.starts_with("AC10")) source.fail(0, "is a DWG file; save it as an ASCII DXF file");
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    source.fail(0, "is in UTF-16; save it in UTF-8");
  }
  const std::size_t zero = text.find('\0');
  if (zero != std::string_view::npos) {
    source.fail(
        0, fmt::format("is no text: byte {} is zero; give an ASCII DXF file or an SVG file", zero));
  }
}

bool is_valid_utf8(std::string_view text) {
  while (!text.empty()) {
    const FirstCharacter character = first_character(text);
    if (!character.is_valid) return false;
    text.remove_prefix(character.text.size());
  }
  return true;
}

}  // namespace

void SourceFile::fail(int line, std::string_view message) const {
  throw config_error({name, line}, "", message);
}

std::string read_bytes(const std::filesystem::path& file, std::string_view kind) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    throw config_error({file.string()}, "", fmt::format("is a folder; give {}", kind));
  }
  std::optional<std::string> text = file_bytes(file);
  if (text) return *std::move(text);
  throw unreadable_error(file, errno, fmt::format("; give {}", kind));
}

SourceFile source_of(std::string bytes, const std::filesystem::path& file) {
  SourceFile source{file.string(), std::move(bytes)};
  source.text.erase(0, source.text.size() - without_mark(source.text).size());
  if (source.text.find_first_not_of(" \t\r\n") == std::string::npos) {
    source.fail(0, "is empty; give a DXF or SVG file");
  }
  check_encoding(source);
  return source;
}

std::string cleaned(std::string_view text) {
  const bool is_utf8 = is_valid_utf8(text);
  std::string clean;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_printed = byte >= 0x20 && byte != 0x7F && (is_utf8 || byte < 0x80);
    if (is_printed) {
      clean += c;
    } else if (!is_utf8 && byte >= 0xA0) {
      clean += static_cast<char>(0xC0U | byte >> 6U);  // Latin-1, as older files have it
      clean += static_cast<char>(0x80U | (byte & 0x3FU));
    } else {
      clean += '?';
    }
  }
  return clean;
}

std::string in_quotes(std::string_view word) {
  const bool is_long = word.size() > kLongestWord;
  return fmt::format("'{}{}'", cleaned(word.substr(0, kLongestWord)), is_long ? "..." : "");
}

namespace {

/// What is larger is no part; the time to check it grows with it.
constexpr std::size_t kMostStrokes = 100'000;
constexpr std::int64_t kMostEntities = 500'000;

/// Arcs of more than 3/4 of a circle are halved: their ends say little about their circle.
constexpr double kLargestBulge = 2.4;

/// Half a circle, up to the rounding of its angles.
constexpr double kHalfCircleSlackRad = 1e-12;

/// Axes of an ellipse that differ by less, relative, are those of a circle.
constexpr double kRound = 1e-9;

/// An ellipse's arc with u and v along its axes.
EllipseArc along_axes(const EllipseArc& arc) {
  const double turn =
      0.5 * elementary::atan2(2.0 * arc.u.dot(arc.v), arc.u.squaredNorm() - arc.v.squaredNorm());
  const double c = elementary::cos(turn);
  const double s = elementary::sin(turn);
  return {arc.center, c * arc.u + s * arc.v, c * arc.v - s * arc.u,
          std::remainder(arc.begin_rad - turn, 2.0 * M_PI), arc.sweep_rad};
}

/// begin, the multiples of pi/2 within, end.
std::vector<double> quarters(double begin, double sweep) {
  std::vector<double> cuts{begin};
  const double sense = sweep < 0.0 ? -1.0 : 1.0;
  const double quarter = M_PI / 2;
  const double slack = 1e-9;
  double next = sense > 0.0 ? std::floor(begin / quarter + slack) + 1.0
                            : std::ceil(begin / quarter - slack) - 1.0;
  while (sense * (begin + sweep - next * quarter) > slack) {
    cuts.push_back(next * quarter);
    next += sense;
  }
  cuts.push_back(begin + sweep);
  return cuts;
}

}  // namespace

std::string mm_text(double value_mm) {
  return fmt::format("{:.6g}", std::round(value_mm * 1e6) / 1e6 + 0.0);
}

std::string mm_text(const Vec2& point_mm) {
  return fmt::format("({}, {})", mm_text(point_mm.x()), mm_text(point_mm.y()));
}

std::string fact_line(std::string_view what, std::string_view text) {
  return fmt::format("  {:<9} {}\n", what, text);
}

std::string stroke_name(const Sketch& sketch, const Stroke& stroke) {
  const std::string& layer = sketch.layers[stroke.layer];
  return fmt::format("{} {} to {}{}", sketch.entities[stroke.entity].kind, mm_text(stroke.begin_mm),
                     mm_text(stroke.end_mm),
                     layer.empty() ? "" : fmt::format(" on layer {}", in_quotes(layer)));
}

std::string layers_text(const Sketch& sketch) {
  constexpr std::size_t kMostLayers = 8;
  struct Contents {
    std::map<std::string, std::set<std::size_t>> kinds;  // the entities of each
    Eigen::AlignedBox2d box;
  };
  std::vector<Contents> layers(sketch.layers.size());
  for (const Stroke& stroke : sketch.strokes) {
    Contents& layer = layers[stroke.layer];
    layer.kinds[sketch.entities[stroke.entity].kind].insert(stroke.entity);
    layer.box.extend(box_of(curve_of(stroke)));
  }
  std::string text;
  for (std::size_t k = 0; layers.size() > 1 && k < std::min(layers.size(), kMostLayers); ++k) {
    const auto& [kinds, box] = layers[k];
    if (kinds.empty()) continue;
    std::string list;
    for (const auto& [kind, entities] : kinds) {
      list += fmt::format("{}{} {}", list.empty() ? "" : ", ", entities.size(), kind);
    }
    text += fmt::format("{}{}: {} from {} to {}", text.empty() ? "layers: " : "; ",
                        in_quotes(sketch.layers[k]), list, mm_text(box.min()), mm_text(box.max()));
  }
  return layers.size() > kMostLayers ? text + "; ..." : text;
}

std::string or_layers(const Sketch& sketch) {
  return sketch.layers == std::vector<std::string>{""} ? "" : ", or choose layers";
}

Affine Pen::root(double unit_mm) const {
  const double scale = unit_mm * options_.scale;
  return Affine::rotation(options_.rotation_rad) * Affine::scaling(scale, scale);
}

void Pen::begin(std::string_view kind, int line, std::string_view layer, const Affine& place) {
  place_ = place;
  layer_ = layer_index(layer);
  const std::string name(kind);
  sketch_.entities.push_back({name, line, ++entities_of_kind_[name]});
}

void Pen::segment(const Vec2& from, const Vec2& to) { add(place_(from), place_(to), 0.0); }

void Pen::arc(const Vec2& from, const Vec2& to, double bulge) {
  const Mat2& a = place_.linear;
  const Vec2 turned = {a(1, 1), -a(0, 1)};
  const bool is_similar = (a.col(0) - turned).norm() <= kRound * a.norm() ||
                          (a.col(0) + turned).norm() <= kRound * a.norm();
  if (bulge == 0.0 || from == to) return segment(from, to);
  if (is_similar)
    return add(place_(from), place_(to), cross(a.col(0), a.col(1)) < 0.0 ? -bulge : bulge);
  const OutlineCurve curve = outline_curve(from, to, bulge);
  const double r = curve.radius_mm;
  ellipse({curve.center_mm, {r, 0}, {0, r}, curve.angle_rad, curve.turn_rad});
}

void Pen::ellipse(const EllipseArc& arc) {
  const EllipseArc placed = along_axes({place_(arc.center), place_.linear * arc.u,
                                        place_.linear * arc.v, arc.begin_rad, arc.sweep_rad});
  check(placed.center + placed.u);
  check(placed.center + placed.v);
  const std::vector<double> cuts = quarters(placed.begin_rad, placed.sweep_rad);
  const auto point = [placed](double t) {
    return Vec2(placed.center + elementary::cos(t) * placed.u + elementary::sin(t) * placed.v);
  };
  if (std::abs(placed.u.norm() - placed.v.norm()) <= kRound * placed.u.norm()) {
    const double sense = cross(placed.u, placed.v) < 0.0 ? -1.0 : 1.0;
    // At most half a circle each.
    const int parts = std::abs(placed.sweep_rad) > M_PI * (1.0 + kRound) ? 2 : 1;
    const double turn = placed.sweep_rad / parts;
    const bool is_whole = std::abs(std::abs(placed.sweep_rad) - 2.0 * M_PI) < kRound;
    for (int k = 0; k < parts; ++k) {
      const double from = placed.begin_rad + k * turn;
      const Vec2 to = is_whole && k == 1 ? point(placed.begin_rad) : point(from + turn);
      // Exactly 1 for half a circle.
      const bool is_half = std::abs(std::abs(turn) - M_PI) < kHalfCircleSlackRad;
      const double bulge = is_half ? std::copysign(1.0, turn) : elementary::tan(turn / 4);
      add(point(from), to, sense * bulge);
    }
    return;
  }
  const auto derivative = [placed](double t) {
    return Vec2(elementary::cos(t) * placed.v - elementary::sin(t) * placed.u);
  };
  const bool forward = placed.sweep_rad > 0.0;
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
    if (forward) {
      add_curve({cuts[k], cuts[k + 1], point, derivative});
    } else {
      add_curve({-cuts[k], -cuts[k + 1], [point](double t) { return point(-t); },
                 [derivative](double t) { return Vec2(-derivative(-t)); }});
    }
  }
}

void Pen::spline(const Nurbs& curve) {
  Nurbs placed = curve;
  for (Vec2& point : placed.points) {
    point = place_(point);
    check(point);
  }
  for (const ParametricCurve& piece : smooth_pieces(placed)) add_curve(piece);
}

void Pen::add_curve(const ParametricCurve& curve) {
  const ArcChain chain = biarcs(curve, options_.tolerance_mm);
  for (std::size_t k = 0; k < chain.elements.size(); ++k) {
    const bool is_last = k + 1 == chain.elements.size();
    const OutlineElement& element = chain.elements[k];
    add(element.begin_mm, is_last ? chain.end_mm : chain.elements[k + 1].begin_mm, element.bulge);
  }
  sketch_.curve_error_mm = std::max(sketch_.curve_error_mm, chain.error_mm);
}

void Pen::add(const Vec2& from_mm, const Vec2& to_mm, double bulge) {
  check(from_mm);
  check(to_mm);
  if (std::abs(bulge) < tolerances::kLeastBulge) bulge = 0.0;
  if (bulge != 0.0) {
    const Vec2 middle = 0.5 * (from_mm + to_mm) - 0.5 * bulge * perp(to_mm - from_mm);
    check(middle);
    if (std::abs(bulge) > kLargestBulge) {
      const double half = elementary::tan(0.5 * elementary::atan(bulge));
      add(from_mm, middle, half);
      return add(middle, to_mm, half);
    }
  }
  if (sketch_.strokes.size() >= kMostStrokes) {
    source_.fail(sketch_.entities.back().line,
                 fmt::format("there are more than {} segments and arcs up to here; choose layers, "
                             "or a larger tolerance",
                             kMostStrokes));
  }
  sketch_.strokes.push_back({from_mm, to_mm, bulge, layer_, sketch_.entities.size() - 1});
}

void Pen::check(const Vec2& point_mm) const {
  if (std::abs(point_mm.x()) <= kFarthestMm && std::abs(point_mm.y()) <= kFarthestMm) return;
  const SketchEntity& entity = sketch_.entities.back();
  source_.fail(entity.line,
               fmt::format("{}: reaches ({:.6g}, {:.6g}) mm; must lie within {:.0f} mm of the "
                           "origin; is the unit right?",
                           entity.kind, point_mm.x(), point_mm.y(), kFarthestMm));
}

void Pen::ignore(std::string_view kind, std::string_view reason, int line) {
  const auto [at, is_new] = ignored_indices_.try_emplace({std::string(kind), std::string(reason)},
                                                         sketch_.ignored.size());
  if (is_new) sketch_.ignored.push_back({std::string(kind), std::string(reason), 0, line});
  ++sketch_.ignored[at->second].count;
}

void Pen::note(const std::string& text) {
  auto& notes = sketch_.notes;
  if (std::find(notes.begin(), notes.end(), text) == notes.end()) notes.push_back(text);
}

void Pen::count_entity(int line) {
  if (++entities_ <= kMostEntities) return;
  source_.fail(line, fmt::format("there are more than {} entities up to here, those of blocks "
                                 "counted each time; remove what is no outline",
                                 kMostEntities));
}

std::size_t Pen::layer_index(std::string_view layer) {
  const auto [at, is_new] = layer_indices_.try_emplace(std::string(layer), sketch_.layers.size());
  if (is_new) sketch_.layers.emplace_back(layer);
  return at->second;
}

namespace {

/// More are not listed.
constexpr std::size_t kMostListed = 12;

/// Upper and lower case are the same, as DXF has it.
template <typename Layers>
bool has_layer(const Layers& layers, const std::string& name) {
  return std::any_of(layers.begin(), layers.end(), [&](const std::string& layer) {
    return lower_case(layer) == lower_case(name);
  });
}

}  // namespace

bool LayerChoice::names(const std::string& layer) const { return has_layer(wanted_, layer); }

bool LayerChoice::take(const std::vector<std::string>& layers) {
  seen_.insert(layers.begin(), layers.end());
  return wanted_.empty() || std::any_of(layers.begin(), layers.end(), [&](const auto& layer) {
           return has_layer(wanted_, layer);
         });
}

void LayerChoice::check(const SourceFile& source) const {
  for (const std::string& name : wanted_) {
    if (has_layer(seen_, name)) continue;
    for (const auto& [layer, how] : hidden_) {
      if (lower_case(layer) != lower_case(name)) continue;
      source.fail(0, fmt::format("layer {}: is {}; show it in the drawing, or choose another one",
                                 in_quotes(name), how));
    }
    std::string list;
    std::size_t listed = 0;
    for (const std::string& layer : seen_) {
      if (layer.empty()) continue;
      if (listed++ == kMostListed) list += ", ...";
      if (listed > kMostListed) break;
      list += fmt::format("{}{}", list.empty() ? "" : ", ", in_quotes(layer));
    }
    source.fail(
        0, list.empty()
               ? fmt::format("layer {}: the drawing shows no lines on any layer", in_quotes(name))
               : fmt::format("layer {}: the drawing shows no lines on it; layers with lines: "
                             "{}",
                             in_quotes(name), list));
  }
}

}  // namespace graspmap
