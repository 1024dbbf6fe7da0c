#include <catch2/catch.hpp>

#include "grasp/base/io/errors.hpp"

using namespace graspmap;

TEST_CASE("the unit at a key's end is split off") {
  CHECK(without_unit("opening_mm") == "opening");
  CHECK(without_unit("closing_speed_mm_s") == "closing_speed");
  CHECK(without_unit("gravity_mm_s2") == "gravity");
  CHECK(without_unit("closing_force_N") == "closing_force");
  CHECK(without_unit("x_cells") == "x_cells");
  CHECK(without_unit("x_min_mm") == "x_min");
  CHECK(without_unit("mm") == "mm");
  CHECK(without_unit("e_t") == "e_t");
  CHECK(without_unit("normal_n_per_mm2") == "normal");
  CHECK(without_unit("modulus_mpa") == "modulus");
}

TEST_CASE("an angle has a key in radians and one in degrees") {
  CHECK(in_degrees("placement.theta_rad") == "placement.theta_deg");
  CHECK(in_radians("placement.theta_deg") == "placement.theta_rad");
  for (const char* key : {"x_mm", "speed_rad_s", "theta", ""}) {
    CHECK(in_degrees(key) == key);
    CHECK(in_radians(key) == key);
  }
}

TEST_CASE("a key with another unit or none is recognised") {
  for (const char* key : {"opening", "opening_cm", "opening_m", "opening_inch", "Opening_MM"}) {
    const auto suggestion = suggest_key(key, {"opened_mm", "opening_mm", "coupling"});
    REQUIRE(suggestion.has_value());
    CHECK(suggestion->key == "opening_mm");
    CHECK(suggestion->other_unit);
  }
}

TEST_CASE("a misspelt key gets the closest one, an unrelated key none") {
  const auto suggestion = suggest_key("cuopling", {"opening_mm", "coupling"});
  REQUIRE(suggestion.has_value());
  CHECK(suggestion->key == "coupling");
  CHECK_FALSE(suggestion->other_unit);
  CHECK(suggest_key("rnu", {"plan", "run"}).value().key == "run");  // two letters swapped
  CHECK_FALSE(suggest_key("nru", {"plan", "sun"}).has_value());
  CHECK_FALSE(suggest_key("colour", {"opening_mm", "coupling"}).has_value());
  CHECK_FALSE(suggest_key("x", {}).has_value());
}
