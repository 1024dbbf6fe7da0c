#include "grasp/base/io/json.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <vector>

#include "grasp/base/process/environment.hpp"

namespace graspmap {
namespace {

TEST_CASE("objects and arrays nest, with commas between and none after the last") {
  JsonWriter json;
  json.begin_object();
  json.field("a", 1);
  json.key("list");
  json.begin_array();
  json.value("x");
  json.begin_object();
  json.field("b", true);
  json.end_object();
  json.begin_array();
  json.end_array();
  json.end_array();
  json.key("empty");
  json.begin_object();
  json.end_object();
  json.end_object();
  CHECK(json.text() ==
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

TEST_CASE("objects, lists and intervals are written by one call, and nothing leaves no field") {
  struct Ends {
    double low, high;
  };
  const std::vector<int> list = {1, 2};
  JsonWriter json;
  json.object([&] {
    json.array("values", list);
    json.array("doubled", list, [&](int element) { json.value(2 * element); });
    json.objects("objects", list, [&](int element) { json.field("a", element); });
    json.interval("interval", Ends{0.25, 0.5});
    json.object("inner", [&] { json.interval("x_mm", -1, 1); });
    json.field("there", std::optional<double>(0.5));
    json.field("not_there", std::optional<double>());
  });
  CHECK(json.text() ==
        "{\n"
        "  \"values\": [\n    1,\n    2\n  ],\n"
        "  \"doubled\": [\n    2,\n    4\n  ],\n"
        "  \"objects\": [\n    {\n      \"a\": 1\n    },\n    {\n      \"a\": 2\n    }\n  ],\n"
        "  \"interval\": [\n    0.25,\n    0.5\n  ],\n"
        "  \"inner\": {\n    \"x_mm\": [\n      -1,\n      1\n    ]\n  },\n"
        "  \"there\": 0.5\n"
        "}\n");
}

TEST_CASE("a document begins with the version and the commit") {
  const std::string text = json_document([](JsonWriter& json) { json.field("a", 1); });
  CHECK(text == std::string("{\n  \"graspmap_version\": \"") + version() +
                    "\",\n  \"git_commit\": \"" + git_commit() + "\",\n  \"a\": 1\n}\n");
}

std::string text_of(double number) {
  JsonWriter json;
  json.value(number);
  return json.text();
}

TEST_CASE("doubles have the fewest digits that read back the same, and what is no number is null") {
  CHECK(text_of(0.1) == "0.1\n");
  CHECK(text_of(1.0 / 3.0) == "0.3333333333333333\n");
  CHECK(text_of(std::numeric_limits<double>::quiet_NaN()) == "null\n");
  CHECK(text_of(std::numeric_limits<double>::infinity()) == "null\n");
  CHECK(text_of(-std::numeric_limits<double>::infinity()) == "null\n");
}

TEST_CASE("whole numbers keep all their digits") {
  JsonWriter json;
  json.begin_array();
  json.value(std::numeric_limits<std::int64_t>::min());
  json.value(std::numeric_limits<std::uint64_t>::max());
  json.end_array();
  CHECK(json.text() == "[\n  -9223372036854775808,\n  18446744073709551615\n]\n");
}

TEST_CASE("what would break a string is escaped, in keys too") {
  JsonWriter json;
  json.begin_object();
  json.field("a\"b", std::string("c\\d\n\t\x01 \xC3\xA9"));
  json.end_object();
  CHECK(json.text() == "{\n  \"a\\\"b\": \"c\\\\d\\n\\t\\u0001 \xC3\xA9\"\n}\n");
}

}  // namespace
}  // namespace graspmap
