#include "grasp/base/io/result.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <string>
#include <vector>

#include "grasp/base/probability/proportions.hpp"
#include "grasp/base/process/environment.hpp"

namespace graspmap {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST_CASE("objects and lists nest, with commas between and none after the last") {
  const Object object{{"a", 1},
                      {"list", Value::List{"x", Object{{"b", true}}, Value::List{}}},
                      {"empty", Object{}}};
  CHECK(json_text(object) ==
        "{\n"
        "  \"a\": 1,\n"
        "  \"list\": [\n"
        "    \"x\",\n"
        "    {\n"
        "      \"b\": true\n"
        "    },\n"
        "    []\n"
        "  ],\n"
        "  \"empty\": {}\n"
        "}\n");
}

TEST_CASE("ranges, intervals and objects are values, and nothing leaves no field") {
  const std::vector<int> list = {1, 2};
  const Object object{{"values", list},
                      {"doubled", list_of(list, [](int element) { return 2 * element; })},
                      {"interval", Interval{0.25, 0.5}},
                      {Object{{"inner", 3}}},
                      {"there", std::optional<double>(0.5)},
                      {"not_there", std::optional<double>()},
                      {"", maybe(std::optional<int>(), [](int) { return Object{}; })}};
  CHECK(json_text(object) ==
        "{\n"
        "  \"values\": [\n    1,\n    2\n  ],\n"
        "  \"doubled\": [\n    2,\n    4\n  ],\n"
        "  \"interval\": [\n    0.25,\n    0.5\n  ],\n"
        "  \"inner\": 3,\n"
        "  \"there\": 0.5\n"
        "}\n");
}

TEST_CASE("a document begins with the version and the commit") {
  CHECK(json_document({{"a", 1}}) == std::string("{\n  \"graspmap_version\": \"") + version() +
                                         "\",\n  \"git_commit\": \"" + git_commit() +
                                         "\",\n  \"a\": 1\n}\n");
}

TEST_CASE("doubles have the fewest digits that read back the same, and what is no number is null") {
  CHECK(json_text(0.1) == "0.1\n");
  CHECK(json_text(1.0 / 3.0) == "0.3333333333333333\n");
  CHECK(json_text(kNaN) == "null\n");
  CHECK(json_text(kInfinity) == "null\n");
  CHECK(json_text(-kInfinity) == "null\n");
}

TEST_CASE("whole numbers keep all their digits") {
  CHECK(json_text(Value::List{std::numeric_limits<std::int64_t>::min(),
                              std::numeric_limits<std::uint64_t>::max()}) ==
        "[\n  -9223372036854775808,\n  18446744073709551615\n]\n");
}

TEST_CASE("what would break a string is escaped, in names too") {
  CHECK(json_text(Object{{"a\"b", std::string("c\\d\n\t\x01 \xC3\xA9")}}) ==
        "{\n  \"a\\\"b\": \"c\\\\d\\n\\t\\u0001 \xC3\xA9\"\n}\n");
}

TEST_CASE("a table takes its columns from its rows: two of an interval, three of an estimate") {
  const std::vector<Estimate> rows = {{0.5, {0.25, 0.75}}, {kNaN, {0, 1}}};
  const Table table = table_of<Estimate>(rows, [](const Estimate& estimate) {
    return Object{{"what", "a,b"},
                  {"p", estimate_fields(estimate), "a share"},
                  {"range", estimate.interval},
                  {"known", estimate.value > 0},
                  {"nothing", std::optional<double>()}};
  });
  CHECK(csv_text(table) ==
        "what,p,p_low,p_high,range_low,range_high,known,nothing\n"
        "\"a,b\",0.5,0.25,0.75,0.25,0.75,1,\n"
        "\"a,b\",nan,0,1,0,1,0,\n");
  CHECK(std::string(table.columns[1].meaning) == "a share");
}

TEST_CASE("a table without rows has its header") {
  const auto row = [](int number) { return Object{{"number", number}}; };
  CHECK(csv_text(table_of<int>(std::vector<int>(), row)) == "number\n");
}

}  // namespace
}  // namespace graspmap
