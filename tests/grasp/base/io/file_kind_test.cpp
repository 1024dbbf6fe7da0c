#include <catch2/catch.hpp>
#include <fstream>

#include "grasp/base/io/csv.hpp"
#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/toml_document.hpp"
#include "tests/support/config_error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace {

using namespace std::string_literals;

TEST_CASE("files are known by how they begin") {
  CHECK(file_kind("") == "an empty file");
  CHECK(file_kind("SQLite format 3\0more"s) == "an SQLite database, as the run.sqlite of a run");
  CHECK(file_kind("\x89PNG\r\n") == "a PNG image");
  CHECK(file_kind("\x1f\x8b\x08") == "compressed by gzip");
  CHECK(file_kind("\xff\xfe[\0p\0"s) == "text in UTF-16, not in UTF-8");
  CHECK(file_kind("a\0b"s) == "a binary file");
  CHECK(file_kind("  0\r\nSECTION\r\n") == "a DXF drawing");
  CHECK(file_kind("<?xml version=\"1.0\"?>") == "an SVG drawing or other XML");
  CHECK(file_kind("<!DOCTYPE html>") == "an HTML page");
  CHECK(file_kind("{\"trials\": 3}") == "a JSON document");
  CHECK(file_kind("# origin = measured\nx_mm,y_mm,success\n") == "a CSV table");
  for (const char* toml : {"[part]\n", "# a, b\n\nname = \"a, b\"\n", "\xEF\xBB\xBFname = 1\n",
                           "# nothing", "0 = 1\n", "a.b = [1, 2]\n"}) {
    INFO(toml);
    CHECK(file_kind(toml).empty());
  }
  CHECK(binary_kind("x_mm,y_mm\n").empty());
}

TEST_CASE("wrong kinds of file are named where TOML or CSV is read") {
  const testing::TemporaryFolder folder;
  const auto file = [&](const std::string& text) {
    const auto path = folder.path() / "file";
    std::ofstream(path, std::ios::binary) << text;
    return path;
  };
  const auto toml = [&](const std::string& text) {
    return testing::config_error([&] { (void)load_toml(file(text), {}); });
  };
  const auto csv = [&](const std::string& text) {
    return testing::config_error([&] { (void)read_csv(file(text)); });
  };
  const std::string name = (folder.path() / "file").string();
  CHECK(toml("x_mm,y_mm\n1,2\n") == name + ": is a CSV table; give a TOML file");
  CHECK(toml("") == name + ": is an empty file; give a TOML file");
  CHECK(csv("\x89PNG\r\n") == name + ": is a PNG image; give a CSV file");
  CHECK(csv("# a sweep\n[part]\nmass_kg = 1\n") == name + ": is a TOML file; give a CSV file");
  CHECK(csv("x_mm,\"a = b\"\n1,2\n") == "(no error)");
  CHECK(csv("x_mm,y_mm\n1,2\n") == "(no error)");
  CHECK(testing::config_error([&] { (void)read_csv(folder.path()); }) ==
        folder.path().string() + ": is a folder; give a CSV file");
  CHECK(testing::config_error([&] { (void)load_toml("/dev/null", {}); }) ==
        "/dev/null: is a device; give a TOML file");
}

}  // namespace
}  // namespace graspmap
