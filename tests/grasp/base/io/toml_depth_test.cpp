#include <catch2/catch.hpp>
#include <string>

#include "grasp/base/io/toml_document.hpp"
#include "tests/support/config_error.hpp"

using namespace graspmap;
using testing::config_error;

namespace {

/// "a.a.a" with so many words.
std::string key_of(int words) {
  std::string key = "a";
  for (int k = 1; k < words; ++k) key += ".a";
  return key;
}

}  // namespace

TEST_CASE("a key of too many words is refused before it can end the program", "[toml]") {
  for (const std::string& text : {key_of(100'000) + " = 1\n", "[" + key_of(100'000) + "]\n"}) {
    CHECK(config_error([&] { return parse_toml("\n" + text, "f.toml"); }) ==
          "f.toml:2: a key has more than 20 words; must have 20 at most");
  }
  toml::table document;
  CHECK(config_error([&] { apply_override(document, key_of(50'000) + "=1"); }) ==
        "--set a...: a key has more than 20 words; must have 20 at most");
}

TEST_CASE("the words of keys are counted, and no dots of values", "[toml]") {
  const std::string dots(100, '.');
  CHECK_FALSE(line_of_long_key(key_of(20) + " = 1"));
  CHECK(line_of_long_key(key_of(21) + " = 1") == 1);
  CHECK(line_of_long_key("x = 1\n\n[[" + key_of(21) + "]]") == 3);
  CHECK(line_of_long_key("x = { y = 1, " + key_of(21) + " = 1 }") == 1);
  CHECK(line_of_long_key("'b'.\"b.b\" . " + key_of(19) + " = 1") == 1);
  CHECK_FALSE(line_of_long_key("'b'.\"b.b\" . " + key_of(18) + " = 1"));
  CHECK_FALSE(
      line_of_long_key("x = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2,"
                       "     0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2]"));
  CHECK_FALSE(line_of_long_key("x = 1 # " + dots));
  CHECK_FALSE(line_of_long_key("x = \"" + dots + "\\\"" + dots + "\""));
  CHECK_FALSE(line_of_long_key("x = '" + dots + "\\'"));
  const std::string lines = "\n" + dots + "\n";
  CHECK_FALSE(line_of_long_key("x = \"\"\"" + lines + "\"\"\""));
  CHECK(line_of_long_key("x = '''" + lines + "'''\n" + key_of(21)) == 4);
}
