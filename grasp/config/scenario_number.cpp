#include "grasp/config/scenario_number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <variant>

namespace graspmap {
namespace {

using Place = double* (*)(Scenario&, std::size_t);

struct NamedPlace {
  std::string_view key;
  Place place;  ///< gives null for a scenario without this number
};

/// The number of a support model that the scenario may have.
template <typename Model, double Model::*number>
double* in_support(Scenario& scenario, std::size_t) {
  auto* model = std::get_if<Model>(&scenario.support);
  return model == nullptr ? nullptr : &(model->*number);
}

constexpr std::array<NamedPlace, 14> kPlaces = {{
    {"part.mass_kg", [](Scenario& s, std::size_t) { return &s.mass.mass_kg; }},
    {"part.center_of_mass_mm.0",
     [](Scenario& s, std::size_t) { return &s.mass.center_of_mass_P_mm.x(); }},
    {"part.center_of_mass_mm.1",
     [](Scenario& s, std::size_t) { return &s.mass.center_of_mass_P_mm.y(); }},
    {"part.inertia_kg_mm2", [](Scenario& s, std::size_t) { return &s.mass.inertia_kg_mm2; }},
    {"gripper.jaw_mass_kg", [](Scenario& s, std::size_t) { return &s.gripper.jaw_mass_kg; }},
    {"gripper.closing_force_n",
     [](Scenario& s, std::size_t) { return &s.gripper.closing_force_n; }},
    {"gripper.closing_speed_mm_s",
     [](Scenario& s, std::size_t) { return &s.gripper.closing_speed_mm_s; }},
    {"gripper.opening_mm", [](Scenario& s, std::size_t) { return &s.gripper.opening_mm; }},
    {"support.e_t", in_support<EllipsoidSupport, &EllipsoidSupport::e_t>},
    {"support.e_o", in_support<EllipsoidSupport, &EllipsoidSupport::e_o>},
    {"support.e_r_mm", in_support<EllipsoidSupport, &EllipsoidSupport::e_r_mm>},
    {"support.radius_mm", in_support<TripodSupport, &TripodSupport::radius_mm>},
    {"support.length_mm",
     [](Scenario& s, std::size_t piece) {
       double* length =
           in_support<PartEllipsoidSupport, &PartEllipsoidSupport::length_mm>(s, piece);
       return length != nullptr
                  ? length
                  : in_support<FourthOrderSupport, &FourthOrderSupport::length_mm>(s, piece);
     }},
    {"simulation.gravity_mm_s2", [](Scenario& s, std::size_t) { return &s.gravity_mm_s2; }},
}};

constexpr std::array<NamedPlace, 6> kPiecePlaces = {{
    {"center_mm.0",
     [](Scenario& s, std::size_t k) { return &s.part.pieces[k].pose.position_mm.x(); }},
    {"center_mm.1",
     [](Scenario& s, std::size_t k) { return &s.part.pieces[k].pose.position_mm.y(); }},
    {"angle_rad", [](Scenario& s, std::size_t k) { return &s.part.pieces[k].pose.angle_rad; }},
    {"semi_axes_mm.0", [](Scenario& s, std::size_t k) { return &s.part.pieces[k].shape.a_mm; }},
    {"semi_axes_mm.1", [](Scenario& s, std::size_t k) { return &s.part.pieces[k].shape.b_mm; }},
    {"exponent", [](Scenario& s, std::size_t k) { return &s.part.pieces[k].shape.exponent; }},
}};

constexpr std::array<NamedPlace, 3> kOutlinePlaces = {{
    {"center_mm.0",
     [](Scenario& s, std::size_t k) { return &s.part.outlines[k].pose.position_mm.x(); }},
    {"center_mm.1",
     [](Scenario& s, std::size_t k) { return &s.part.outlines[k].pose.position_mm.y(); }},
    {"angle_rad", [](Scenario& s, std::size_t k) { return &s.part.outlines[k].pose.angle_rad; }},
}};

constexpr std::string_view kPiecePrefix = "part.piece.";

/// The place with this key among some; null when there is none.
template <typename Places>
Place place_among(const Places& places, std::string_view key) {
  const auto found = std::find_if(places.begin(), places.end(),
                                  [&](const NamedPlace& place) { return place.key == key; });
  return found == places.end() ? nullptr : found->place;
}

/// A place only reads where it points to.
double* at(Place place, const Scenario& scenario, std::size_t piece) {
  return place(const_cast<Scenario&>(scenario), piece);
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

}  // namespace

std::optional<ScenarioNumber> ScenarioNumber::find(const Scenario& scenario, std::string_view key) {
  if (key.starts_with(kPiecePrefix)) {
    return find_in_piece(scenario, key.substr(kPiecePrefix.size()));
  }
  const Place place = place_among(kPlaces, key);
  if (place == nullptr || at(place, scenario, 0) == nullptr) return {};
  return ScenarioNumber(place, 0);
}

std::optional<ScenarioNumber> ScenarioNumber::find_in_piece(const Scenario& scenario,
                                                            std::string_view rest) {
  const auto look = [&](const auto& pieces, const auto& places) -> std::optional<ScenarioNumber> {
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      const auto key = behind(rest, pieces[k].name);
      const Place place = key ? place_among(places, *key) : nullptr;
      if (place != nullptr) return ScenarioNumber(place, k);
    }
    return {};
  };
  const auto found = look(scenario.part.pieces, kPiecePlaces);
  return found ? found : look(scenario.part.outlines, kOutlinePlaces);
}

double ScenarioNumber::value(const Scenario& scenario) const {
  return *at(place_, scenario, piece_);
}

void ScenarioNumber::set(Scenario& scenario, double value) const {
  *place_(scenario, piece_) = value;
}

std::vector<std::string> scenario_number_keys(const Scenario& scenario) {
  std::vector<std::string> keys;
  for (const Piece& piece : scenario.part.pieces) add_keys(kPiecePlaces, piece.name, keys);
  for (const OutlinePiece& piece : scenario.part.outlines) {
    add_keys(kOutlinePlaces, piece.name, keys);
  }
  for (const NamedPlace& place : kPlaces) {
    if (at(place.place, scenario, 0) != nullptr) keys.emplace_back(place.key);
  }
  return keys;
}

std::vector<std::string> possible_number_keys() {
  std::vector<std::string> keys;
  add_keys(kPiecePlaces, "NAME", keys);
  add_keys(kOutlinePlaces, "NAME", keys);
  for (const NamedPlace& place : kPlaces) keys.emplace_back(place.key);
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

}  // namespace graspmap
