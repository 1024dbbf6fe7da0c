#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "geometry/outline_shapes.hpp"
#include "geometry/part.hpp"
#include "grasp/base/drawings/drawing.hpp"
#include "grasp/base/io/toml_reader.hpp"
#include "grasp/sweep/config/design_rule.hpp"
#include "grasp/sweep/config/distributions.hpp"
#include "grasp/sweep/config/gripper_models.hpp"
#include "grasp/sweep/config/hold_rule.hpp"
#include "grasp/sweep/config/materials.hpp"
#include "grasp/sweep/config/scenario_number.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

/// The keys of a sweep configuration. Each is stated once: a row here names it, its unit, what it
/// admits, and the member that holds it. The reader (key_reader.hpp), the writer
/// (config_write.cpp), uncertain numbers (scenario_number.cpp), and the lists of keys
/// (key_list.hpp: errors of unknown and missing keys, what Tab offers, the JSON schema, the
/// reference page) go through these rows.
///
/// A function NAME_keys(keys, holder) shows the rows of a table to a visitor:
///   keys(row, member)          a key and the member with its value; (row, a, b) for a list of two
///   keys.choice(row, words, m) the same for an enumeration or an index
///   keys.listed(row, kind)     a key that a function of its own reads and writes
///   keys.has(truth)            whether to show what a holder may lack: a feature of a finger
///   keys.writes(truth)         the same, only for the writer

/// What a key holds.
enum class KeyKind : std::uint8_t {
  kNumber,
  kInteger,
  kTruth,
  kText,
  kWord,          ///< one of some words
  kPair,          ///< [a, b]
  kNumberOrPair,  ///< a, for both, or [a, b]
  kNumbers,       ///< a list of numbers
  kNumberLists,   ///< a list of lists of numbers
  kNumberTables,  ///< a list of such lists
  kTexts,
  kDistribution  ///< a distribution
};

/// How a key is used; flags.
inline constexpr unsigned kOptional = 0;
inline constexpr unsigned kRequired = 1;   ///< in its group, where it has one
inline constexpr unsigned kUncertain = 2;  ///< may differ from trial to trial

/// A kind of quantity: how the reference page names its type and unit, the numbers that make sense,
/// and those with which double precision suffices.
struct Quantity {
  std::string_view type;
  NumberRange range = {};
  NumberRange limits = {};
};

/// What few keys have.
struct KeyExtras {
  std::string_view fallback = {};  ///< what holds without the key, where it is no constant
  /// Keys of a group go together: with one of them, those of them that are required must be there.
  /// In a table with a choice (support.model), the word with which the key goes.
  std::string_view group = {};
  std::optional<double> hidden = {};  ///< not written with this value
  /// How --help calls the value of an option of this name: "SX,SY".
  std::string_view option_value = {};
};

struct KeyRow {
  std::string_view name;
  Quantity quantity;
  unsigned use = kOptional;
  std::string_view sentence = {};  ///< in Markdown, after the range
  KeyExtras extras = {};
};

/// The words of keys, in the order of the enumerations.
inline constexpr std::array<const char*, 5> kPhaseActionWords{"close", "open", "move", "turn",
                                                              "wait"};
inline constexpr std::array<const char*, 3> kJawDriveWords{"close", "open", "hold"};
inline constexpr std::array<const char*, 3> kMoveEndWords{"end", "contact", "contact-lost"};
inline constexpr std::array<const char*, 4> kCouplingWords{"symmetric", "independent", "left-fixed",
                                                           "right-fixed"};
inline constexpr std::array<const char*, 2> kTableFrameWords{"gripper", "part"};
/// The first two of HoldDirection; the third is a list of vectors.
inline constexpr std::array<const char*, 2> kHoldDirectionWords{"up", "horizontal"};
inline constexpr std::array<const char*, 2> kHeldDriveWords{"give-way", "lock"};
inline constexpr std::array<const char*, 2> kPadLawWords{"foundation", "spring"};
inline constexpr std::array<const char*, 2> kOriginWords{"drawn", "centroid"};
inline constexpr std::array<const char*, 2> kSamplingWords{"uniform", "adaptive"};

inline constexpr std::int64_t kMostCells = 1'000'000;
inline constexpr std::int64_t kMostTrials = 1'000'000'000'000;

/// A type, maybe const.
template <typename T, typename Type>
concept Is = std::same_as<std::remove_const_t<T>, Type>;

/// What rows are made from.
namespace quantities {
constexpr KeyExtras of(std::string_view group, std::string_view fallback = {}) {
  return {.fallback = fallback, .group = group};
}
constexpr KeyExtras otherwise(std::string_view fallback) { return {.fallback = fallback}; }
constexpr KeyExtras hidden(double value) { return {.hidden = value}; }
constexpr Quantity as(std::string_view type, NumberRange range = {}, NumberRange limits = {}) {
  return {type, range, limits};
}

/// A tenth of what fingers reach, so that all features lie far from their ends.
inline constexpr double kMostFinger_mm = 0.1 * kFingerReach_mm;
inline constexpr NumberRange kFingerLengths{.min = 0.0, .max = kMostFinger_mm, .above_min = true};
inline constexpr NumberRange kGroovePositions{.min = -kMostFinger_mm, .max = kMostFinger_mm};
inline constexpr NumberRange kChamferAngles{
    .min = 0.0, .max = 0.499 * std::numbers::pi, .above_min = true};
inline constexpr NumberRange kGrooveAngles{
    .min = 0.0, .max = 0.9 * std::numbers::pi, .above_min = true};
inline constexpr NumberRange kExponents{.min = 2.0, .max = 100.0};
inline constexpr NumberRange kPeriods{.min = 0.0, .max = kWholeTurn_rad, .above_min = true};
inline constexpr NumberRange kStepSizes{.min = 0.0, .max = 1.0, .above_min = true};
inline constexpr NumberRange kPadStiffnesses{.min = 1e-6, .max = 1e9};
inline constexpr NumberRange kFrictions{.min = 0.0, .max = limits::kMostFriction};
inline constexpr Quantity kMass{"kg", kPositive, limits::kMasses_kg};
inline constexpr Quantity kForce{"N", kPositive, limits::kForces_n};
inline constexpr Quantity kSpeed{"mm/s", kPositive, limits::kSpeeds_mm_s};
inline constexpr Quantity kTime{"s", kPositive, limits::kTimes_s};
inline constexpr Quantity kLength{"mm", kPositive, limits::kLengths_mm};
inline constexpr Quantity kPlace{"mm", kAnyNumber, limits::kPositions_mm};
inline constexpr Quantity kPoint{"[x, y], mm in P", kAnyNumber, limits::kPositions_mm};
inline constexpr Quantity kVector{"[x, y], mm", kAnyNumber, limits::kPositions_mm};
inline constexpr Quantity kAngle{"rad", kAnyNumber, limits::kAngles_rad};
inline constexpr Quantity kPlacedAngle{"rad", kAnyNumber, limits::kPlacedAngles_rad};
inline constexpr Quantity kFactor{"number", kNonNegative, kFrictions};
inline constexpr Quantity kRatio{"number", kPositive, limits::kRatios};
inline constexpr Quantity kFingerLength{"mm", kFingerLengths};
inline constexpr Quantity kFingerWidth{"mm",
                                       {.min = 0.0, .max = kFingerReach_mm, .above_min = true}};
inline constexpr Quantity kText{"text"};
inline constexpr Quantity kTruth{"truth"};
inline constexpr Quantity kNames{"list of names"};
inline constexpr Quantity kNumbers{"list of numbers"};
}  // namespace quantities

/// The document itself.
void config_keys(auto& keys, auto& config) {
  using namespace quantities;
  keys(
      {"name", kText, kOptional, "a name; run folder `outputs/NAME`", otherwise("the file's name")},
      config.name);
}

// ---- The part ----

/// [part]: mass properties, and what they are computed from; the offset of its shapes.
void part_keys(auto& keys, auto& scenario) {
  using namespace quantities;
  constexpr KeyExtras kMassGroup = of("mass");
  constexpr KeyExtras kUniform = of("uniform");
  keys({"mass_kg", kMass, kRequired | kUncertain, "", kMassGroup}, scenario.mass.mass_kg);
  keys({"center_of_mass_mm", kPoint, kRequired | kUncertain, "", kMassGroup},
       scenario.mass.center_of_mass_P_mm);
  keys({"inertia_kg_mm2", as("kg mm²", kPositive), kRequired | kUncertain,
        "about the centre of mass", kMassGroup},
       scenario.mass.inertia_kg_mm2);
  keys.listed({"density_kg_mm3", as("kg/mm³", kPositive), kOptional, "steel is 7.85e-6",
               of("uniform", "-")},
              KeyKind::kNumber);
  keys({"thickness_mm", kLength, kRequired,
        "with a density or material; beside the mass: for [hold](#hold)", kUniform},
       scenario.thickness_mm);
  if (keys.writes(scenario.part_as_drawn.has_value())) {
    keys({"offset_mm", kPlace, kUncertain, "larger all around than drawn: [oversize](#oversize)"},
         scenario.part_offset_mm);
  }
}

/// Instead of a density; the writer has the mass.
void material_keys(auto& keys, auto& material) {
  using namespace quantities;
  keys.choice({"material", kText, kOptional, "instead of `density_kg_mm3`", of("uniform", "-")},
              kMaterialNames, material);
}

/// What pieces of all kinds have in common.
void piece_keys(auto& keys, auto& piece) {
  using namespace quantities;
  keys({"name", kText, kRequired, "a name, unique"}, piece.name);
  keys({"center_mm", kPoint, kUncertain, "the piece's origin"}, piece.pose.position_mm);
  keys({"angle_rad", kAngle, kUncertain, "counter-clockwise from P's x axis"},
       piece.pose.angle_rad);
  keys({"friction_factor", kFactor, kUncertain,
        "multiplies the friction of jaws and palm; other than 1 only with `\"implicit\"`",
        hidden(1.0)},
       piece.friction_factor);
}

void superellipse_keys(auto& keys, auto& shape) {
  using namespace quantities;
  keys({"semi_axes_mm", as("[a, b], mm", kPositive, limits::kLengths_mm), kRequired | kUncertain,
        "of a superellipse", of("superellipse")},
       shape.a_mm, shape.b_mm);
  keys({"exponent", as("number", kExponents), kUncertain, "of a superellipse", of("superellipse")},
       shape.exponent);
}

/// How a drawing is read.
void drawing_keys(auto& keys, auto& options) {
  using namespace quantities;
  constexpr KeyExtras kOfFile = of("file");
  keys({"layers", as("list of texts"), kOptional, "layers to read; empty: all that are shown",
        kOfFile},
       options.layers);
  keys({"name_by_layer", kTruth, kOptional,
        "names elements by their layers (`_` for characters not allowed in names)",
        of("file", "true where outer outlines have several layers")},
       options.name_by_layer);
  keys({"tolerance_mm", kLength, kOptional,
        "widest gap that is joined, largest error of splines and ellipses", kOfFile},
       options.tolerance_mm);
  keys({"scale", kRatio, kOptional, "after the file's unit", kOfFile}, options.scale);
  keys({"rotation_rad", kAngle, kOptional, "about the drawing's origin", kOfFile},
       options.rotation_rad);
  keys.choice({"origin", kText, kOptional, "centroid: of the area", kOfFile}, kOriginWords,
              options.origin);
  keys({"origin_mm", kVector, kOptional,
        "instead of `origin`: the point, scaled and rotated, that becomes the origin",
        of("file", "-")},
       options.origin_mm);
}

/// An outline by its points or from a drawing; outline_toml.cpp reads and writes it.
void outline_keys(auto& keys) {
  using namespace quantities;
  keys.listed({"outline_mm", as("list of [x, y] or [x, y, bulge]"), kRequired,
               "at least 2; start points of the chain's elements", of("outline")},
              KeyKind::kNumberLists);
  keys.listed({"holes_mm", as("list of such lists"), kOptional,
               "separate chains within the outline", of("outline", "[]")},
              KeyKind::kNumberTables);
  keys.listed(
      {"names", as("list of texts"), kOptional,
       "for each element of the outer chain a name, or `\"\"`; may repeat", otherwise("none")},
      KeyKind::kTexts);
  keys.listed({"file", kText, kRequired,
               "instead: a DXF or SVG file with one outline, relative to the configuration's "
               "folder; with these keys:",
               of("file")},
              KeyKind::kText);
  DrawingOptions options;
  drawing_keys(keys, options);
}

// ---- The gripper ----

void gripper_keys(auto& keys, auto& gripper) {
  using namespace quantities;
  constexpr unsigned kNeeded = kRequired | kUncertain;
  keys({"jaw_mass_kg", kMass, kUncertain, "of each jaw; it [matters little](#grippers)",
        otherwise("0.02, and 0.0005 for each N of `closing_force_n`")},
       gripper.jaw_mass_kg);
  keys({"closing_force_n", kForce, kNeeded, "on each jaw"}, gripper.closing_force_n);
  keys({"closing_speed_mm_s", kSpeed, kNeeded,
        "above `stop.stopped_speed_mm_s`; of each jaw, closing freely"},
       gripper.closing_speed_mm_s);
  keys({"opening_mm", kLength, kNeeded,
        "above `stop.closed_opening_mm`; between the finger frames at the start; clear of the part "
        "at the centre of at least one cell"},
       gripper.opening_mm);
  keys.choice({"coupling", kText, kOptional,
               "symmetric: the jaws' centre stays; left-fixed: only the right jaw moves"},
              kCouplingWords, gripper.coupling);
  keys({"offset_mm", kVector, kUncertain, "constant error of the gripper's placement", hidden(0.0)},
       gripper.offset_mm);
}

/// A gripper of the library, which gripper_models.cpp puts into the document.
void gripper_model_keys(auto& keys) {
  using namespace quantities;
  const std::size_t none = 0;
  keys.choice({"model", kText, kOptional,
               "a [gripper](#grippers): opening, force, speed and pads that are not given",
               otherwise("none")},
              gripper_model_names(), none);
}

/// The dimensions of a finger of a common form.
void finger_keys(auto& keys, auto& shape) {
  using namespace quantities;
  constexpr KeyExtras kStep = of("step", "0");
  constexpr KeyExtras kGroove = of("groove", "-");
  constexpr KeyExtras kPad = of("pad", "-");
  constexpr KeyExtras kWithStep = of("step", "-");
  constexpr unsigned kNeeded = kRequired | kUncertain;
  if (keys.has(!shape.is_pad())) {
    keys({"width_mm", kFingerWidth, kUncertain, "inside edge to outside",
          otherwise("10000: no end")},
         shape.width_mm);
  }
  if (keys.has(shape.is_pad())) {
    keys({"pad_width_mm", kFingerLength, kNeeded,
          "instead of `width_mm`: a finger from above; length of its pad along y, middle at y = 0",
          kPad},
         shape.pad_width_mm);
    keys({"pad_depth_mm", kFingerLength, kNeeded, "inside edge to outside", kPad},
         shape.pad_depth_mm);
  }
  if (keys.has(shape.tip_radius_mm > 0.0)) {
    keys({"tip_radius_mm", kFingerLength, kUncertain,
          "at most the tip's width; arc at the tip's corner, at both of a pad"},
         shape.tip_radius_mm);
  }
  if (keys.has(shape.tip_chamfer_mm > 0.0)) {
    keys({"tip_chamfer_mm", kFingerLength, kRequired | kUncertain,
          "at most the tip's width; chamfer instead, its length along the top edge",
          of("chamfer", "0")},
         shape.tip_chamfer_mm);
    keys({"tip_chamfer_rad", as("rad", kChamferAngles), kUncertain,
          "below π/2; between chamfer and inside edge", of("chamfer", "π/4")},
         shape.tip_chamfer_rad);
  }
  if (keys.has(shape.step_depth_mm > 0.0)) {
    keys({"step_depth_mm", kFingerLength, kNeeded,
          "below `width_mm`; setback of the tip from x = 0", kStep},
         shape.step_depth_mm);
    keys({"step_height_mm", kFingerLength, kNeeded, "from the ledge to the top edge", kWithStep},
         shape.step_height_mm);
  }
  if (keys.has(shape.groove_depth_mm > 0.0)) {
    if (keys.has(shape.groove_radius_mm == 0.0)) {
      keys({"groove_angle_rad", as("rad", kGrooveAngles), kUncertain,
            "at most 0.9 π; whole angle of a V in the inside edge", kGroove},
           shape.groove_angle_rad);
    }
    if (keys.has(shape.groove_radius_mm > 0.0)) {
      keys({"groove_radius_mm", kFingerLength, kUncertain,
            "at least `groove_depth_mm`; instead of an angle: a round groove", kGroove},
           shape.groove_radius_mm);
    }
    keys({"groove_depth_mm", kFingerLength, kNeeded, "below the finger's width; x of its bottom",
          kGroove},
         shape.groove_depth_mm);
    keys({"groove_position_mm", as("mm", kGroovePositions), kUncertain,
          "y of its bottom; below tip and step", of("groove", "-; 0 in a pad")},
         shape.groove_position_mm);
  }
}

/// A feature of a finger's shape: its word in `design.shapes`, and the keys that go with it.
struct FingerFeature {
  const char* word;
  std::vector<const char*> keys;
};

inline const std::vector<FingerFeature>& finger_features() {
  static const std::vector<FingerFeature> kFeatures = {
      {"plain", {}},
      {"radius", {"tip_radius_mm"}},
      {"chamfer", {"tip_chamfer_mm", "tip_chamfer_rad", "tip_chamfer_deg"}},
      {"v_groove",
       {"groove_angle_rad", "groove_angle_deg", "groove_depth_mm", "groove_position_mm"}},
      {"round_groove", {"groove_radius_mm", "groove_depth_mm", "groove_position_mm"}},
      {"step", {"step_depth_mm", "step_height_mm"}},
      {"pad", {"pad_width_mm", "pad_depth_mm"}}};
  return kFeatures;
}

/// [gripper.pad]: of both jaws, or with [gripper.left_pad] of the right one.
void pad_keys(auto& keys, auto& pad) {
  using namespace quantities;
  constexpr KeyExtras kOfMaterial = of("material", "-");
  keys({"normal_n_per_mm2", as("N/mm²", kPositive, kPadStiffnesses), kRequired | kUncertain,
        "force per deflection and length of contact", of("stiffness")},
       pad.normal_n_per_mm2);
  keys({"shear_n_per_mm2", as("N/mm²", kPositive, kPadStiffnesses), kUncertain,
        "the same along the boundary", of("stiffness", "a third of `normal_n_per_mm2`")},
       pad.shear_n_per_mm2);
  keys({"spread_mm", kLength, kRequired | kUncertain,
        "the length on which a point bears; about the pad's thickness", of("stiffness")},
       pad.spread_mm);
  keys.listed({"modulus_mpa", as("MPa", kPositive), kRequired,
               "instead of the three: Young's modulus; rubber has 1 to 10", kOfMaterial},
              KeyKind::kNumber);
  keys.listed({"thickness_mm", kLength, kRequired, "with it", kOfMaterial}, KeyKind::kNumber);
  keys.listed(
      {"height_mm", kLength, kRequired, "with it: of pad and part, where they touch", kOfMaterial},
      KeyKind::kNumber);
  keys({"most_deflection_mm", kLength, kRequired | kUncertain,
        "beyond it the pad is rigid; below its thickness"},
       pad.most_deflection_mm);
  keys({"damping_s", as("s", kNonNegative, {.min = 0.0, .max = limits::kTimes_s.max}), kUncertain,
        "viscosity over stiffness: how long the pad takes to recover"},
       pad.damping_s);
  keys.choice(
      {"law", kText, kOptional,
       "foundation: the longer the contact, the stiffer; spring: as `spread_mm` alone says"},
      kPadLawWords, pad.law);
}

/// What a mount has where nothing is said. Without damping a gripper without mass has no velocity.
inline constexpr Mount kUsualMount{.damping_s = 0.02};

/// [gripper.mount]
void mount_keys(auto& keys, auto& mount) {
  using namespace quantities;
  constexpr NumberRange kStiffnesses{.min = 1e-6, .max = 1e12};
  constexpr double kRigid = std::numeric_limits<double>::infinity();
  keys({"sideways_n_per_mm",
        as("N/mm", kPositive, kStiffnesses),
        kRequired | kUncertain,
        "force per way, in all directions",
        {.fallback = "rigid", .group = "sideways", .hidden = kRigid}},
       mount.sideways_n_per_mm);
  keys({"turning_n_mm",
        as("N mm", kPositive, kStiffnesses),
        kRequired | kUncertain,
        "moment per angle in rad, about the gripper's origin",
        {.fallback = "rigid", .group = "turning", .hidden = kRigid}},
       mount.turning_n_mm);
  keys({"damping_s", kTime, kUncertain,
        "viscosity over stiffness: how long the mount takes to recover"},
       mount.damping_s);
}

// ---- The table ----

void support_model_keys(auto& keys, auto& model) {
  using namespace quantities;
  keys.choice({"model", kText, kRequired, "[support](#support)"}, kSupportModelNames, model);
}

void support_keys(auto& keys, Is<EllipsoidSupport> auto& support) {
  using namespace quantities;
  constexpr KeyExtras kOfModel = of("ellipsoid");
  keys({"e_t", kRatio, kUncertain, "along the gripper's x", kOfModel}, support.e_t);
  keys({"e_o", kRatio, kUncertain, "along the gripper's y", kOfModel}, support.e_o);
  keys({"e_r_mm", kLength, kUncertain, "",
        of("ellipsoid", "mean distance of the part's area from its centre of mass")},
       support.e_r_mm);
}

void support_keys(auto& keys, Is<TripodSupport> auto& support) {
  using namespace quantities;
  keys({"radius_mm", kLength, kUncertain, "from the centre of mass", of("tripod", "as `e_r_mm`")},
       support.radius_mm);
  keys({"angles_rad", as("list of 3, rad in P", kAnyNumber), kOptional, "",
        of("tripod", "90°, 210°, 330°")},
       support.angles_rad);
}

/// scenario_reader.cpp reads the points, config_write.cpp writes them.
void support_keys(auto& keys, Is<PointsSupport> auto& /*support*/) {
  using namespace quantities;
  keys.listed({"points_mm", as("[[x, y], ...], mm in P"), kRequired, "3 to 16, all different",
               of("points")},
              KeyKind::kNumberLists);
  keys.listed(
      {"load_shares", kNumbers, kOptional,
       ">= 0, sum 1 (within 0.01); points' shares of the weight", of("points", "by statics")},
      KeyKind::kNumbers);
  keys.listed({"friction_factors", kNumbers, kOptional,
               ">= 0; multiply `friction.support` at each point", of("points", "1 for each")},
              KeyKind::kNumbers);
}

void support_keys(auto& keys, Is<PartEllipsoidSupport> auto& support) {
  using namespace quantities;
  keys({"length_mm", kLength, kRequired | kUncertain, "divides moments", of("part-ellipsoid")},
       support.length_mm);
  keys.listed({"matrix", as("3 rows of 3 numbers"), kRequired, "symmetric, positive definite",
               of("part-ellipsoid")},
              KeyKind::kNumberLists);
}

void support_keys(auto& keys, Is<FourthOrderSupport> auto& support) {
  using namespace quantities;
  keys({"length_mm", kLength, kRequired | kUncertain, "divides moments", of("fourth-order")},
       support.length_mm);
  keys({"coefficients", as("list of 15 numbers"), kRequired, "of a convex, positive polynomial",
        of("fourth-order")},
       support.coefficients);
}

// ---- Friction ----

void jaw_friction_keys(auto& keys, auto& gripper) {
  using namespace quantities;
  constexpr KeyExtras kAsJaw{.fallback = "`jaw`", .hidden = kFrictionOfTrial};
  constexpr std::string_view kInstead = "instead of `jaw` for one jaw";
  keys({"right_jaw", kFactor, kUncertain, kInstead, kAsJaw}, gripper.mu_right);
  keys({"left_jaw", kFactor, kUncertain, kInstead, kAsJaw}, gripper.mu_left);
}

void friction_keys(auto& keys, auto& config) {
  using namespace quantities;
  constexpr Quantity kFriction{"distribution", kNonNegative, kFrictions};
  keys({"jaw", kFriction, kRequired, "one draw for both jaws and the palm"}, config.mu_jaw);
  keys({"support", kFriction, kRequired, ""}, config.mu_support);
  jaw_friction_keys(keys, config.scenario.gripper);
}

/// [[correlated]], which correlated_inputs.cpp reads.
void correlated_keys(auto& keys) {
  using namespace quantities;
  keys.listed({"keys", as("list of texts"), kRequired, "2 to 100 keys of distributions"},
              KeyKind::kTexts);
  keys.listed({"matrix", as("rows of numbers"), kRequired,
               "symmetric, ones on the diagonal, positive definite"},
              KeyKind::kNumberLists);
}

/// A table { distribution = ... }, which distribution_reader.cpp reads; distribution_forms there
/// says which distribution has which.
void distribution_keys(auto& keys) {
  using namespace quantities;
  const std::size_t none = 0;
  keys.choice({"distribution", kText, kRequired}, Distribution::words(), none);
  const auto list = [&](std::string_view name, const Quantity& quantity, KeyKind kind,
                        std::string_view sentence) {
    keys.listed({name, quantity, kOptional, sentence}, kind);
  };
  const auto number = [&](std::string_view name, std::string_view sentence) {
    list(name, as("number"), KeyKind::kNumber, sentence);
  };
  number("value", "of `fixed`");
  number("mean", "of the normal ones and `lognormal`");
  number("sigma", "their standard deviation");
  number("lot_sigma", "standard deviation of the lots' means; of `normal`");
  number("part_sigma", "standard deviation within a lot; of `normal`");
  number("min", "lower end");
  number("mode", "the most probable value; of `triangular`");
  number("max", "upper end");
  number("scale", "multiplies the values of `file`");
  constexpr Quantity kListed = as("list of 1 to 1000 finite numbers");
  list("values", kListed, KeyKind::kNumbers, "of `discrete`");
  list("weights", kListed, KeyKind::kNumbers, "of `values`; else equal");
  list("edges", as("list of 2 to 1001 finite numbers"), KeyKind::kNumbers,
       "of the bins of `histogram`, ascending");
  list("counts", kListed, KeyKind::kNumbers, "in each bin");
  list("bins", as("integer", {.min = 1, .max = 1000}), KeyKind::kInteger,
       "into which the values of `file` go");
  list("file", kText, KeyKind::kText,
       "of `histogram`: a CSV file of measured values, relative to the configuration's folder");
  list("column", kText, KeyKind::kText, "of `file`");
}

// ---- Placements, success ----

void placement_keys(auto& keys, auto& placement) {
  using namespace quantities;
  constexpr Quantity kCells{"integer", {.min = 1, .max = kMostCells}};
  constexpr std::string_view kOrder = "min < max";
  keys({"x_min_mm", kPlace, kRequired, kOrder}, placement.x_mm.min);
  keys({"x_max_mm", kPlace, kRequired, kOrder}, placement.x_mm.max);
  keys({"x_cells", kCells, kRequired, "with the others, at most 1,000,000 cells"},
       placement.x_mm.cells);
  keys({"y_min_mm", kPlace, kRequired, kOrder}, placement.y_mm.min);
  keys({"y_max_mm", kPlace, kRequired, kOrder}, placement.y_mm.max);
  keys({"y_cells", kCells, kRequired, ""}, placement.y_mm.cells);
  auto& theta = placement.theta_rad;
  if (keys.writes(theta.is_fixed())) {
    keys({"theta_rad", kPlacedAngle, kOptional,
          "the part's angle at the start, in the gripper's frame, counter-clockwise; or a range:",
          of("angle")},
         theta.min);
  }
  if (keys.writes(!theta.is_fixed())) {
    constexpr KeyExtras kRange = of("angles");
    keys({"theta_min_rad", kPlacedAngle, kRequired, "min < max; instead of `theta_rad`", kRange},
         theta.min);
    keys({"theta_max_rad", kPlacedAngle, kRequired, "min < max; instead of `theta_rad`", kRange},
         theta.max);
    keys({"theta_cells", kCells, kRequired,
          "third axis of the map; uniform in each cell, as x and y", kRange},
         theta.cells);
  }
}

void noise_keys(auto& keys, auto& placement) {
  using namespace quantities;
  constexpr Quantity kLength{"distribution, mm", kAnyNumber};
  keys({"x_mm", kLength}, placement.noise_x_mm);
  keys({"y_mm", kLength}, placement.noise_y_mm);
  keys({"theta_rad", as("distribution, rad", kAnyNumber)}, placement.noise_theta_rad);
}

void success_keys(auto& keys, auto& rule) {
  using namespace quantities;
  constexpr std::string_view kTouched = "pieces and elements that the finger must all touch";
  constexpr std::string_view kPose = "min < max; final position of the part's origin";
  constexpr Quantity kWindow{"[min, max], mm in G", kAnyNumber};
  keys({"left", kNames, kOptional, kTouched}, rule.left);
  keys({"right", kNames, kOptional, kTouched}, rule.right);
  if (keys.writes(!rule.palm.empty())) {
    keys({"palm", kNames, kOptional, "the same for the palm, with `[gripper.palm]`"}, rule.palm);
  }
  if (keys.writes(!rule.obstacle.empty())) {
    keys({"obstacle", kNames, kOptional,
          "the same for [obstacles](#obstacles); `\"wall: edge 1\"` for one of them"},
         rule.obstacle);
  }
  keys({"x_mm", kWindow, kOptional, kPose}, rule.x_mm);
  keys({"y_mm", kWindow, kOptional, kPose}, rule.y_mm);
  keys({"theta_rad", as("[min, max], rad", kAnyNumber), kOptional,
        "min < max, at most `theta_period_rad` apart; final angle of the part"},
       rule.theta_rad);
  if (keys.writes(rule.theta_rad.has_value())) {
    keys({"theta_period_rad", as("rad", kPeriods), kOptional,
          "a turn divided by a whole number; with `theta_rad`", otherwise("2π")},
         rule.theta_period_rad);
  }
  keys({"opening_mm", as("[min, max], mm", kAnyNumber), kOptional,
        "min < max; overlaps `stop.closed_opening_mm` to `gripper.opening_mm`; final distance of "
        "the finger frames"},
       rule.opening_mm);
  if (keys.writes(rule.at_rest)) {
    keys({"at_rest", kTruth, kOptional, "true: jaws must stop before the timeout"}, rule.at_rest);
  }
  if (keys.writes(rule.hold_factor.has_value())) {
    keys({"hold_factor", as("number", kPositive), kOptional, "least safety of the [hold](#hold)",
          otherwise("none")},
         rule.hold_factor);
  }
}

/// [hold]: what the hand does with the part; hold_rule.cpp reads and writes the directions.
void hold_keys(auto& keys, auto& rule) {
  using namespace quantities;
  constexpr Quantity kHeight{"mm", kNonNegative, limits::kPositions_mm};
  keys({"part_height_mm", kLength, kOptional, "of the part, which is a plate",
        otherwise("`part.thickness_mm`")},
       rule.part_height_mm);
  keys({"center_of_mass_height_mm", kHeight, kOptional,
        "at most `part_height_mm`; above the part's underside",
        otherwise("half of `part_height_mm`")},
       rule.center_of_mass_height_mm);
  keys({"contact_height_mm", kHeight, kOptional,
        "of the middle of the pads, above the part's underside",
        otherwise("half of `part_height_mm`")},
       rule.contact_height_mm);
  keys({"pad_height_mm", kHeight, kOptional,
        "from the pads' lower edge to their upper; 0: they touch along a line",
        otherwise("`part_height_mm`")},
       rule.pad_height_mm);
  keys({"acceleration_m_s2", as("m/s²", kNonNegative, limits::kGravities_mm_s2), kOptional,
        "of the gripper"},
       rule.acceleration_m_s2);
  if (keys.writes(rule.directions.empty())) {
    keys.choice({"direction", kText, kOptional,
                 "of the acceleration; horizontal: the worst of all in the plane"},
                kHoldDirectionWords, rule.direction);
  }
  keys.listed({"directions", as("[[x, y, z], ...]"), kOptional,
               "instead of `direction`: in the gripper's frame, z up; the worst of them counts",
               otherwise("none")},
              KeyKind::kNumberLists);
  keys.choice({"drives", kText, kOptional,
               "under a load along x: they press with `closing_force_n`, or hold the jaws; coupled "
               "jaws hold their middle anyway"},
              kHeldDriveWords, rule.drives);
  keys({"tool_mass_kg", as("kg", kNonNegative, {.min = 0.0, .max = limits::kMasses_kg.max}),
        kOptional, "of what the part carries"},
       rule.tool_mass_kg);
  keys({"tool_at_mm", as("[x, y, z], mm", kAnyNumber, limits::kPositions_mm), kOptional,
        "its centre of mass: x and y in P, z above the part's underside", otherwise("[0, 0, 0]")},
       rule.tool_at_mm);
}

// ---- The table ----

/// [[obstacle]], which has an outline where it is no half-plane.
void obstacle_keys(auto& keys, auto& name, auto& obstacle) {
  using namespace quantities;
  constexpr KeyExtras kHalfPlane = of("half-plane");
  keys({"name", kText, kRequired, "a name, unique"}, name);
  if (keys.writes(obstacle.is_half_plane)) {
    keys({"point_mm", kVector, kRequired, "on the face of a half-plane", kHalfPlane},
         obstacle.point_mm);
    keys({"facing_rad", kAngle, kRequired, "direction out of it, counter-clockwise from x",
          kHalfPlane},
         obstacle.facing_rad);
  }
  keys({"mu", kFactor, kOptional, "friction of the part on it", otherwise("`friction.jaw`")},
       obstacle.mu);
  keys.choice({"frame", kText, kOptional,
               "where it stands: in the gripper's frame at the start, or in the part's; the same "
               "for all obstacles"},
              kTableFrameWords, obstacle.frame);
}

// ---- What the gripper does ----

/// [[program]]; the keys of all actions.
void phase_keys(auto& keys, auto& phase) {
  using namespace quantities;
  constexpr Quantity kTurnSpeed{"rad/s", kPositive, limits::kSpeeds_mm_s};
  constexpr Quantity kTimeout{"s", kPositive};  // as stop.timeout_s, which is its default
  constexpr std::string_view kLongest = "longest time, after which the trial ends as `timeout`";
  constexpr std::string_view kDriven = "what the jaws do meanwhile";
  const auto does = [&](PhaseAction action) { return keys.writes(phase.action == action); };
  keys.choice({"do", kText, kRequired, "what the gripper does"}, kPhaseActionWords, phase.action);
  if (does(PhaseAction::kMove)) {
    keys({"by_mm", kVector, kRequired, "other than [0, 0]; in the gripper's axes", of("move")},
         phase.by_mm);
    keys({"speed_mm_s", kSpeed, kRequired, "", of("move")}, phase.speed_mm_s);
    keys.choice(
        {"until", kText, kOptional,
         "contact: it ends where a finger meets the part; contact-lost: where none touches it",
         of("move")},
        kMoveEndWords, phase.until);
    keys.choice({"jaws", kText, kOptional, kDriven, of("move")}, kJawDriveWords, phase.jaws);
  }
  if (does(PhaseAction::kTurn)) {
    keys({"by_rad", kAngle, kRequired, "other than 0; counter-clockwise", of("turn")},
         phase.by_rad);
    keys({"speed_rad_s", kTurnSpeed, kRequired, "", of("turn")}, phase.speed_rad_s);
    keys({"center_mm", kVector, kOptional, "in the gripper's frame", of("turn")}, phase.center_mm);
    keys.choice({"jaws", kText, kOptional, kDriven, of("turn")}, kJawDriveWords, phase.jaws);
  }
  if (does(PhaseAction::kWait)) {
    keys({"time_s", kTime, kRequired, "", of("wait")}, phase.time_s);
    keys.choice({"jaws", kText, kOptional, kDriven, of("wait")}, kJawDriveWords, phase.jaws);
  }
  if (does(PhaseAction::kOpen)) {
    keys({"opening_mm", kLength, kOptional, "above `stop.closed_opening_mm`",
          of("open", "`gripper.opening_mm`")},
         phase.opening_mm);
    keys({"timeout_s", kTimeout, kOptional, kLongest, of("open", "`stop.timeout_s`")},
         phase.timeout_s);
  }
  if (does(PhaseAction::kClose)) {
    keys({"timeout_s", kTimeout, kOptional, kLongest, of("close", "`stop.timeout_s`")},
         phase.timeout_s);
  }
}

// ---- What a design may choose ----

/// [design]; design_rule.cpp reads the placement.
void design_keys(auto& keys, auto& rule) {
  using namespace quantities;
  constexpr KeyExtras kNone = otherwise("none");
  keys.choice({"objective", kText, kOptional,
               "success at the best placement under the robot's error, or in the worst cell of the "
               "map; least spread of the pose in hand; largest error tolerated"},
              kDesignObjectiveWords, rule.objective);
  keys.choice({"second_objective", kText, kOptional, "with it the answer is a front"},
              kSecondObjectiveWords, rule.second);
  keys({"probability", as("number", {.min = 0.01, .max = 0.999}), kOptional,
        "success that pose-spread and tolerated-error ask for"},
       rule.probability);
  keys.choice({"spread_of", kText, kOptional, "for pose-spread"}, kSpreadOfWords, rule.spread_of);
  keys({"shapes", as("list of texts"), kOptional,
        "of the finger: `\"plain\"`, `\"radius\"`, `\"chamfer\"`, `\"v_groove\"`, "
        "`\"round_groove\"`, `\"step\"`, `\"pad\"`, several joined by `+`, or DXF or SVG files",
        otherwise("[gripper.finger] as it is")},
       rule.shapes);
  keys.listed({"placement", as("[x, y] or [x, y, theta], mm and rad"), kOptional,
               "where each design is judged", otherwise("the best of each design")},
              KeyKind::kNumbers);
  keys({"clearance_mm", kLength, kOptional,
        "least distance of the open fingers to the part, at the placement", kNone},
       rule.clearance_mm);
  keys({"most_width_mm", kLength, kOptional, "of a finger, from its inside edge to its outside",
        kNone},
       rule.most_width_mm);
  keys.choice({"parts", kText, kOptional, "how the values of several parts become one"},
              kPartsRuleWords, rule.parts_rule);
  keys({"weight", as("number", kPositive, {.min = 1e-6, .max = 1e6}), kOptional,
        "of this part among several, for their mean"},
       rule.weight);
}

/// [[design.variable]]; design_rule.cpp reads the values.
void design_variable_keys(auto& keys, auto& variable) {
  using namespace quantities;
  constexpr KeyExtras kNone = otherwise("none");
  constexpr Quantity kEnd{"number", kAnyNumber};
  keys({"key", kText, kRequired, "a key as `--set` takes it: `gripper.finger.groove_depth_mm`"},
       variable.key);
  keys({"linked", as("list of texts"), kOptional, "other keys that get the same value"},
       variable.linked);
  keys({"min", kEnd, kOptional, "in the key's unit", kNone}, variable.min);
  keys({"max", kEnd, kOptional, "above `min`", kNone}, variable.max);
  keys({"step", as("number", kPositive), kOptional, "only min, min + step, ...: what can be made",
        kNone},
       variable.step);
  keys.listed(
      {"values", as("list of numbers"), kOptional, "instead of a range: 2 to 1000 numbers", kNone},
      KeyKind::kNumbers);
  keys({"texts", as("list of texts"), kOptional, "instead of a range: words or files", kNone},
       variable.texts);
}

/// [[design.part]]; design_rule.cpp reads the configuration's file.
void design_part_keys(auto& keys, auto& part) {
  using namespace quantities;
  keys({"name", kText, kRequired, "a name, unique"}, part.name);
  keys.listed({"config", kText, kOptional,
               "its configuration, relative to this one's folder, whose [gripper] is this one's",
               otherwise("this one")},
              KeyKind::kText);
  keys({"set", as("list of texts"), kOptional,
        "KEY=VALUE: what is different in it, as with `--set`"},
       part.set);
  keys({"weight", as("number", kPositive, {.min = 1e-6, .max = 1e6}), kOptional,
        "of the part, for the mean"},
       part.weight);
}

// ---- The robot ----

/// [robot] and [robot.camera]; robot_error.cpp reads the measured deviations.
void device_keys(auto& keys, auto& device) {
  using namespace quantities;
  const auto none = [](std::string_view option_value) {
    return KeyExtras{.fallback = "none", .option_value = option_value};
  };
  constexpr Quantity kSigma{"s or [x, y], mm", kNonNegative, limits::kPositions_mm};
  keys({"repeatability_mm", kLength, kOptional,
        "the position's error, as RP of a data sheet ([ISO 9283](#the-robots-error))", none("RP")},
       device.repeatability_mm);
  keys({"position_range_mm", kLength, kOptional, "half width of a uniform error in x and in y",
        none("A")},
       device.position_range_mm);
  keys({"position_sigma_mm", kSigma, kOptional,
        "standard deviations of a normal error in x and y; 0: exact", none("SX,SY")},
       device.position_sigma_mm);
  keys({"position_covariance_mm2", as("[xx, xy, yy], mm²", kAnyNumber), kOptional,
        "variances of a normal error in x and y, and their covariance; positive definite",
        none("XX,XY,YY")},
       device.position_covariance_mm2);
  keys.listed({"measured", kText, kOptional,
               "a CSV file of deviations: `x_mm`, `y_mm`, optional `theta_rad`", none("FILE")},
              KeyKind::kText);
  keys.listed({"deviations", as("list of [x, y] or [x, y, theta]"), kOptional,
               "5 to 1000; what `measured` has read, in mm and rad", otherwise("none")},
              KeyKind::kNumberLists);
  keys({"angle_range_rad", as("rad", kPositive, limits::kAngles_rad), kOptional,
        "half width of a uniform error of the angle, for a map over angles", none("A")},
       device.angle_range_rad);
  keys({"angle_sigma_rad", as("rad", kNonNegative, limits::kAngles_rad), kOptional,
        "standard deviation of a normal error of the angle, for a map over angles", none("S")},
       device.angle_sigma_rad);
  keys({"angle_covariance_mm_rad", as("[xt, yt], mm rad", kAnyNumber), kOptional,
        "covariances of a normal error of the angle with those of x and y", none("XT,YT")},
       device.angle_covariance_mm_rad);
  keys({"offset_sigma_mm", kSigma, kOptional,
        "standard deviations of an offset that is unknown, but the same in each grasp: what is "
        "left of calibration",
        none("OX,OY")},
       device.offset_sigma_mm);
  keys({"offset_angle_sigma_rad", as("rad", kNonNegative, limits::kAngles_rad), kOptional,
        "the same of the angle", none("O")},
       device.offset_angle_sigma_rad);
  keys({"repeats", as("integer", {.min = 4, .max = 1'000'000}), kOptional,
        "repeat measurements that the standard deviations or the covariance come from, their mean "
        "taken out of the aim: the error is Student's",
        none("N")},
       device.repeats);
}

// ---- Trials ----

void stop_keys(auto& keys, auto& stop) {
  using namespace quantities;
  keys({"stopped_speed_mm_s", kSpeed}, stop.stopped_speed_mm_s);
  keys({"stopped_time_s", kTime}, stop.stopped_time_s);
  keys({"closed_opening_mm", kLength}, stop.closed_opening_mm);
  keys({"timeout_s", as("s", kPositive), kOptional, "at most 10,000,000 steps of `step_s`"},
       stop.timeout_s);
  keys({"contact_gap_mm", kLength}, stop.contact_gap_mm);
}

/// The steps' keys; the defaults of some depend on others, and a stepper may have more.
void simulation_keys(auto& keys, auto& scenario) {
  using namespace quantities;
  keys({"order", as("integer", {.min = 1, .max = 2}), kOptional,
        "fixed steps, or [steps sized by their "
        "error](../explanation/model.md#steps-of-second-order); "
        "2 only with `\"implicit\"`",
        otherwise("2; 1 if `tolerance_mm` is 0 or `stepper` is not `\"implicit\"`")},
       scenario.order);
  keys({"step_s", as("s", kStepSizes, limits::kTimes_s), kOptional, "order 2: the largest step",
        otherwise("0.032; order 1: 0.002")},
       scenario.step_s);
  keys({"gravity_mm_s2", as("mm/s²", kNonNegative, limits::kGravities_mm_s2), kUncertain},
       scenario.gravity_mm_s2);
  keys({"tolerance_mm",
        as("mm", kNonNegative),
        kOptional,
        "order 1: 0, order 2: > 0; [error of a "
        "step](../explanation/model.md#steps-of-second-order)",
        {.fallback = "0.02; 0.001 of the part's reach from its centre of mass, if below 20 mm; "
                     "order 1: 0",
         .hidden = 0.0}},
       scenario.tolerance_mm);
}

/// The time-stepper; graspmap-lab has other words, and keys that go with them.
void stepper_keys(auto& keys, const auto& words, const auto& integers) {
  using namespace quantities;
  const std::size_t none = 0;
  keys.choice({"stepper", kText, kOptional, "`graspmap-lab` has others"}, words, none);
  for (const KeyRow& row : integers) keys.listed(row, KeyKind::kInteger);
}

void trials_keys(auto& keys, auto& config, auto& sampling) {
  using namespace quantities;
  keys({"trials_per_cell", as("integer", {.min = 1, .max = std::numeric_limits<int>::max()}),
        kRequired, "at most 10^12 trials in all; adaptive: the most in one cell, at most 10,000"},
       config.trials_per_cell);
  keys({"seed", as("integer", {.min = 0, .max = 0x1p63}), kRequired}, config.seed);
  keys.choice({"sampling", kText}, kSamplingWords, sampling);
  keys.choice(
      {"points", kText, kOptional,
       "at which the trials of a cell lie: [nets](../explanation/statistics.md#even-points), or "
       "random ones"},
      kSweepPointsWords, config.points);
}

void adaptive_keys(auto& keys, auto& adaptive) {
  using namespace quantities;
  constexpr Quantity kTrials{"integer", {.min = 1, .max = static_cast<double>(kMostTrials)}};
  keys({"first_trials", kTrials, kOptional, "at most `trials_per_cell`; in each cell at first",
        otherwise("6, for `goal = \"map\"` and `\"plan\"` 8, or `trials_per_cell` if less")},
       adaptive.first_trials);
  keys({"round_trials", kTrials, kOptional,
        "in each later round, approximately; not for `goal = \"map\"` and `\"plan\"`",
        otherwise("number of cells, at least 100")},
       adaptive.round_trials);
  keys({"most_trials", kTrials, kOptional, "the budget: one first round to all trials",
        otherwise("a tenth of all, at least two first rounds")},
       adaptive.most_trials);
  keys.choice(
      {"goal", kText, kOptional,
       "what is to be known: where the sweet spot is; where the plateau ends; either; both; the "
       "whole map; the best placement under the error of `[robot]`"},
      kAdaptiveGoalWords, adaptive.goal);
  keys({"sweet_spot_within_mm", as("mm", kNonNegative), kOptional,
        "distance allowed to the complete run's sweet spot"},
       adaptive.sweet_spot_within_mm);
  keys({"confidence", as("number", {.min = 0.5, .max = 0.999}), kOptional,
        "of that distance, and of a cell's lying inside or outside the plateau"},
       adaptive.confidence);
  keys({"interval_width", as("number", {.min = 0.0, .max = 1.0, .above_min = true}), kOptional,
        "of Wilson 95 % intervals of the other cells"},
       adaptive.interval_width);
  keys({"standard_error", as("number", {.min = 0.0, .max = 0.5, .above_min = true}), kOptional,
        "for `goal = \"map\"`: the mean standard error of the cells of mixed outcome at which it "
        "ends",
        otherwise("none: the budget is spent")},
       adaptive.standard_error);
}

void summary_keys(auto& keys, auto& config) {
  using namespace quantities;
  keys({"sweet_spot_half_width_mm", kLength, kOptional,
        "rounded so that the square has whole cells"},
       config.sweet_spot_half_width_mm);
  keys({"plateau_probability", as("number", {.min = 0.0, .max = 1.0})}, config.plateau_probability);
}

// ---- All numbers of a scenario ----

/// Shows the tables of a scenario whose numbers may be uncertain; before each, keys.table(path) or,
/// of a piece, keys.table(path, name).
void scenario_keys(auto& keys, auto& scenario) {
  auto& part = scenario.part_as_drawn ? *scenario.part_as_drawn : scenario.part;
  for (auto& piece : part.pieces) {
    keys.table("part.piece", piece.name);
    piece_keys(keys, piece);
    superellipse_keys(keys, piece.shape);
  }
  for (auto& piece : part.outlines) {
    keys.table("part.piece", piece.name);
    piece_keys(keys, piece);
  }
  keys.table("part");
  part_keys(keys, scenario);
  keys.table("gripper");
  gripper_keys(keys, scenario.gripper);
  keys.table("support");
  std::visit([&](auto& model) { support_keys(keys, model); }, scenario.support);
  keys.table("friction");
  jaw_friction_keys(keys, scenario.gripper);
  keys.table("simulation");
  simulation_keys(keys, scenario);
  if (scenario.right_shape) {
    keys.table("gripper.finger");
    finger_keys(keys, *scenario.right_shape);
  }
  if (scenario.left_shape) {
    keys.table("gripper.left_finger");
    finger_keys(keys, *scenario.left_shape);
  }
  auto& gripper = scenario.gripper;
  if (gripper.right_pad) {
    keys.table("gripper.pad");
    pad_keys(keys, *gripper.right_pad);
  }
  if (gripper.left_pad && !scenario.same_pads) {
    keys.table("gripper.left_pad");
    pad_keys(keys, *gripper.left_pad);
  }
  if (gripper.mount) {
    keys.table("gripper.mount");
    mount_keys(keys, *gripper.mount);
  }
}

}  // namespace graspmap
