#include "grasp/decide/plan/plan_request.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <initializer_list>
#include <string>
#include <utility>

#include "grasp/base/io/request.hpp"
#include "grasp/sweep/config/key_list.hpp"

namespace graspmap {
namespace {

/// Options of a command line.
class TypedOptions final : public RequestValues {
 public:
  TypedOptions(std::initializer_list<std::pair<const char*, const char*>> options) {
    for (const auto& [name, text] : options) given_[name] = {std::string(text), text};
  }
  [[noreturn]] void raise(const RequestError& error) const override { throw error; }
};

PlanRequest typed(std::initializer_list<std::pair<const char*, const char*>> options) {
  PlanRequest request;
  read_request(TypedOptions(options), request.fields());
  return request;
}

TEST_CASE("each key of [robot], but deviations, is an option of a plan in plain words") {
  const auto& tables = config_tables();
  const auto robot = std::find_if(tables.begin(), tables.end(),
                                  [](const ListedTable& table) { return table.path == "robot"; });
  REQUIRE(robot != tables.end());
  PlanRequest request;
  const RequestFields fields = request.fields();
  for (const ListedKey& key : robot->keys) {
    CAPTURE(key.name);
    const std::string option = option_of_key(std::string(key.name));
    const auto field = std::find_if(fields.begin(), fields.end(),
                                    [&](const RequestField& one) { return one.name() == option; });
    CHECK((field == fields.end()) == (key.name == "deviations"));
    if (field == fields.end()) continue;
    CHECK(field->form.size() > option.size() + 1);
    CHECK(field->meaning.find('`') == std::string::npos);
    CHECK(field->meaning.find("](") == std::string::npos);
  }
}

TEST_CASE("options set the error that [robot] would") {
  const PlanRequest request = typed({{"position-sigma-mm", "2"},
                                     {"angle-covariance-mm-rad", "-0.1,0.2"},
                                     {"position-covariance-mm2", "4,1.5,1"},
                                     {"offset-angle-sigma-rad", "0"},
                                     {"measured", "moves.csv"},
                                     {"repeats", "10"}});
  CHECK(request.error.position_sigma_mm == std::array{2.0, 2.0});
  CHECK(request.error.angle_covariance_mm_rad == std::array{-0.1, 0.2});
  CHECK(request.error.position_covariance_mm2 == std::array{4.0, 1.5, 1.0});
  CHECK(request.error.offset_angle_sigma_rad == 0.0);
  CHECK(request.error.repeats == 10);
  CHECK(request.measured == "moves.csv");
}

TEST_CASE("options of the robot's error have the ranges of its keys") {
  CHECK_THROWS_WITH(typed({{"repeatability-mm", "0"}}),
                    "--repeatability-mm: 0; must be a finite number > 0");
  CHECK_THROWS_WITH(typed({{"angle-sigma-rad", "-1"}}),
                    "--angle-sigma-rad: -1; must be a finite number >= 0");
  CHECK_THROWS_WITH(typed({{"position-sigma-mm", "1,-1"}}),
                    Catch::Contains("must be one or two numbers >= 0"));
  CHECK_THROWS_WITH(typed({{"angle-covariance-mm-rad", "1"}}),
                    "--angle-covariance-mm-rad: 1; must be XT,YT");
  CHECK_THROWS_WITH(typed({{"repeats", "3"}}),
                    "--repeats: 3; must be a whole number from 4 to 1000000");
}

}  // namespace
}  // namespace graspmap
