#include "grasp/base/io/yaml.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <vector>

namespace graspmap {
namespace {

// Expected YAML is written by hand after YAML 1.2, chapters 7 and 8.

TEST_CASE("objects and lists of objects stand in blocks, plain lists in a line") {
  const Object inner{{"a", 1.5}, {"b", Object{{"c", "x"}}}};
  const Object all{{"list", Value::List{inner, inner}},
                   {"numbers", std::vector<double>{1, -2.5}},
                   {"none", std::vector<double>{}},
                   {"nothing", Value()},
                   {"count", 3},
                   {"truth", true}};
  CHECK(yaml_text(all) ==
        "list:\n"
        "  - a: 1.5\n"
        "    b:\n"
        "      c: \"x\"\n"
        "  - a: 1.5\n"
        "    b:\n"
        "      c: \"x\"\n"
        "numbers: [1.0, -2.5]\n"
        "none: []\n"
        "count: 3\n"
        "truth: true\n");
  CHECK(yaml_text(Value::List{inner}) == "- a: 1.5\n  b:\n    c: \"x\"\n");
}

TEST_CASE("numbers are numbers in YAML 1.1, too") {
  // PyYAML takes "1e-05" for a text.
  const std::vector<double> numbers{1e-5, 2.5e-7, 1e20,
                                    0.1,  0,      std::numeric_limits<double>::infinity()};
  CHECK(yaml_text(numbers) == "[1.0e-05, 2.5e-07, 1.0e+20, 0.1, 0.0, .inf]\n");
}

TEST_CASE("texts and keys that mean something else are in quotes") {
  CHECK(yaml_text(Object{{"yes", "no"}}) == "\"yes\": \"no\"\n");
  CHECK(yaml_text(Object{{"left finger", "a: b # \"c\"\n"}}) ==
        "\"left finger\": \"a: b # \\\"c\\\"\\n\"\n");
  CHECK(yaml_text(Object{{"1a", ""}, {"a1", ""}}) == "\"1a\": \"\"\na1: \"\"\n");
}

}  // namespace
}  // namespace graspmap
