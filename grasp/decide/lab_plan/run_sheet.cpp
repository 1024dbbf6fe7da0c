#include "grasp/decide/lab_plan/run_sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "geometry/mass_properties.hpp"
#include "geometry/outline.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/pictures/shapes.hpp"
#include "grasp/base/probability/random.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"

namespace graspmap {
namespace {

constexpr std::uint32_t kOrderDraw = 3;

/// A text without line ends.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return text;
}

}  // namespace

std::vector<SheetRow> run_sheet(const LabDesign& design, std::int64_t trials, std::uint64_t seed) {
  std::vector<std::pair<double, SheetRow>> ranked;
  for (std::int64_t j = 0; j < trials; ++j) {
    const double rank = uniform_open(seed, static_cast<std::uint64_t>(j), kOrderDraw);
    ranked.push_back({rank, {design.session_of(j), 0, design.place_of(j)}});
  }
  std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
    return std::pair(a.second.session, a.first) < std::pair(b.second.session, b.first);
  });
  std::vector<SheetRow> rows;
  for (const auto& [rank, row] : ranked) {
    rows.push_back(row);
    rows.back().trial = rows.size() - 1;
  }
  return rows;
}

Table run_sheet_table(const LabDesign& design, const std::vector<SheetRow>& rows, bool with_angle,
                      const std::vector<std::string>& remarks) {
  const auto six_digits = [](double value) { return std::stod(fmt::format("{:.6g}", value)); };
  const auto sheet_row = [&](const SheetRow& row) {
    const IntendedPlacement place =
        row.placement < design.places.size() ? design.places[row.placement] : IntendedPlacement{};
    Object fields;
    if (design.sessions > 0) fields.add({"session", row.session + 1});
    fields.add(Object{{"trial", row.trial + 1},
                      {"x_mm", six_digits(place.x_mm)},
                      {"y_mm", six_digits(place.y_mm)}});
    if (with_angle) fields.add({"theta_rad", six_digits(place.theta_rad)});
    fields.add({"success", Value(), "empty: write 1 or 0"});
    return fields;
  };
  Table table = table_of<SheetRow>(rows, sheet_row);
  table.remarks = {"origin = measured"};
  for (const std::string& remark : remarks) table.remarks.push_back(printable(one_line(remark)));
  return table;
}

namespace {

constexpr double kPictureWidth_px = 680.0;
constexpr double kMostHeight_px = 560.0;
constexpr double kCross_px = 3.5;
constexpr double kSize_px = 20.0;    ///< of the lines with sizes, from the rim
constexpr double kAxisShare = 0.12;  ///< of the larger side of what is shown
constexpr double kRimShare = 0.1;
constexpr std::size_t kMostNumbered = 60;
constexpr int kPointsPerTurn = 180;
constexpr double kOutlineTolerance_mm = 0.02;

const char* const kPictureStyle =
    ".part{fill:#e6e6e6;stroke:none}.edge{fill:none;stroke:#444;stroke-width:1.2}"
    ".finger{fill:#9ecae1;fill-opacity:0.55;stroke:#3182bd;stroke-width:1}"
    ".axis{stroke:#000;stroke-width:1;fill:none}"
    ".size{stroke:#c0392b;stroke-width:1;stroke-dasharray:4 3;fill:none}"
    ".cross{stroke:#08306b;stroke-width:1.1}.first{stroke:#c0392b;stroke-width:2}"
    ".wanted{fill:none;stroke:#1a7f37;stroke-width:3}"
    ".name{fill:#1a7f37;font-size:12px;paint-order:stroke;stroke:#fff;stroke-width:3px}"
    "text{font-family:sans-serif;font-size:12px}.number{font-size:9px;fill:#08306b}"
    ".sizetext{fill:#c0392b;font-size:12px;paint-order:stroke;stroke:#fff;stroke-width:3px}";

/// What is drawn, in a frame at the part's origin with the gripper's axes.
struct PartOutline {
  std::vector<std::vector<Vec2>> areas;
  std::vector<std::vector<Vec2>> edges;
};

void turn(std::vector<std::vector<Vec2>>& lines, const Rotation2& rotation) {
  for (std::vector<Vec2>& line : lines) {
    for (Vec2& point : line) point = rotation * point;
  }
}

PartOutline part_outline(const Part& part, double theta_rad) {
  PartOutline outline;
  for (std::size_t k = 0; k < part.pieces.size(); ++k) {
    outline.areas.push_back(boundary_points(part, piece_boundary(part, k).front(), kPointsPerTurn));
  }
  for (const OutlinePiece& piece : part.outlines) {
    outline.areas.push_back(
        joined_polygon(outline_polygons(placed(piece.outline, piece.pose), kOutlineTolerance_mm)));
  }
  for (const BoundaryArc& arc : union_boundary(part)) {
    outline.edges.push_back(boundary_points(part, arc, kPointsPerTurn));
  }
  turn(outline.areas, Rotation2(theta_rad));
  turn(outline.edges, Rotation2(theta_rad));
  return outline;
}

void include_point(Box& box, const Vec2& point) {
  box.min = box.min.cwiseMin(point);
  box.max = box.max.cwiseMax(point);
}

/// What success demands to be touched, where it is.
struct WantedElement {
  std::string name;
  std::vector<std::vector<Vec2>> lines;  ///< elements of outlines; none of a superellipse
  Vec2 middle;                           ///< of the longest
};

WantedElement wanted_element(const Part& part, const TouchTarget& target) {
  WantedElement wanted{target.name, {}, Vec2::Zero()};
  double longest_mm = -1.0;
  for (const int feature : target.features) {
    auto k = static_cast<std::size_t>(feature);
    if (k < part.pieces.size()) {
      wanted.middle = part.pieces[k].pose.position_mm;
      continue;
    }
    k -= part.pieces.size();
    for (const OutlinePiece& piece : part.outlines) {
      const std::size_t elements = piece.outline.outer.size();
      if (k < elements) {
        const Outline outline = placed(piece.outline, piece.pose);
        const OutlineCurve curve = outline_curve(outline.outer, k);
        constexpr int kParts = 24;
        std::vector<Vec2>& line = wanted.lines.emplace_back();
        for (int i = 0; i <= kParts; ++i) line.push_back(point_at(curve, 1.0 * i / kParts));
        if (curve.length_mm() > longest_mm) wanted.middle = point_at(curve, 0.5);
        longest_mm = std::max(longest_mm, curve.length_mm());
      }
      if (k < 2 * elements) break;
      k -= 2 * elements;
    }
  }
  return wanted;
}

/// Each name once, over all ways to succeed.
std::vector<WantedElement> wanted_elements(const SweepConfig& config, double theta_rad) {
  std::vector<WantedElement> all;
  const Rotation2 rotation(theta_rad);
  for (const SuccessAlternative& way : config.success) {
    for (const auto* targets : {&way.left, &way.right, &way.palm}) {
      for (const TouchTarget& target : *targets) {
        const bool is_there = std::any_of(all.begin(), all.end(), [&](const WantedElement& one) {
          return one.name == target.name;
        });
        if (is_there) continue;
        WantedElement& wanted = all.emplace_back(wanted_element(config.scenario.part, target));
        turn(wanted.lines, rotation);
        wanted.middle = rotation * wanted.middle;
      }
    }
  }
  return all;
}

/// A picture (SVG) of the part as it lies at the start, with what success demands to be touched,
/// and crosses where the gripper goes: its origin, between the fingertips. Axes begin at the part's
/// origin. One placement is shown with the gripper, opened, and its x and y. Placements are
/// numbered when there are few.
class LabPicture {
 public:
  LabPicture(const SweepConfig& config, const std::vector<IntendedPlacement>& places,
             std::size_t shown)
      : gripper_(config.scenario.gripper),
        places_(places),
        shown_(shown),
        part_(part_outline(config.scenario.part, places[shown].theta_rad)),
        wanted_(wanted_elements(config, places[shown].theta_rad)),
        window_(window()),
        scale_(std::min(kPictureWidth_px / (window_.max.x() - window_.min.x()),
                        kMostHeight_px / (window_.max.y() - window_.min.y()))),
        svg_(scale_ * (window_.max - window_.min), kPictureStyle, "") {}

  std::string draw() {
    for (const auto& area : part_.areas) svg_.polygon(all_px(area), "part");
    for (const auto& edge : part_.edges) svg_.polyline(all_px(edge), "edge");
    draw_gripper();
    for (const WantedElement& wanted : wanted_) {
      for (const auto& line : wanted.lines) svg_.polyline(all_px(line), "wanted");
    }
    draw_axes();
    draw_places();
    draw_first();
    for (const WantedElement& wanted : wanted_) {
      svg_.text(px(wanted.middle) + Vec2(6, -6), wanted.name, "name");
    }
    return svg_.finish();
  }

 private:
  [[nodiscard]] Vec2 first() const { return {places_[shown_].x_mm, places_[shown_].y_mm}; }

  /// The part, the placements and the fingertips of the first one, and a rim.
  [[nodiscard]] Box window() const {
    Box box{first(), first()};
    for (const auto& edge : part_.edges) {
      for (const Vec2& point : edge) include_point(box, point);
    }
    for (const IntendedPlacement& place : places_) include_point(box, {place.x_mm, place.y_mm});
    const double half_mm = 0.5 * gripper_.opening_mm;
    include_point(box, first() + Vec2(half_mm, 0));
    include_point(box, first() - Vec2(half_mm, 0));
    // Room for the axes, which begin at the part's origin, and for the sizes below and at the
    // right.
    const double large_mm = (box.max - box.min).maxCoeff();
    include_point(box, Vec2(kAxisShare * large_mm, 0));
    include_point(box, Vec2(0, kAxisShare * large_mm));
    const Vec2 rim = Vec2::Constant(kRimShare * large_mm);
    return {box.min - rim, box.max + rim};
  }

  [[nodiscard]] Vec2 px(const Vec2& mm) const {
    return scale_ * Vec2(mm.x() - window_.min.x(), window_.max.y() - mm.y());
  }
  [[nodiscard]] std::vector<Vec2> all_px(const std::vector<Vec2>& points) const {
    std::vector<Vec2> all;
    for (const Vec2& point : points) all.push_back(px(point));
    return all;
  }

  /// A finger in its own frame: its outline, or the quarter-plane as far as the window shows it.
  [[nodiscard]] std::vector<std::vector<Vec2>> finger(const std::optional<Outline>& outline,
                                                      double side) const {
    if (outline) return outline_polygons(*outline, kOutlineTolerance_mm);
    const double far_mm = 2 * (window_.max - window_.min).sum();
    return {{{0, 0}, {side * far_mm, 0}, {side * far_mm, -far_mm}, {0, -far_mm}}};
  }

  void draw_finger(const std::optional<Outline>& outline, double side) {
    const Vec2 origin = first() + Vec2(0.5 * side * gripper_.opening_mm, 0);
    auto polygons = finger(outline, side);
    for (auto& polygon : polygons) {
      for (Vec2& point : polygon) point += origin;
    }
    for (const auto& polygon : clipped(polygons, window_)) svg_.polygon(all_px(polygon), "finger");
  }

  void draw_gripper() {
    draw_finger(gripper_.right_finger, 1);
    draw_finger(gripper_.left_finger, -1);
  }

  void draw_arrow_to(const Vec2& tip_mm, const char* label, const Vec2& beside_px) {
    const Vec2 tip = px(tip_mm);
    const Vec2 along = (tip - px({0, 0})).normalized();
    const Vec2 across(-along.y(), along.x());
    svg_.line(px({0, 0}), tip, "axis");
    svg_.polyline({tip - 7 * along + 3 * across, tip, tip - 7 * along - 3 * across}, "axis");
    svg_.text(tip + beside_px, label, "label");
  }

  void draw_axes() {
    const double length_mm =
        kAxisShare / (1 + 2 * kRimShare) * (window_.max - window_.min).maxCoeff();
    draw_arrow_to({length_mm, 0}, "x", {5, 4});
    draw_arrow_to({0, length_mm}, "y", {-4, -6});
    svg_.circle(px({0, 0}), 3, "axis");
  }

  void draw_places() {
    for (std::size_t k = 0; k < places_.size(); ++k) {
      const Vec2 at = px({places_[k].x_mm, places_[k].y_mm});
      const char* style = k == shown_ ? "first" : "cross";
      svg_.line(at - Vec2(kCross_px, 0), at + Vec2(kCross_px, 0), style);
      svg_.line(at - Vec2(0, kCross_px), at + Vec2(0, kCross_px), style);
    }
    if (places_.size() <= kMostNumbered) number_places();
  }

  /// Numbers stand beside their crosses; those that have no room there are in the table alone.
  void number_places() {
    constexpr double kFont_px = 9.0;
    LabelPlacer placer({Vec2::Zero(), scale_ * (window_.max - window_.min)});
    for (const IntendedPlacement& place : places_) {
      placer.block(box_about(px({place.x_mm, place.y_mm}), Vec2::Constant(kCross_px)));
    }
    for (std::size_t k = 0; k < places_.size(); ++k) {
      const Vec2 at = px({places_[k].x_mm, places_[k].y_mm});
      const std::string number = fmt::format("{}", k + 1);
      const Vec2 size(text_width_px(number, kFont_px), kFont_px);
      const Vec2 beside = 0.5 * (size + Vec2::Constant(1.5 * kCross_px));
      std::vector<Vec2> centers;
      for (const Vec2& to : {Vec2(1, -1), Vec2(1, 1), Vec2(-1, -1), Vec2(-1, 1)}) {
        centers.push_back(at + to.cwiseProduct(beside));
      }
      const std::optional<Vec2> center = placer.place(size, centers);
      if (center) svg_.centered_text(*center + Vec2(0, 0.36 * kFont_px), number, "number");
    }
  }

  /// The x and y of the first placement, as distances from the part's origin.
  void draw_first() {
    // Along the rim, where no placement is.
    const Vec2 corner = px({window_.max.x(), window_.min.y()}) - Vec2(kSize_px, kSize_px);
    const Vec2 origin = px({0, 0});
    const Vec2 at = px(first());
    for (const double x : {origin.x(), at.x()}) {
      svg_.line({x, x == at.x() ? at.y() : origin.y()}, {x, corner.y()}, "size");
    }
    for (const double y : {origin.y(), at.y()}) {
      svg_.line({y == at.y() ? at.x() : origin.x(), y}, {corner.x(), y}, "size");
    }
    svg_.line({origin.x(), corner.y()}, {at.x(), corner.y()}, "first");
    svg_.line({corner.x(), origin.y()}, {corner.x(), at.y()}, "first");
    svg_.centered_text({0.5 * (origin.x() + at.x()), corner.y() + 15},
                       "x = " + short_mm(first().x()), "sizetext");
    svg_.text({corner.x() - 52, 0.5 * (origin.y() + at.y()) + 4}, "y = " + short_mm(first().y()),
              "sizetext");
  }

  const Gripper& gripper_;
  const std::vector<IntendedPlacement>& places_;
  std::size_t shown_;  ///< of the places
  PartOutline part_;
  std::vector<WantedElement> wanted_;
  Box window_;
  double scale_;
  SvgWriter svg_;
};

const char* const kPageStyle = R"css(
@page { size: A4; margin: 14mm; }
body { font: 10.5pt/1.35 sans-serif; color: #000; max-width: 182mm; margin: 8mm auto; }
h1 { font-size: 15pt; margin: 0 0 2mm; } h2 { font-size: 12pt; margin: 5mm 0 1.5mm; }
p { margin: 1.5mm 0; }
table.settings td { padding: 0.6mm 4mm 0.6mm 0; vertical-align: top; }
figure { margin: 3mm 0; break-inside: avoid; } figure svg { max-width: 100%; height: auto; }
figcaption { font-size: 9pt; }
.session { break-before: page; }
.blanks span { display: inline-block; border-bottom: 0.3mm solid #000; width: 42mm; }
.trials { column-count: 2; column-gap: 8mm; }
.trials table { border-collapse: collapse; width: 100%; font-size: 9.5pt; }
.trials table { break-inside: avoid; margin-bottom: 4mm; }
.trials th, .trials td { border: 0.2mm solid #888; padding: 0.7mm 1.6mm; text-align: right; }
.trials th { background: #eee; } .trials td.tick { text-align: center; font-size: 12pt; }
@media print { body { margin: 0; } }
)css";

constexpr std::size_t kRowsPerTable = 34;

double degrees(double angle_rad) { return angle_rad * 180 / std::numbers::pi; }

std::string setting(const char* name, const std::string& value) {
  return fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", name, xml_text(value));
}

std::string settings_table(const SweepConfig& config) {
  const Gripper& gripper = config.scenario.gripper;
  std::string table = "<table class=\"settings\">\n";
  table += setting("opening at the start", fmt::format("{:.6g} mm", gripper.opening_mm));
  table += setting("force of each jaw", fmt::format("{:.6g} N", gripper.closing_force_n));
  table += setting("closing speed of each jaw",
                   fmt::format("{:.6g} mm/s, with nothing in between", gripper.closing_speed_mm_s));
  constexpr std::array kJaws{"coupled: both close alike", "independent of each other",
                             "the left one is fixed", "the right one is fixed"};
  table += setting("jaws", kJaws[static_cast<std::size_t>(gripper.coupling)]);
  table += setting("mass of the part", fmt::format("{:.6g} kg", config.scenario.mass.mass_kg));
  table += setting("success", success_words(config.success));
  return table + "</table>\n";
}

bool has_angles(const LabPageInput& input) { return !input.config.placement.theta_rad.is_fixed(); }

/// Where the gripper's origin is, between its fingers.
std::string origin_words(const Gripper& gripper) {
  const Eigen::AlignedBox2d finger =
      gripper.right_finger ? box_of(gripper.right_finger->outer) : Eigen::AlignedBox2d();
  if (finger.isEmpty() || finger.max().y() <= 0.0) {
    return "the middle between the fingertips, at the height of their ends";
  }
  return fmt::format("the middle between the pads, which reach {:.4g} mm above and {:.4g} mm below",
                     finger.max().y(), -finger.min().y());
}

std::string figure(const LabPageInput& input) {
  const SheetRow& first = input.rows.front();
  std::string picture = LabPicture(input.config, input.design.places, first.placement).draw();
  picture.erase(0, picture.find("<svg"));  // no XML declaration inside HTML
  return fmt::format(
      "<figure>\n{}<figcaption>The part as it lies at the start, and where the gripper goes: each "
      "cross is a placement of the gripper's origin, {}. x and y are measured from the part's "
      "origin (circle), along the gripper's axes: x is the direction in which the jaws close. "
      "Blue: the open gripper at trial 1 (placement {}), red: its x and y in mm. Green: what "
      "success demands to be touched.{}</figcaption>\n</figure>\n",
      picture, origin_words(input.config.scenario.gripper), first.placement + 1,
      has_angles(input) ? " The part's angle at the start is in the table; shown is that of the "
                          "first trial."
                        : "");
}

std::string session_page(const LabPageInput& input, std::size_t session) {
  const int sessions = input.design.sessions;
  std::string page = fmt::format(
      "<section class=\"session\">\n<h2>{}</h2>\n<p class=\"blanks\">date <span></span> name "
      "<span></span> surfaces <span></span></p>\n<div class=\"trials\">\n",
      sessions > 0 ? fmt::format("Session {} of {}", session + 1, sessions) : "Trials");
  const auto rows = static_cast<std::size_t>(
      std::count_if(input.rows.begin(), input.rows.end(),
                    [&](const SheetRow& row) { return row.session == session; }));
  // Two columns of equal height where they fit on a page; each table has a header.
  const std::size_t per_table = std::min(kRowsPerTable, (rows + 1) / 2);
  std::size_t in_table = 0;
  for (const SheetRow& row : input.rows) {
    if (row.session != session) continue;
    if (in_table++ % per_table == 0) {
      page += fmt::format(
          "{}<table>\n<tr><th>trial</th><th>placement</th><th>x, mm</th><th>y, mm</th>{}"
          "<th>success</th><th>failure</th></tr>\n",
          in_table > 1 ? "</table>\n" : "",
          has_angles(input) ? "<th>angle, rad</th><th>degrees</th>" : "");
    }
    const IntendedPlacement& place = input.design.places[row.placement];
    page += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{:.2f}</td><td>{:.2f}</td>{}<td class=\"tick\">&#9744;"
        "</td><td class=\"tick\">&#9744;</td></tr>\n",
        row.trial + 1, row.placement + 1, place.x_mm + 0.0, place.y_mm + 0.0,
        has_angles(input) ? fmt::format("<td>{:.4f}</td><td>{:.2f}</td>", place.theta_rad,
                                        degrees(place.theta_rad))
                          : "");
  }
  return page + "</table>\n</div>\n</section>\n";
}

std::string instructions(const LabPageInput& input) {
  const int sessions = input.design.sessions;
  std::string text = fmt::format("{} trials", input.rows.size());
  if (sessions > 0) text += " in " + counted(sessions, "session");
  text +=
      ". Keep to the order: it is random, so that what drifts falls on all placements alike. Make "
      "each trial once, tick one box, success or failure (whatever is not a success), and repeat "
      "nothing because of how it ended.";
  if (sessions > 0) {
    text +=
        " A session is one pair of surfaces on one day: take or prepare new surfaces for the next.";
  }
  return text + " Then write 1 or 0 into the column success of run_sheet.csv.";
}

}  // namespace

std::string lab_page_html(const LabPageInput& input) {
  const std::string title = xml_text(input.config.name);
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<title>Run sheet: {0}</title>\n<style>{1}</style>\n</head>\n<body>\n"
      "<h1>Run sheet: {0}</h1>\n<p>{2}</p>\n",
      title, kPageStyle, xml_text(input.goal));
  page += "<p>" + instructions(input) + "</p>\n";
  page += "<h2>Settings</h2>\n" + settings_table(input.config) + figure(input);
  for (int session = 0; session < std::max(input.design.sessions, 1); ++session) {
    page += session_page(input, static_cast<std::size_t>(session));
  }
  return page + "</body>\n</html>\n";
}

}  // namespace graspmap
