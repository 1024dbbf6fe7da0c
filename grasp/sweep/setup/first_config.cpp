#include "grasp/sweep/setup/first_config.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/mass_properties.hpp"
#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/number.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/pictures/shapes.hpp"
#include "grasp/sweep/config/config_write.hpp"
#include "grasp/sweep/config/key_list.hpp"
#include "grasp/sweep/config/materials.hpp"
#include "grasp/sweep/config/outline_toml.hpp"

namespace graspmap {
namespace {

/// A multiple of a step, without the noise of rounding.
double rounded(double value, double step) {
  return parse_number(fmt::format("{:.9g}", std::round(value / step) * step)).value() + 0.0;
}

/// At most 100 columns of comment.
std::string comment(const std::string& text) {
  constexpr std::size_t kColumns = 98;
  std::string lines;
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!line.empty() && line.size() + 1 + word.size() > kColumns) {
      lines += "# " + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    at = end + 1;
  }
  return lines + "# " + line + "\n";
}

/// Tables whose keys have above them what the key table says.
class CommentedToml {
 public:
  /// `path` is that of the key table.
  void table(const std::string& path, const std::string& remark) {
    const auto& tables = config_tables();
    table_ = &*std::find_if(tables.begin(), tables.end(),
                            [&](const ListedTable& t) { return t.path == path; });
    text_ += fmt::format(fmt::runtime(table_->is_list() ? "\n{}[[{}]]\n" : "\n{}[{}]\n"),
                         remark.empty() ? "" : comment(remark), path);
  }
  /// `why` says where the value is from, when that is not plain.
  void key(std::string_view name, const std::string& value, const std::string& why = "") {
    const ListedKey& key = *table_->find(name);
    std::string about(key.quantity.type);
    if (!key.words.empty()) about = key.allowed();
    if (!key.sentence.empty()) about += fmt::format("; {}", key.sentence);
    about = without_links(about);
    std::erase(about, '`');
    text_ +=
        comment(about + (why.empty() ? "" : ". " + why)) + fmt::format("{} = {}\n", name, value);
  }
  void key(std::string_view name, double value, const std::string& why = "") {
    key(name, fmt::format("{}", value), why);
  }
  void add(const std::string& text) { text_ += text; }
  [[nodiscard]] std::string text() const { return text_; }

 private:
  const ListedTable* table_ = nullptr;
  std::string text_;
};

/// The same for a length > 0, of which a tenth at most is rounded away.
double rounded_length(double value, double step) {
  return rounded(value, std::min(step, round_below(0.1 * value)));
}

std::string uniform(const std::array<double, 2>& range) {
  return fmt::format("{{ distribution = \"uniform\", min = {}, max = {} }}", range[0], range[1]);
}

std::string window(double middle, double half) {
  return fmt::format("[{}, {}]", rounded(middle - half, 1e-6), rounded(middle + half, 1e-6));
}

std::string body_name(const FirstGrasp& grasp, std::size_t k) {
  return grasp.bodies.size() == 1 ? grasp.name : fmt::format("{}_{}", grasp.name, k + 1);
}

/// What the fingers are to touch, and where along y both can.
struct Hold {
  std::vector<std::string> left, right;
  double low_mm = -std::numeric_limits<double>::infinity();
  double high_mm = std::numeric_limits<double>::infinity();
};

/// The boxes of the elements with a name, of a body's all elements with its own.
std::vector<Eigen::AlignedBox2d> boxes_named(const FirstGrasp& grasp, const std::string& name) {
  std::vector<Eigen::AlignedBox2d> boxes;
  for (std::size_t k = 0; k < grasp.bodies.size(); ++k) {
    const OutlineLoop& loop = grasp.bodies[k].outer;
    const bool all = body_name(grasp, k) == name;
    for (std::size_t i = 0; i < loop.size(); ++i) {
      if (all || element_name(loop, i) == name) boxes.push_back(box_of(outline_curve(loop, i)));
    }
  }
  return boxes;
}

[[noreturn]] void fail_no_name(const FirstGrasp& grasp, const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < grasp.bodies.size(); ++k) {
    names.push_back(body_name(grasp, k));
    const OutlineLoop& loop = grasp.bodies[k].outer;
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const std::string element = element_name(loop, i);
      if (std::find(names.begin(), names.end(), element) == names.end()) names.push_back(element);
    }
  }
  throw ConfigError(fmt::format("--hold-by: nothing is named '{}'; must be among {}", name,
                                fmt::join(names, ", ")));
}

/// Each name belongs to the finger on whose side of the middle of all of them it lies; a name with
/// elements on both sides, or about the middle, to both.
Hold hold_by(const FirstGrasp& grasp) {
  Eigen::AlignedBox2d all;
  for (const std::string& name : grasp.hold_by) {
    const auto boxes = boxes_named(grasp, name);
    if (boxes.empty()) fail_no_name(grasp, name);
    for (const Eigen::AlignedBox2d& box : boxes) all.extend(box);
  }
  Hold hold;
  std::array<Eigen::AlignedBox2d, 2> sides;
  for (const std::string& name : grasp.hold_by) {
    std::array<bool, 2> is_on{};
    for (const Eigen::AlignedBox2d& box : boxes_named(grasp, name)) {
      const double off_mm = box.center().x() - all.center().x();
      const bool about_middle = std::abs(off_mm) < 1e-3 * all.sizes().x();
      for (const std::size_t side : {0U, 1U}) {
        if (!about_middle && (off_mm > 0.0) != (side == 1)) continue;
        is_on[side] = true;
        sides[side].extend(box);
      }
    }
    if (is_on[0]) hold.left.push_back(name);
    if (is_on[1]) hold.right.push_back(name);
  }
  if (hold.left.empty() || hold.right.empty()) {
    throw ConfigError(
        fmt::format("--hold-by: '{}' leave{} the {} finger nothing to touch; must "
                    "name something on each side of the part, left and right",
                    fmt::join(grasp.hold_by, ","), grasp.hold_by.size() > 1 ? "" : "s",
                    hold.left.empty() ? "left" : "right"));
  }
  // The stretch of y that what is held on both sides has in common.
  hold.low_mm = std::max(sides[0].min().y(), sides[1].min().y());
  hold.high_mm = std::min(sides[0].max().y(), sides[1].max().y());
  if (hold.low_mm >= hold.high_mm) {
    throw ConfigError(
        fmt::format("--hold-by: '{}' do not face each other along x, in which "
                    "the jaws close; must do so, or turn the part: --rotation-rad",
                    fmt::join(grasp.hold_by, ",")));
  }
  return hold;
}

/// What follows from the part's size and what is said.
struct FirstMap {
  double size_mm = 0.0;  ///< the part's larger side
  double step_mm = 0.0;  ///< of rounded lengths
  std::array<double, 2> pad_mm{};
  Vec2 middle_mm{0, 0};   ///< of the map
  double width_mm = 0.0;  ///< of the part between the pads there
  double opening_mm = 0.0;
  double within_mm = 0.0;
  Vec2 half_mm{0, 0};  ///< of the map
  std::array<int, 2> cells{};
  std::optional<Hold> hold;
};

Eigen::AlignedBox2d part_box(const FirstGrasp& grasp) {
  Eigen::AlignedBox2d box;
  for (const Outline& body : grasp.bodies) box.extend(box_of(body.outer));
  return box;
}

/// What pads of a width meet of the part at a height: its least and largest x there. Empty where
/// there is nothing.
Eigen::AlignedBox2d part_between(const FirstGrasp& grasp, double y_mm, double pad_mm) {
  constexpr double kChordShare = 1e-4;
  constexpr double kRounding = 1e-9;
  constexpr double kInner = 0.49;  // of the pad, without what only touches its ends
  const Eigen::AlignedBox2d all = part_box(grasp);
  const double half = kInner * pad_mm;
  const Box band{{all.min().x() - 1.0, y_mm - half}, {all.max().x() + 1.0, y_mm + half}};
  Eigen::AlignedBox2d box;
  for (const Outline& body : grasp.bodies) {
    const auto points = loop_points(body.outer, kChordShare * all.sizes().maxCoeff());
    for (const Vec2& point : clipped(points, band)) box.extend(point);
    for (const OutlineCurve& curve : outline_curves(body.outer)) {  // exact for round sides
      for (const double side : {-1.0, 1.0}) {
        const Vec2 end = curve.center_mm + Vec2(side * curve.radius_mm, 0.0);
        const bool in_band = band.min.y() <= end.y() && end.y() <= band.max.y();
        if (curve.is_arc() && in_band && distance_mm(curve, end) < kRounding * curve.radius_mm) {
          box.extend(end);
        }
      }
    }
  }
  return box;
}

Vec2 centroid(const FirstGrasp& grasp) {
  Part part;
  for (const Outline& body : grasp.bodies) part.outlines.push_back({"", body, {}});
  return area_integrals(part).centroid_P_mm;
}

/// By how much the sides between pads at a height differ from straight ones along y; pads that
/// reach beyond the part have less to hold. Infinite where there is nothing.
double uneven_mm(const FirstGrasp& grasp, const FirstMap& map, double y_mm) {
  constexpr int kHalfSlices = 3;
  const double step_mm = (0.5 * map.pad_mm[0] + map.within_mm) / kHalfSlices;
  Eigen::AlignedBox2d ends;  // of the left ends and of the right ones
  double beyond = 0.0;       // share of the slices
  for (int k = -kHalfSlices; k <= kHalfSlices; ++k) {
    const auto slice = part_between(grasp, y_mm + k * step_mm, 0.1 * step_mm);
    if (!slice.isEmpty()) {
      ends.extend(Vec2(slice.min().x(), slice.max().x()));
    } else if (k == 0) {
      return std::numeric_limits<double>::infinity();
    } else {
      beyond += 1.0 / (2 * kHalfSlices + 1);
    }
  }
  return ends.sizes().sum() + beyond * map.size_mm;
}

/// The height nearest to the centroid at which the sides between the pads are as straight as
/// anywhere: there the part does not turn when it is squeezed.
double straightest_y(const FirstGrasp& grasp, const FirstMap& map) {
  constexpr int kHeights = 200;
  constexpr double kPriceOfDistance = 0.05;
  const Eigen::AlignedBox2d box = part_box(grasp);
  const double center_mm = centroid(grasp).y();
  double best_mm = center_mm;
  double least = uneven_mm(grasp, map, center_mm);
  for (int k = 0; k <= kHeights; ++k) {
    const double y_mm = box.min().y() + box.sizes().y() * k / kHeights;
    const double price =
        uneven_mm(grasp, map, y_mm) + kPriceOfDistance * std::abs(y_mm - center_mm);
    if (price >= least) continue;
    least = price;
    best_mm = y_mm;
  }
  return best_mm;
}

/// Where the pads stand, and what lies between them.
void place_middle(const FirstGrasp& grasp, FirstMap& map) {
  if (!grasp.hold_by.empty()) map.hold = hold_by(grasp);
  const double any_y_mm =
      map.hold ? 0.5 * (map.hold->low_mm + map.hold->high_mm) : straightest_y(grasp, map);
  const double y_mm = rounded(any_y_mm, map.step_mm);
  const Eigen::AlignedBox2d between = part_between(grasp, y_mm, map.pad_mm[0]);
  if (between.isEmpty()) {
    throw ConfigError(
        fmt::format("between the pads at y = {:.4g} mm lies nothing of the part; "
                    "must be held elsewhere: say where with --hold-by",
                    y_mm));
  }
  map.middle_mm = {rounded(between.center().x(), map.step_mm), y_mm};
  map.width_mm = between.sizes().x();
}

void choose_opening(const FirstGrasp& grasp, FirstMap& map) {
  constexpr double kClearShare = 0.25;  // of the part's width, on each side
  constexpr double kClearSigmas = 5.0;
  const double clear_mm = std::max(kClearShare * map.width_mm, kClearSigmas * grasp.robot_sigma_mm);
  map.opening_mm = grasp.opening_mm.value_or(grasp.gripper != nullptr
                                                 ? grasp.gripper->opening_mm
                                                 : std::ceil(map.width_mm + 2.0 * clear_mm));
  const double free_mm = 0.5 * (map.opening_mm - map.width_mm);
  if (free_mm <= 0.0) {
    const std::string opens = grasp.opening_mm ? fmt::format("--opening-mm: {:.6g}", map.opening_mm)
                                               : fmt::format("--gripper: {} opens {:.6g} mm",
                                                             grasp.gripper->id, map.opening_mm);
    throw ConfigError(
        fmt::format("{}; must be above {:.6g}, the part's width between the pads at "
                    "y = {:.6g} mm",
                    opens, map.width_mm, map.middle_mm.y()));
  }
  const double wide_mm = std::max(2.0 * clear_mm, 0.5 * map.half_mm.y());
  const double half_mm = std::min(free_mm, wide_mm);
  map.half_mm.x() = rounded_length(half_mm, map.step_mm);
}

/// About as many cells along y as a person can tell apart, and square ones.
void choose_cells(FirstMap& map) {
  constexpr double kRows = 20.0;
  const double cell_mm = 2.0 * map.half_mm.y() / kRows;
  for (const int axis : {0, 1}) {
    const double cells = std::round(2.0 * map.half_mm[axis] / cell_mm);
    map.cells[static_cast<std::size_t>(axis)] = static_cast<int>(std::clamp(cells, 5.0, 40.0));
  }
}

FirstMap first_map(const FirstGrasp& grasp) {
  constexpr double kStepShare = 0.002;
  constexpr double kPadShare = 0.3;
  constexpr double kWithinShare = 0.05;
  constexpr double kWithinSigmas = 3.0;
  FirstMap map;
  map.size_mm = part_box(grasp).sizes().maxCoeff();
  map.step_mm = round_below(kStepShare * map.size_mm);
  const double pad_mm = std::min(20.0, round_below(kPadShare * map.size_mm));
  map.pad_mm = grasp.pad_mm.value_or(std::array{pad_mm, 0.5 * pad_mm});
  if (grasp.gripper != nullptr && !grasp.pad_mm) {
    map.pad_mm = {grasp.gripper->pad_width_mm, grasp.gripper->pad_depth_mm};
  }
  map.within_mm = grasp.within_mm.value_or(
      std::max(round_below(kWithinShare * map.size_mm), kWithinSigmas * grasp.robot_sigma_mm));
  place_middle(grasp, map);
  // Both ends of what succeeds lie in the map: that of a window, or of what the pads can touch.
  const double reach_mm =
      map.hold ? 0.5 * (map.hold->high_mm - map.hold->low_mm + map.pad_mm[0]) : map.within_mm;
  map.half_mm.y() = rounded_length((map.hold ? 1.2 : 2.5) * reach_mm, map.step_mm);
  choose_opening(grasp, map);
  choose_cells(map);
  return map;
}

void add_mass(const FirstGrasp& grasp, CommentedToml& toml) {
  toml.table("part", "");
  if (!grasp.solid) {
    toml.key("material", toml_value(grasp.material));
    toml.key("thickness_mm", grasp.thickness_mm);
    return;
  }
  const SolidVolume& solid = *grasp.solid;
  const double density = density_of(grasp.material);
  toml.key("mass_kg", density * solid.volume_mm3,
           fmt::format("The whole solid, {}: {} kg/mm^3", grasp.material, density));
  toml.key("center_of_mass_mm",
           fmt::format("[{}, {}]", solid.center_of_mass_mm.x(), solid.center_of_mass_mm.y()));
  toml.key("inertia_kg_mm2", density * solid.inertia_mm5);
  toml.add(grasp.solid_comment);
}

void add_gripper(const FirstGrasp& grasp, const FirstMap& map, CommentedToml& toml) {
  toml.table("gripper", "The jaws close along x, towards each other.");
  const GripperModel* model = grasp.gripper;
  if (model != nullptr) {
    toml.key("model", toml_value(model->id),
             fmt::format("{}: {:.4g} mm, {:.4g} N on each jaw, {:.4g} mm/s of each jaw, pads of "
                         "{:.4g} x {:.4g} mm",
                         model->product, model->opening_mm, model->force_n, model->speed_mm_s,
                         model->pad_width_mm, model->pad_depth_mm));
  }
  const auto key = [&](const char* name, const std::optional<double>& given, double usual,
                       const std::string& why = "") {
    if (given || model == nullptr) toml.key(name, given.value_or(usual), why);
  };
  key("opening_mm", grasp.opening_mm, map.opening_mm,
      fmt::format("The part is {:.4g} mm wide between the pads", map.width_mm));
  key("closing_force_n", grasp.force_n, kUsualForce_n);
  key("closing_speed_mm_s", grasp.speed_mm_s, kUsualSpeed_mm_s);
  if (model != nullptr && !grasp.pad_mm) return;
  toml.table("gripper.finger",
             "The right pad, as seen from above; the left one is its mirror image.");
  toml.key("pad_width_mm", map.pad_mm[0]);
  toml.key("pad_depth_mm", map.pad_mm[1]);
}

void add_inputs(const FirstGrasp& grasp, CommentedToml& toml) {
  toml.table("support", "The table's friction under the part: as if it were pressed evenly.");
  toml.key("model", "\"ellipsoid\"");
  toml.table("friction", "From dry to slightly oiled metal: replace it by what is known.");
  toml.key("jaw", uniform(grasp.jaw_friction));
  toml.key("support", uniform(grasp.table_friction));
}

void add_placement(const FirstGrasp& grasp, const FirstMap& map, CommentedToml& toml) {
  toml.table("placement",
             "The map: where the gripper may stand, the point between its pads, as seen from the "
             "part's origin.");
  const auto axis = [&](const std::string& name, int k, const std::string& why) {
    toml.key(name + "_min_mm", rounded(map.middle_mm[k] - map.half_mm[k], 1e-6), why);
    toml.key(name + "_max_mm", rounded(map.middle_mm[k] + map.half_mm[k], 1e-6));
    toml.key(name + "_cells", map.cells[static_cast<std::size_t>(k)]);
  };
  axis("x", 0, "About as far as the open pads clear the part");
  axis("y", 1,
       map.hold ? "From below to above what both pads are to touch"
                : "Beyond both ends of the window of success");
  if (grasp.robot_sigma_rad <= 0.0) return;
  toml.table("placement.noise",
             "The robot's error of angle in each grasp; its error of position "
             "is in [robot].");
  toml.key("theta_rad", fmt::format("{{ distribution = \"normal\", mean = 0, sigma = {} }}",
                                    grasp.robot_sigma_rad));
}

void add_success(const FirstMap& map, CommentedToml& toml) {
  constexpr double kLargestTurn_rad = 1.5;
  // A part that turns by this moves its ends by within_mm.
  const double turn_rad =
      std::clamp(rounded(2.0 * map.within_mm / map.size_mm, 1e-3), 1e-3, kLargestTurn_rad);
  if (map.hold) {
    toml.table("success", "Held by what was named, square to the jaws, and at rest.");
    const auto list = [](const std::vector<std::string>& names) {
      return fmt::format("[\"{}\"]", fmt::join(names, "\", \""));
    };
    toml.key("left", list(map.hold->left));
    toml.key("right", list(map.hold->right));
  } else {
    toml.table("success",
               fmt::format("At rest between both fingers, within {:.4g} mm and {:.4g} rad of where "
                           "the map's middle puts the part.",
                           map.within_mm, turn_rad));
    toml.key("x_mm", window(-map.middle_mm.x(), map.within_mm));
    toml.key("y_mm", window(-map.middle_mm.y(), map.within_mm));
  }
  toml.key("theta_rad", fmt::format("[{}, {}]", -turn_rad, turn_rad));
  toml.key("at_rest", "true");
}

void add_robot(const FirstGrasp& grasp, CommentedToml& toml) {
  toml.table("robot",
             "How far from the intended place the robot puts the gripper: graspmap run, plan and "
             "report answer with it in them. It changes no trial.");
  if (grasp.robot_repeatability_mm) {
    toml.key("repeatability_mm", *grasp.robot_repeatability_mm);
  } else if (grasp.robot_range_mm) {
    toml.key("position_range_mm", *grasp.robot_range_mm);
  } else {
    toml.key("position_sigma_mm", grasp.robot_sigma_mm);
  }
}

void add_sweep(const FirstGrasp& grasp, const FirstMap& map, CommentedToml& toml) {
  if (map.width_mm < 2.0 * StopRule().closed_opening_mm) {
    toml.table("stop", "");
    toml.key("closed_opening_mm", rounded(0.5 * map.width_mm, 1e-6),
             "Half of what is between the pads: closer jaws hold nothing");
  }
  toml.table("sweep", "");
  toml.key("trials_per_cell", grasp.trials_per_cell);
  toml.key("seed", 1);
  const double cell_mm = 2.0 * map.half_mm.y() / map.cells[1];
  const double square_mm =
      std::min(std::max(2.0 * grasp.robot_sigma_mm, cell_mm), 0.5 * map.half_mm.minCoeff());
  toml.table("summary", "");
  toml.key("sweet_spot_half_width_mm", rounded_length(square_mm, 1e-3),
           "At least twice the robot's error");
}

/// Last, since outlines are long.
void add_pieces(const FirstGrasp& grasp, CommentedToml& toml) {
  for (std::size_t k = 0; k < grasp.bodies.size(); ++k) {
    toml.table("part.piece", fmt::format("The outline, {}.", grasp.source));
    toml.key("name", toml_value(body_name(grasp, k)));
    toml.add(toml_lines(outline_lines(grasp.bodies[k])));
  }
}

}  // namespace

std::string first_config(const FirstGrasp& grasp) {
  const FirstMap map = first_map(grasp);
  CommentedToml toml;
  toml.add(
      comment(fmt::format("Written by graspmap init: {}, {}. Change what is not right, and "
                          "run it again; docs/reference/configuration.md explains all keys.",
                          grasp.name, grasp.source)));
  add_mass(grasp, toml);
  add_gripper(grasp, map, toml);
  add_inputs(grasp, toml);
  add_placement(grasp, map, toml);
  add_success(map, toml);
  add_robot(grasp, toml);
  add_sweep(grasp, map, toml);
  add_pieces(grasp, toml);
  return toml.text();
}

}  // namespace graspmap
