#include "web/engine/asked.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/request.hpp"

namespace graspmap {
namespace {

TEST_CASE("a fault in a file that the configuration names is told at the line that names it") {
  ConfigFault fault = ConfigFault::of({"b.csv", 3}, "x_mm", "is 1; must be 2");
  fault.named_at = {"config.toml", 7};
  fault.named_by = "part.mass_kg.file";
  const std::string json = error_json(ConfigError(fault));
  CHECK_THAT(json, Catch::Contains("\"error\": \"b.csv:3: x_mm: is 1; must be 2 (named by "
                                   "part.mass_kg.file, config.toml:7)\""));
  CHECK_THAT(json, Catch::Contains("\"line\": 7") &&
                       Catch::Contains("\"key\": \"part.mass_kg.file\"") &&
                       Catch::Contains("\"what\": \"b.csv:3: x_mm: is 1\"") &&
                       Catch::Contains("\"allowed\": \"must be 2\""));
}

TEST_CASE("what is wrong with an option is a fault with its name") {
  CHECK_THAT(error_json(RequestError("period-deg", "is 7", "a number that divides 360")),
             Catch::Contains("\"key\": \"period-deg\"") && Catch::Contains("\"what\": \"is 7\"") &&
                 Catch::Contains("\"allowed\": \"must be a number that divides 360\""));
  CHECK_THAT(error_json(RequestError("period-deg", "", "a number that divides 360")),
             Catch::Contains("\"what\": \"must be a number that divides 360\"") &&
                 Catch::Contains("\"allowed\": \"\""));
}

}  // namespace
}  // namespace graspmap
