#include "grasp/base/drawings/dxf_entities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "grasp/base/io/number.hpp"

namespace graspmap {
namespace {

std::vector<DxfGroup> groups_of(const SourceFile& source) {
  std::string_view rest = source.text;
  const char line_end = rest.find('\n') == std::string_view::npos ? '\r' : '\n';
  int number = 0;
  const auto next_line = [&]() -> std::optional<std::string_view> {
    if (rest.empty()) return std::nullopt;
    ++number;
    const std::string_view line = rest.substr(0, rest.find(line_end));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
  };
  std::vector<DxfGroup> groups;
  while (const auto code_line = next_line()) {
    const auto code = parse_integer(*code_line);
    if (!code || *code < -5 || *code > 1071) {
      source.fail(number,
                  fmt::format("{} is no group code: an ASCII DXF file is pairs of lines, a whole "
                              "number and its value",
                              in_quotes(*code_line)));
    }
    const auto value = next_line();
    if (!value) source.fail(number, "the file ends in the middle; save it again");
    if (*code == 999) continue;  // a comment
    groups.push_back({static_cast<int>(*code), trimmed(*value), number});
    if (*code == 0 && groups.back().value == "EOF") return groups;
  }
  source.fail(number, "the file ends in the middle, without EOF; save it again");
}

}  // namespace

DxfRecords::DxfRecords(const SourceFile& source) : groups_(groups_of(source)) {
  if (groups_.front().code != 0) {
    source.fail(groups_.front().line, "a DXF file begins with the group 0 SECTION");
  }
  std::size_t first = 0;
  for (std::size_t k = 1; k <= groups_.size(); ++k) {
    if (k < groups_.size() && groups_[k].code != 0) continue;
    records_.emplace_back(source, std::span(groups_).subspan(first, k - first));
    first = k;
  }
}

const DxfGroup* DxfRecord::find(int code) const {
  const auto all = groups();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const DxfGroup& group) { return group.code == code; });
  return found == all.end() ? nullptr : &*found;
}

std::string_view DxfRecord::text(int code, std::string_view fallback) const {
  const DxfGroup* group = find(code);
  return group == nullptr ? fallback : group->value;
}

double DxfRecord::number_of(const DxfGroup& group) const {
  const auto value = parse_number(group.value);
  if (!value) {
    source_->fail(group.line, fmt::format("{}: group {}: {}; must be a finite number", type(),
                                          group.code, in_quotes(group.value)));
  }
  return *value;
}

double DxfRecord::number(int code) const {
  const DxfGroup* group = find(code);
  if (group == nullptr) fail(fmt::format("group {} is missing", code));
  return number_of(*group);
}

double DxfRecord::number(int code, double fallback) const {
  return has(code) ? number(code) : fallback;
}

int DxfRecord::integer(int code, int fallback) const {
  const DxfGroup* group = find(code);
  if (group == nullptr) return fallback;
  const auto value = parse_integer(group->value);
  constexpr std::int64_t kMost = 1'000'000'000;
  if (!value || *value < -kMost || *value > kMost) {
    source_->fail(group->line, fmt::format("{}: group {}: {}; must be a whole number", type(), code,
                                           in_quotes(group->value)));
  }
  return static_cast<int>(*value);
}

Vec2 DxfRecord::point(int code) const { return {number(code), number(code + 10)}; }

void DxfRecord::fail(std::string_view text) const {
  source_->fail(line(), fmt::format("{}: {}", type(), text));
}

namespace {

constexpr int kHighestDegree = 15;

double positive(const DxfRecord& entity, int code, const char* what) {
  const double value = entity.number(code);
  if (!(value > 0.0)) entity.fail(fmt::format("{} {}; must be > 0", what, value));
  return value;
}

/// The turn from one angle to another, > 0 and at most 2 pi: a whole turn when they are the same,
/// or differ by one up to the digits of a file.
double sweep_between(double from_rad, double to_rad) {
  constexpr double kFileDigits = 1e-6;
  if (std::abs(std::abs(to_rad - from_rad) - kWholeTurn_rad) < kFileDigits) return kWholeTurn_rad;
  const double sweep = std::fmod(to_rad - from_rad, kWholeTurn_rad);
  return sweep <= 0.0 ? sweep + kWholeTurn_rad : sweep;
}

void draw_circle(const DxfRecord& entity, Pen& pen) {
  const double radius = positive(entity, 40, "radius");
  pen.ellipse({entity.point(10), {radius, 0}, {0, radius}, 0.0, kWholeTurn_rad});
}

void draw_arc(const DxfRecord& entity, Pen& pen) {
  const double radius = positive(entity, 40, "radius");
  const double begin = entity.number(50) * kDegree_rad;
  const double sweep = sweep_between(begin, entity.number(51) * kDegree_rad);
  pen.ellipse({entity.point(10), {radius, 0}, {0, radius}, begin, sweep});
}

void draw_ellipse(const DxfRecord& entity, Pen& pen) {
  const Vec2 major = entity.point(11);
  const double ratio = positive(entity, 40, "ratio of the axes");
  if (!(major.norm() > 0.0)) entity.fail("the major axis has no length");
  // Its coordinates are the drawing's; only the sense depends on the extrusion.
  const double sense = entity.number(230, 1.0) < 0.0 ? -1.0 : 1.0;
  const double begin = entity.number(41, 0.0);
  const double sweep = sweep_between(begin, entity.number(42, kWholeTurn_rad));
  pen.ellipse({entity.point(10), major, sense * ratio * perp(major), begin, sweep});
}

/// A vertex of a polyline, and the bulge of the edge that follows it.
struct Vertex {
  Vec2 point{0, 0};
  double bulge = 0.0;
};

void draw_chain(const DxfRecord& entity, const std::vector<Vertex>& chain, bool is_closed,
                Pen& pen) {
  if (chain.size() < 2) {
    pen.ignore(entity.type(), "has fewer than two vertices", entity.line());
    return;
  }
  const std::size_t edges = is_closed ? chain.size() : chain.size() - 1;
  for (std::size_t k = 0; k < edges; ++k) {
    pen.arc(chain[k].point, chain[(k + 1) % chain.size()].point, chain[k].bulge);
  }
}

void draw_lwpolyline(const DxfRecord& entity, Pen& pen) {
  std::vector<Vertex> chain;
  for (const DxfGroup& group : entity.groups()) {
    if (group.code == 10) chain.push_back({{entity.number_of(group), 0.0}, 0.0});
    if (chain.empty()) continue;
    if (group.code == 20) chain.back().point.y() = entity.number_of(group);
    if (group.code == 42) chain.back().bulge = entity.number_of(group);
  }
  const int count = entity.integer(90, static_cast<int>(chain.size()));
  if (count != static_cast<int>(chain.size())) {
    entity.fail(fmt::format("has {} vertices; group 90 says {}", chain.size(), count));
  }
  draw_chain(entity, chain, (entity.integer(70, 0) & 1) != 0, pen);
}

void draw_polyline(const DxfRecord& entity, std::span<const DxfRecord> vertices, Pen& pen) {
  const int flags = entity.integer(70, 0);
  constexpr int kMeshes = 16 | 64;
  constexpr int kSplineControlPoint = 16;
  if ((flags & kMeshes) != 0) {
    pen.ignore(entity.type(), "is a mesh in space", entity.line());
    return;
  }
  std::vector<Vertex> chain;
  for (const DxfRecord& vertex : vertices) {
    if ((vertex.integer(70, 0) & kSplineControlPoint) != 0) continue;
    chain.push_back({vertex.point(10), vertex.number(42, 0.0)});
  }
  draw_chain(entity, chain, (flags & 1) != 0, pen);
}

Nurbs spline_of(const DxfRecord& entity) {
  Nurbs spline;
  spline.degree = entity.integer(71, 3);
  for (const DxfGroup& group : entity.groups()) {
    const auto value = [&] { return entity.number_of(group); };
    if (group.code == 40) spline.knots.push_back(value());
    if (group.code == 41) spline.weights.push_back(value());
    if (group.code == 10) spline.points.emplace_back(value(), 0.0);
    if (group.code == 20 && !spline.points.empty()) spline.points.back().y() = value();
  }
  return spline;
}

void check_spline(const DxfRecord& entity, const Nurbs& spline) {
  if (spline.points.empty() && entity.has(11)) {
    entity.fail("has fit points only; save it with control points and knots");
  }
  if (spline.degree < 1 || spline.degree > kHighestDegree) {
    entity.fail(fmt::format("degree {}; must be from 1 to {}", spline.degree, kHighestDegree));
  }
  const auto order = static_cast<std::size_t>(spline.degree) + 1;
  if (spline.points.size() < order) {
    entity.fail(fmt::format("has {} control points; degree {} needs at least {}",
                            spline.points.size(), spline.degree, order));
  }
  if (spline.knots.size() != spline.points.size() + order) {
    entity.fail(fmt::format("has {} knots; {} control points of degree {} need {}",
                            spline.knots.size(), spline.points.size(), spline.degree,
                            spline.points.size() + order));
  }
  if (!std::is_sorted(spline.knots.begin(), spline.knots.end()) ||
      !(spline.knots[order - 1] < spline.knots[spline.points.size()])) {
    entity.fail("its knots must not decrease, and must not all be the same");
  }
  if (!spline.weights.empty() && spline.weights.size() != spline.points.size()) {
    entity.fail(fmt::format("has {} weights for {} control points", spline.weights.size(),
                            spline.points.size()));
  }
  if (std::any_of(spline.weights.begin(), spline.weights.end(), [](double w) { return w <= 0; })) {
    entity.fail("has a weight that is not > 0");
  }
  // Knots beyond what de Boor's algorithm can have part the curve.
  for (std::size_t k = 0; k + order < spline.knots.size(); ++k) {
    if (spline.knots[k] < spline.knots[k + order]) continue;
    entity.fail(fmt::format("knot {} is repeated more than {} times", spline.knots[k], order));
  }
}

void draw_spline(const DxfRecord& entity, Pen& pen) {
  const Nurbs spline = spline_of(entity);
  check_spline(entity, spline);
  pen.spline(spline);
}

}  // namespace

bool is_dxf_outline(std::string_view type) {
  constexpr std::array kTypes = {"LINE",     "ARC",     "CIRCLE", "LWPOLYLINE",
                                 "POLYLINE", "ELLIPSE", "SPLINE"};
  return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

std::string_view dxf_reason(std::string_view type) {
  struct Reason {
    std::string_view types;
    std::string_view reason;
  };
  constexpr std::array<Reason, 5> kReasons = {{
      {" TEXT MTEXT ATTDEF ATTRIB DIMENSION LEADER MLEADER MULTILEADER TOLERANCE RTEXT ARCTEXT ",
       "is a note"},
      {" HATCH MPOLYGON SOLID TRACE WIPEOUT IMAGE ", "fills or covers, and bounds nothing"},
      {" POINT SHAPE ", "has no length"},
      {" RAY XLINE ", "has no end"},
      {" 3DFACE 3DSOLID BODY REGION SURFACE MESH HELIX ", "is an object in space"},
  }};
  const std::string word = fmt::format(" {} ", type);
  for (const Reason& entry : kReasons) {
    if (entry.types.find(word) != std::string_view::npos) return entry.reason;
  }
  return "is no kind of entity that is read";
}

std::optional<Affine> dxf_axes(const DxfRecord& entity) {
  const Vec3 out(entity.number(210, 0.0), entity.number(220, 0.0), entity.number(230, 1.0));
  constexpr double kSlack = 1e-9;
  if (!(out.norm() > 0.0) || out.head<2>().norm() > kSlack * out.norm()) return std::nullopt;
  if (out.z() > 0.0) return Affine();
  // The arbitrary axis algorithm of the DXF reference: x = (0, 1, 0) x (0, 0, -1).
  constexpr std::array kInWorldAxes = {"LINE", "ELLIPSE", "SPLINE"};
  const bool is_world =
      std::find(kInWorldAxes.begin(), kInWorldAxes.end(), entity.type()) != kInWorldAxes.end();
  return is_world ? Affine() : Affine::scaling(-1.0, 1.0);
}

bool dxf_is_level(const DxfRecord& entity, std::span<const DxfRecord> vertices) {
  constexpr double kFileDigits = 1e-5;
  constexpr int kPolylineInSpace = 8;
  std::vector<double> z;
  const auto see = [&](const DxfRecord& record, std::initializer_list<int> codes) {
    for (const DxfGroup& group : record.groups()) {
      if (std::find(codes.begin(), codes.end(), group.code) != codes.end()) {
        z.push_back(record.number_of(group));
      }
    }
  };
  if (entity.type() == "LINE") see(entity, {30, 31});
  if (entity.type() == "SPLINE") see(entity, {30});
  if (entity.type() == "POLYLINE" && (entity.integer(70, 0) & kPolylineInSpace) != 0) {
    for (const DxfRecord& vertex : vertices) see(vertex, {30});
  }
  if (z.empty()) return true;
  const auto [low, high] = std::minmax_element(z.begin(), z.end());
  return *high - *low <= kFileDigits * std::max({1.0, std::abs(*low), std::abs(*high)});
}

void draw_dxf_entity(const DxfRecord& entity, std::span<const DxfRecord> vertices, Pen& pen) {
  const std::string_view type = entity.type();
  if (type == "LINE") return pen.segment(entity.point(10), entity.point(11));
  if (type == "ARC") return draw_arc(entity, pen);
  if (type == "CIRCLE") return draw_circle(entity, pen);
  if (type == "LWPOLYLINE") return draw_lwpolyline(entity, pen);
  if (type == "POLYLINE") return draw_polyline(entity, vertices, pen);
  if (type == "ELLIPSE") return draw_ellipse(entity, pen);
  draw_spline(entity, pen);
}

}  // namespace graspmap
