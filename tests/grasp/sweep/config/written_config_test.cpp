#include "grasp/sweep/config/written_config.hpp"

#include <catch2/catch.hpp>

#include "grasp/base/io/errors.hpp"

namespace graspmap {

TEST_CASE("a document is written with its overrides, unchecked") {
  const std::string written = written_toml("# a comment\nname = 'a'\n[gripper]\nopening_mm = 1\n",
                                           "x.toml", {"gripper.opening_mm=-2", "sweep.seed=3"});
  CHECK(written.find("opening_mm = -2") != std::string::npos);
  CHECK(written.find("seed = 3") != std::string::npos);
  CHECK(written.find("comment") == std::string::npos);
}

TEST_CASE("a document that is no TOML is an error with its line") {
  CHECK_THROWS_AS(written_toml("a = = 1", "x.toml", {}), ConfigError);
  CHECK_THROWS_AS(written_toml("a = 1", "x.toml", {"b="}), ConfigError);
  CHECK_THROWS_AS(read_config_text("/no/such/file.toml"), ConfigError);
}

}  // namespace graspmap
