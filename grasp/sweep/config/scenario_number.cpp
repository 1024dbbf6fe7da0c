#include "grasp/sweep/config/scenario_number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <variant>

#include "geometry/assert.hpp"
#include "geometry/part.hpp"
#include "grasp/base/io/errors.hpp"
#include "grasp/sweep/config/scenario_reader.hpp"

namespace graspmap {
namespace {

using Place = double* (*)(DrawnScenario&, std::size_t);

struct NamedPlace {
  std::string_view key;
  NumberRange range;
  Place place;  ///< gives null for a scenario without this number
};

constexpr NumberRange kFrictions{.min = 0.0, .max = limits::kMostFriction};
constexpr NumberRange kSupportShares{.min = 0.0, .max = 1e6, .above_min = true};
constexpr NumberRange kInertias_kg_mm2{.min = 1e-24, .max = 1e24};

/// What the part is made from.
Part& drawn_shapes(DrawnScenario& scenario) {
  return scenario.part_as_drawn ? *scenario.part_as_drawn : scenario.part;
}

Piece& drawn_piece(DrawnScenario& scenario, std::size_t k) {
  return drawn_shapes(scenario).pieces[k];
}

OutlinePiece& drawn_outline(DrawnScenario& scenario, std::size_t k) {
  return drawn_shapes(scenario).outlines[k];
}

/// The number of a support model that the scenario may have.
template <typename Model, double Model::*number>
double* in_support(DrawnScenario& scenario, std::size_t) {
  auto* model = std::get_if<Model>(&scenario.support);
  return model == nullptr ? nullptr : &(model->*number);
}

constexpr std::array<NamedPlace, 19> kPlaces = {{
    {"part.mass_kg", limits::kMasses_kg,
     [](DrawnScenario& s, std::size_t) { return &s.mass.mass_kg; }},
    {"part.center_of_mass_mm.0", limits::kPositions_mm,
     [](DrawnScenario& s, std::size_t) { return &s.mass.center_of_mass_P_mm.x(); }},
    {"part.center_of_mass_mm.1", limits::kPositions_mm,
     [](DrawnScenario& s, std::size_t) { return &s.mass.center_of_mass_P_mm.y(); }},
    {"part.inertia_kg_mm2", kInertias_kg_mm2,
     [](DrawnScenario& s, std::size_t) { return &s.mass.inertia_kg_mm2; }},
    {"part.offset_mm", limits::kPositions_mm,
     [](DrawnScenario& s, std::size_t) { return &s.part_offset_mm; }},
    {"gripper.jaw_mass_kg", limits::kMasses_kg,
     [](DrawnScenario& s, std::size_t) { return &s.gripper.jaw_mass_kg; }},
    {"gripper.closing_force_n", limits::kForces_n,
     [](DrawnScenario& s, std::size_t) { return &s.gripper.closing_force_n; }},
    {"gripper.closing_speed_mm_s", limits::kSpeeds_mm_s,
     [](DrawnScenario& s, std::size_t) { return &s.gripper.closing_speed_mm_s; }},
    {"gripper.opening_mm", limits::kLengths_mm,
     [](DrawnScenario& s, std::size_t) { return &s.gripper.opening_mm; }},
    {"gripper.offset_mm.0", limits::kPositions_mm,
     [](DrawnScenario& s, std::size_t) { return &s.gripper.offset_mm.x(); }},
    {"gripper.offset_mm.1", limits::kPositions_mm,
     [](DrawnScenario& s, std::size_t) { return &s.gripper.offset_mm.y(); }},
    {"support.e_t", kSupportShares, in_support<EllipsoidSupport, &EllipsoidSupport::e_t>},
    {"support.e_o", kSupportShares, in_support<EllipsoidSupport, &EllipsoidSupport::e_o>},
    {"support.e_r_mm", limits::kLengths_mm,
     in_support<EllipsoidSupport, &EllipsoidSupport::e_r_mm>},
    {"support.radius_mm", limits::kLengths_mm,
     in_support<TripodSupport, &TripodSupport::radius_mm>},
    {"support.length_mm", limits::kLengths_mm,
     [](DrawnScenario& s, std::size_t piece) {
       double* length =
           in_support<PartEllipsoidSupport, &PartEllipsoidSupport::length_mm>(s, piece);
       return length != nullptr
                  ? length
                  : in_support<FourthOrderSupport, &FourthOrderSupport::length_mm>(s, piece);
     }},
    {"friction.right_jaw", kFrictions,
     [](DrawnScenario& s, std::size_t) { return &s.gripper.mu_right; }},
    {"friction.left_jaw", kFrictions,
     [](DrawnScenario& s, std::size_t) { return &s.gripper.mu_left; }},
    {"simulation.gravity_mm_s2", limits::kGravities_mm_s2,
     [](DrawnScenario& s, std::size_t) { return &s.gravity_mm_s2; }},
}};

constexpr std::array<NamedPlace, 7> kPiecePlaces = {{
    {"center_mm.0", limits::kPositions_mm,
     [](DrawnScenario& s, std::size_t k) { return &drawn_piece(s, k).pose.position_mm.x(); }},
    {"center_mm.1", limits::kPositions_mm,
     [](DrawnScenario& s, std::size_t k) { return &drawn_piece(s, k).pose.position_mm.y(); }},
    {"angle_rad", limits::kAngles_rad,
     [](DrawnScenario& s, std::size_t k) { return &drawn_piece(s, k).pose.angle_rad; }},
    {"semi_axes_mm.0", limits::kLengths_mm,
     [](DrawnScenario& s, std::size_t k) { return &drawn_piece(s, k).shape.a_mm; }},
    {"semi_axes_mm.1", limits::kLengths_mm,
     [](DrawnScenario& s, std::size_t k) { return &drawn_piece(s, k).shape.b_mm; }},
    {"exponent", kExponents,
     [](DrawnScenario& s, std::size_t k) { return &drawn_piece(s, k).shape.exponent; }},
    {"friction_factor", kFrictions,
     [](DrawnScenario& s, std::size_t k) { return &drawn_piece(s, k).friction_factor; }},
}};

constexpr std::array<NamedPlace, 4> kOutlinePlaces = {{
    {"center_mm.0", limits::kPositions_mm,
     [](DrawnScenario& s, std::size_t k) { return &drawn_outline(s, k).pose.position_mm.x(); }},
    {"center_mm.1", limits::kPositions_mm,
     [](DrawnScenario& s, std::size_t k) { return &drawn_outline(s, k).pose.position_mm.y(); }},
    {"angle_rad", limits::kAngles_rad,
     [](DrawnScenario& s, std::size_t k) { return &drawn_outline(s, k).pose.angle_rad; }},
    {"friction_factor", kFrictions,
     [](DrawnScenario& s, std::size_t k) { return &drawn_outline(s, k).friction_factor; }},
}};

using OfShape = double FingerShape::*;

/// The number of a finger's shape.
template <std::optional<FingerShape> DrawnScenario::*shape, OfShape number>
double* in_finger(DrawnScenario& scenario, std::size_t) {
  auto& of_finger = scenario.*shape;
  return of_finger ? &((*of_finger).*number) : nullptr;
}

/// A number of a finger's shape. It belongs to a feature, which the shape has while the feature's
/// length is not 0.
struct FingerPlace {
  std::string_view key;
  NumberRange range;
  Place right;
  Place left;
  OfShape feature;
};

template <OfShape number>
constexpr FingerPlace finger_place(std::string_view key, const NumberRange& range,
                                   OfShape feature = number) {
  return {key, range, in_finger<&DrawnScenario::right_shape, number>,
          in_finger<&DrawnScenario::left_shape, number>, feature};
}

using Shape = FingerShape;
constexpr std::array kFingerPlaces = {
    finger_place<&Shape::width_mm>("width_mm", kFingerLengths),
    finger_place<&Shape::tip_radius_mm>("tip_radius_mm", kFingerLengths),
    finger_place<&Shape::tip_chamfer_mm>("tip_chamfer_mm", kFingerLengths),
    finger_place<&Shape::tip_chamfer_rad>("tip_chamfer_rad", kChamferAngles,
                                          &Shape::tip_chamfer_mm),
    finger_place<&Shape::step_depth_mm>("step_depth_mm", kFingerLengths),
    finger_place<&Shape::step_height_mm>("step_height_mm", kFingerLengths, &Shape::step_depth_mm),
    finger_place<&Shape::groove_depth_mm>("groove_depth_mm", kFingerLengths),
    finger_place<&Shape::groove_angle_rad>("groove_angle_rad", kGrooveAngles,
                                           &Shape::groove_depth_mm),
    finger_place<&Shape::groove_position_mm>("groove_position_mm", kGroovePositions,
                                             &Shape::groove_depth_mm),
};

constexpr std::string_view kOffset = "part.offset_mm";
constexpr std::string_view kFingerPrefix = "gripper.finger.";
constexpr std::string_view kLeftFingerPrefix = "gripper.left_finger.";

constexpr std::string_view kPiecePrefix = "part.piece.";

/// The place with this key among some; null for any other key.
template <typename Places>
const NamedPlace* place_among(const Places& places, std::string_view key) {
  const auto found = std::find_if(places.begin(), places.end(),
                                  [&](const NamedPlace& place) { return place.key == key; });
  return found == places.end() ? nullptr : &*found;
}

/// A place only reads where it points to.
double* at(Place place, const DrawnScenario& scenario, std::size_t piece) {
  return place(const_cast<DrawnScenario&>(scenario), piece);
}

/// What is left of "NAME.rest" behind a piece's name; nothing when it begins otherwise. Names may
/// have dots.
std::optional<std::string_view> behind(std::string_view text, std::string_view name) {
  if (!text.starts_with(name) || text.size() <= name.size() || text[name.size()] != '.') return {};
  return text.substr(name.size() + 1);
}

template <typename Places>
void add_keys(const Places& places, const std::string& piece, std::vector<std::string>& keys) {
  for (const NamedPlace& place : places) {
    keys.push_back(fmt::format("{}{}.{}", kPiecePrefix, piece, place.key));
  }
}

/// The number of a finger's shape with this key; null when the shape has none.
const FingerPlace* place_in_finger(const std::optional<FingerShape>& shape, std::string_view key) {
  if (!shape) return nullptr;
  for (const FingerPlace& place : kFingerPlaces) {
    if (place.key == key && (*shape).*place.feature > 0.0) return &place;
  }
  return nullptr;
}

void add_finger_keys(const std::optional<FingerShape>& shape, std::string_view prefix,
                     std::vector<std::string>& keys) {
  if (!shape) return;
  for (const FingerPlace& place : kFingerPlaces) {
    if ((*shape).*place.feature > 0.0) keys.push_back(fmt::format("{}{}", prefix, place.key));
  }
}

Outline shaped_outline(const FingerShape& shape, std::string_view table) {
  if (fits(shape)) return finger_outline(shape);
  throw ConfigError(fmt::format(
      "[{}]: with the numbers of a trial its features do not fit into the finger: tip radius {} "
      "mm, chamfer {} mm, step {} by {} mm, groove {} mm deep at y = {} mm; its uncertain numbers "
      "must be narrower",
      table, shape.tip_radius_mm, shape.tip_chamfer_mm, shape.step_depth_mm, shape.step_height_mm,
      shape.groove_depth_mm, shape.groove_position_mm));
}

void make_fingers(DrawnScenario& scenario) {
  Gripper& gripper = scenario.gripper;
  if (scenario.right_shape) {
    gripper.right_finger = shaped_outline(*scenario.right_shape, "gripper.finger");
  }
  if (scenario.left_shape) {
    gripper.left_finger = mirrored(shaped_outline(*scenario.left_shape, "gripper.left_finger"));
  }
  if (scenario.same_fingers && gripper.right_finger) {
    gripper.left_finger = mirrored(*gripper.right_finger);
  }
}

}  // namespace

void make_shapes(ShapesOf what, DrawnScenario& scenario) {
  if (what == ShapesOf::kFingers) make_fingers(scenario);
  if (what != ShapesOf::kPart || !scenario.part_as_drawn) return;
  const double offset_mm = scenario.part_offset_mm;
  const std::string vanishes = oversize(*scenario.part_as_drawn, offset_mm, scenario.part);
  if (vanishes.empty()) return;
  throw ConfigError(
      fmt::format("part.offset_mm: is {} in a trial, by which {} vanishes; its law "
                  "must be narrower",
                  offset_mm, vanishes));
}

std::optional<ScenarioNumber> ScenarioNumber::find(const DrawnScenario& scenario,
                                                   std::string_view key) {
  if (key.starts_with(kPiecePrefix)) {
    return find_in_piece(scenario, key.substr(kPiecePrefix.size()));
  }
  if (key.starts_with(kFingerPrefix) || key.starts_with(kLeftFingerPrefix)) {
    return find_in_finger(scenario, key);
  }
  const NamedPlace* place = place_among(kPlaces, key);
  if (place == nullptr || at(place->place, scenario, 0) == nullptr) return {};
  const ShapesOf shapes = key == kOffset ? ShapesOf::kPart : ShapesOf::kNothing;
  return ScenarioNumber(place->place, place->range, 0, shapes);
}

std::optional<ScenarioNumber> ScenarioNumber::find_in_finger(const DrawnScenario& scenario,
                                                             std::string_view key) {
  const bool right = key.starts_with(kFingerPrefix);
  const FingerPlace* place =
      place_in_finger(right ? scenario.right_shape : scenario.left_shape,
                      key.substr((right ? kFingerPrefix : kLeftFingerPrefix).size()));
  if (place == nullptr) return {};
  return ScenarioNumber(right ? place->right : place->left, place->range, 0, ShapesOf::kFingers);
}

std::optional<ScenarioNumber> ScenarioNumber::find_in_piece(const DrawnScenario& scenario,
                                                            std::string_view rest) {
  const auto look = [&](const auto& pieces, const auto& places) -> std::optional<ScenarioNumber> {
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      const auto key = behind(rest, pieces[k].name);
      const NamedPlace* place = key ? place_among(places, *key) : nullptr;
      if (place != nullptr) return ScenarioNumber(place->place, place->range, k, ShapesOf::kPart);
    }
    return {};
  };
  const auto found = look(scenario.part.pieces, kPiecePlaces);
  return found ? found : look(scenario.part.outlines, kOutlinePlaces);
}

double ScenarioNumber::value(const DrawnScenario& scenario) const {
  return *at(place_, scenario, piece_);
}

void ScenarioNumber::put(DrawnScenario& scenario, double value) const {
  double* const place = place_(scenario, piece_);
  if (place == &scenario.part_offset_mm && !scenario.part_as_drawn) {
    scenario.part_as_drawn = scenario.part;
  }
  *place = value;
}

void ScenarioNumber::set(DrawnScenario& scenario, double value) const {
  put(scenario, value);
  make_shapes(shapes_, scenario);
}

std::vector<std::string> scenario_number_keys(const DrawnScenario& scenario) {
  std::vector<std::string> keys;
  for (const Piece& piece : scenario.part.pieces) add_keys(kPiecePlaces, piece.name, keys);
  for (const OutlinePiece& piece : scenario.part.outlines) {
    add_keys(kOutlinePlaces, piece.name, keys);
  }
  for (const NamedPlace& place : kPlaces) {
    if (at(place.place, scenario, 0) != nullptr) keys.emplace_back(place.key);
  }
  add_finger_keys(scenario.right_shape, kFingerPrefix, keys);
  add_finger_keys(scenario.left_shape, kLeftFingerPrefix, keys);
  return keys;
}

std::vector<std::string> possible_number_keys() {
  std::vector<std::string> keys;
  add_keys(kPiecePlaces, "NAME", keys);
  add_keys(kOutlinePlaces, "NAME", keys);
  for (const NamedPlace& place : kPlaces) keys.emplace_back(place.key);
  for (const FingerPlace& place : kFingerPlaces) {
    for (const std::string_view prefix : {kFingerPrefix, kLeftFingerPrefix}) {
      keys.push_back(fmt::format("{}{}", prefix, place.key));
    }
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

void check_limits(const TomlTable& table, std::string_view key, double value,
                  const NumberRange& within) {
  if (within.contains(value)) return;
  table.fail(key, fmt::format("is {}; must be {}", value, within.text()));
}

double positive_within(const TomlTable& table, std::string_view key, const NumberRange& within) {
  const double value = table.number(key, kPositive);
  check_limits(table, key, value, within);
  return value;
}

double positive_within_or(const TomlTable& table, double fallback, std::string_view key,
                          const NumberRange& within) {
  return table.has(key) ? positive_within(table, key, within) : fallback;
}

double read_placed_angle_rad(const CsvTable& table, const CsvRow& row, std::size_t column) {
  const double angle = table.number(row, column);
  if (limits::kPlacedAngles_rad.contains(angle)) return angle;
  table.fail(row, column, fmt::format("{}; must be from -10000 to 10000", angle));
}

void set_uncertain_numbers(const DrawnScenario& nominal,
                           const std::vector<UncertainNumber>& numbers,
                           std::span<const double> values, DrawnScenario& trial) {
  GRASPMAP_CHECK(numbers.size() == values.size());
  trial = nominal;
  bool of_part = false;
  bool of_fingers = false;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const ScenarioNumber& number = numbers[k].number;
    number.put(trial, values[k]);
    of_part = of_part || number.shapes() == ShapesOf::kPart;
    of_fingers = of_fingers || number.shapes() == ShapesOf::kFingers;
  }
  if (of_part) make_shapes(ShapesOf::kPart, trial);
  if (of_fingers) make_shapes(ShapesOf::kFingers, trial);
}

}  // namespace graspmap
