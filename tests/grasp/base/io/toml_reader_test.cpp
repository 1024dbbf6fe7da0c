#include "grasp/base/io/toml_reader.hpp"

#include <catch2/catch.hpp>
#include <functional>

#include "grasp/base/io/toml_document.hpp"
#include "tests/support/config_error.hpp"

using namespace graspmap;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

using Reader = std::function<void(const TomlTable&)>;

/// The error of reading a document.
std::string error_of(const toml::table& document, const Reader& reader) {
  try {
    return read_toml(document, [&](const TomlTable& root) {
      reader(root);
      return std::string("(no error)");
    });
  } catch (const ConfigError& error) {
    return error.what();
  }
}

std::string error_of(const std::string& text, const Reader& reader) {
  return error_of(parse_toml(text, "a.toml"), reader);
}

/// Asks for `part.mass_kg` and `part.name`, and checks no keys itself.
void read_part_carelessly(const TomlTable& document) {
  const TomlTable part = document.table("part");
  static_cast<void>(part.number("mass_kg", kPositive));
  if (part.has("name")) static_cast<void>(part.text("name"));
}

/// A shape whose keys depend on its kind.
void read_shape(const TomlTable& shape) {
  if (shape.kind("kind", {"disc", "box"}) == 0) {
    static_cast<void>(shape.number("radius_mm", kPositive));
  } else {
    static_cast<void>(shape.numbers<2>("size_mm"));
  }
  shape.check_keys();
}

}  // namespace

TEST_CASE("a document whose keys were all read is good", "[toml]") {
  CHECK(error_of("[part]\nmass_kg = 1\nname = \"a\"", read_part_carelessly) == "(no error)");
}

TEST_CASE("a key that no reader asked for is an error in whatever table it is", "[toml]") {
  const std::string part = "[part]\nmass_kg = 1\n";
  CHECK(error_of("colour = 1\n" + part, read_part_carelessly) ==
        "a.toml:1: colour: unknown key; allowed: part");
  CHECK(error_of(part + "colour = 1", read_part_carelessly) ==
        "a.toml:3: part.colour: unknown key; allowed: mass_kg, name");
  CHECK(error_of(part + "mass_g = 1", read_part_carelessly) ==
        "a.toml:3: part.mass_g: unknown key; a key ends with its unit: did you mean mass_kg?");
}

TEST_CASE("a table that no reader enters is an error", "[toml]") {
  const std::string part = "[part]\nmass_kg = 1\n";
  for (const char* table : {"[paint]\nred = 1", "[paint]", "[[paint]]\nred = 1",
                            "paint = { red = 1 }", "[paint.coat]\nred = 1"}) {
    INFO(table);
    CHECK_THAT(error_of(std::string(table) + "\n" + part, read_part_carelessly),
               StartsWith("a.toml:1: paint: unknown key; allowed: part"));
  }
}

TEST_CASE("a table that a reader entered and asked nothing of must be empty", "[toml]") {
  const auto enter = [](const TomlTable& root) { static_cast<void>(root.table("paint")); };
  CHECK(error_of("[paint]", enter) == "(no error)");
  CHECK_THAT(error_of("[paint]\nred = 1", enter), StartsWith("a.toml:2: paint.red: unknown key"));
}

TEST_CASE("a key that was asked for but not read is an error", "[toml]") {
  const auto ask = [](const TomlTable& root) { static_cast<void>(root.has("paint")); };
  CHECK(error_of("", ask) == "(no error)");
  for (const char* text : {"paint = 1", "[paint]\nred = 1", "[[paint]]\nred = 1"}) {
    CHECK(error_of(text, ask) ==
          "a.toml:1: paint: has no effect beside the other keys; must be left out");
  }
}

TEST_CASE("an unread key is found in an element of an array of tables", "[toml]") {
  const auto read = [](const TomlTable& root) {
    for (const TomlTable& piece : root.tables("piece")) {
      static_cast<void>(piece.number("radius_mm", kPositive));
      static_cast<void>(piece.table_or_empty("hole").number_or(0.0, "radius_mm", kPositive));
    }
  };
  const std::string first = "[[piece]]\nradius_mm = 1\n";
  CHECK(error_of(first + first, read) == "(no error)");
  CHECK_THAT(error_of(first + first + "size = 2", read),
             StartsWith("a.toml:5: piece.1.size: unknown key"));
  CHECK_THAT(error_of(first + first + "[piece.hole]\nradius = 2", read),
             StartsWith("a.toml:6: piece.1.hole.radius: unknown key"));
  CHECK_THAT(error_of("piece = [{ radius_mm = 1 }, { radius_mm = 1, size = 2 }]", read),
             StartsWith("a.toml:1: piece.1.size: unknown key"));
}

TEST_CASE("an unread key of an override is named with the override", "[toml]") {
  const auto error = [](const std::string& assignment) {
    toml::table document = parse_toml("[part]\nmass_kg = 1", "a.toml");
    apply_override(document, assignment);
    return error_of(document, read_part_carelessly);
  };
  CHECK(error("part.mass_kg=2") == "(no error)");
  CHECK(error("part.mas_kg=2") ==
        "--set part.mas_kg=2: part.mas_kg: unknown key; did you mean mass_kg?");
  CHECK_THAT(error("paint.coat.red=2"),
             StartsWith("--set paint.coat.red=2: paint: unknown key; allowed: part"));
}

TEST_CASE("the keys of the chosen kind are allowed, and no others", "[toml]") {
  CHECK(error_of("kind = \"disc\"\nradius_mm = 1", read_shape) == "(no error)");
  CHECK(error_of("kind = \"box\"\nsize_mm = [1, 2]\nradius_mm = 1", read_shape) ==
        "a.toml:3: radius_mm: unknown key; allowed: kind, size_mm");
  CHECK_THAT(error_of("kind = \"box\"\nsize_cm = [1, 2]", read_shape),
             Contains("size_cm: unknown key; a key ends with its unit: did you mean size_mm?"));
  CHECK(error_of("size_mm = [1, 2]", read_shape) ==
        "a.toml:1: kind: missing; must be \"disc\" or \"box\"");
}

TEST_CASE("all unknown keys of a table, and all that are missing, are told in one error",
          "[toml]") {
  const auto read = [](const TomlTable& root) {
    for (const char* key : {"min_mm", "max_mm", "min_mm"}) {
      static_cast<void>(root.number(key, kAnyNumber));
    }
    root.check_keys();
  };
  CHECK(error_of("", read) ==
        "a.toml:1: min_mm: missing; must be a finite number\n"
        "a.toml:1: max_mm: missing; must be a finite number");
  CHECK(error_of("mim_mm = 0\nmax = 0", read) ==
        "a.toml:2: max: unknown key; a key ends with its unit: did you mean max_mm?\n"
        "a.toml:1: mim_mm: unknown key; did you mean min_mm?");
}

TEST_CASE("two keys that do not go together are refused at the first", "[toml]") {
  const auto read = [](const TomlTable& root) {
    root.refuse_both("mean", "value");
    for (const char* key : {"mean", "value"}) static_cast<void>(root.number_or(0, key, kAnyNumber));
  };
  CHECK(error_of("value = 1", read) == "(no error)");
  CHECK(error_of("value = 1\nmean = 2", read) ==
        "a.toml:2: mean: does not go with value; give one of them");
}

TEST_CASE("a fault of a file that a key names keeps its place and key", "[toml]") {
  const toml::table document = parse_toml("[part]\nfile = \"b.csv\"", "a.toml");
  try {
    read_toml(document, [](const TomlTable& root) -> int {
      root.table("part").fail_in_file("file",
                                      config_error({"b.csv", 3}, "x_mm", "is 1; must be 2"));
    });
    FAIL("no error");
  } catch (const ConfigError& error) {
    CHECK_THAT(error.what(),
               Catch::Equals("b.csv:3: x_mm: is 1; must be 2 (named by part.file, a.toml:2)"));
    const ConfigFault& fault = error.faults()[0];
    CHECK(fault.place.text() == "b.csv:3");
    CHECK(fault.key == "x_mm");
    CHECK(fault.what == "is 1");
    CHECK(fault.allowed == "must be 2");
    CHECK(fault.named_at.text() == "a.toml:2");
    CHECK(fault.named_by == "part.file");
  }
}

TEST_CASE("a misspelt key comes before the missing key that it stands for", "[toml]") {
  const auto read = [](const TomlTable& root) {
    const double min = root.number("min_mm", kAnyNumber);
    const double max = root.number("max_mm", kAnyNumber);
    root.check_keys();
    if (!(min < max)) root.fail("max_mm", "is too small");
  };
  CHECK_THAT(error_of("mim_mm = 0\nmax_mm = 0", read),
             Contains("mim_mm: unknown key; did you mean min_mm?"));
  CHECK(error_of("max_mm = 0", read) == "a.toml:1: min_mm: missing; must be a finite number");
  CHECK(error_of("min_mm = 0\nmax_mm = 0", read) == "a.toml:2: max_mm: is too small");
}

TEST_CASE("a failure before the keys are checked tells the missing key first", "[toml]") {
  CHECK(error_of("max_mm = 0", [](const TomlTable& root) {
          static_cast<void>(root.number("min_mm", kAnyNumber));
          root.fail("max_mm", "is below a stand-in");
        }) == "a.toml:1: min_mm: missing; must be a finite number");
}

TEST_CASE("required keys that are missing are found at the latest at the end", "[toml]") {
  CHECK(error_of("[part]", read_part_carelessly) ==
        "a.toml:1: part.mass_kg: missing; must be a finite number > 0");
  CHECK(error_of("", read_part_carelessly) == "a.toml:1: part: missing; must be a table, [part]");
}

TEST_CASE("after its keys are checked a table throws at once for a missing one", "[toml]") {
  bool is_reached = false;
  const auto read = [&](const TomlTable& root) {
    root.ask_for({"mass_kg"});
    root.check_keys();
    static_cast<void>(root.number("mass_kg", kPositive));
    is_reached = true;
  };
  CHECK_THAT(error_of("", read), Contains("mass_kg: missing"));
  CHECK_FALSE(is_reached);
}

TEST_CASE("a mistake of syntax is one line: file, line, what is wrong, what must be", "[toml]") {
  const auto [text, says] = GENERATE(table<std::string, std::string>({
      {"a = 1\nname = \"abc\nb = 2\n",
       "2: a text is not closed; must end with a quote on its line"},
      {"name = \"abc", "1: the file ends inside of a value; each quote, [ and { must be closed"},
      {"[sweep\nseed = 1\n", "1: a table's name is not closed; must be [name]"},
      {"a = [1, 2\nb = 3\n", "2: a list is not closed; must have commas between its values"},
      {"a = 1\na = 2\n", "2: 'a' is given twice; must be given once"},
      {"[a]\nx = 1\n[a]\n", "3: 'a' is given twice; must be given once"},
      {"a = 1,5\n", "1: a comma after a number; must be a point, as in 1.5"},
      {"a = \u201cabc\u201d\n",
       "1: not a value; must be a number, true, false, a \"text\" in plain"},
      {"a = lock_piece\n", "1: not a value; must be a number, true, false, a \"text\" in plain"},
      {"a\tb = 1\n", "1: not a key with its value; must be key = value"},
      {"a =\u00a01\n", "1: a blank that is no space; must be a plain space"},
      {"a =\n", "1: no value after =; must be key = value"},
      {"a = 5 mm\n", "1: more after the value; must be the value alone, without a unit"},
      {"a = .5\n", "1: not a number; must be one"},
      {"a = True\n", "1: not a value; must be true or false, in small letters"},
      {"a = \"C:\\parts\"\n", "1: a \\ in a text; must be \\\\"},
      {"a = \"\xe4\"\n", "1: not UTF-8; must be saved as such"},
  }));
  CAPTURE(text);
  const std::string error =
      testing::config_error([&text = text] { (void)parse_toml(text, "a.toml"); });
  CHECK_THAT(error, StartsWith("a.toml:" + says));
  CHECK(error.find('\n') == std::string::npos);
}

TEST_CASE("handles of one table share their notes", "[toml]") {
  CHECK(error_of("[a]\nx = 1\ny = 2\n[[b]]\nz = 3", [](const TomlTable& root) {
          static_cast<void>(root.table("a").number("x", kAnyNumber));
          static_cast<void>(root.table("a").number("y", kAnyNumber));
          const TomlTable copy = root.tables("b")[0];
          static_cast<void>(copy.number("z", kAnyNumber));
          root.tables("b")[0].check_keys();
        }) == "(no error)");
}
