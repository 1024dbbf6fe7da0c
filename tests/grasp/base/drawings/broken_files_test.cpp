#include <catch2/catch.hpp>
#include <random>
#include <sstream>

#include "tests/support/drawn.hpp"
#include "tests/support/file_text.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

/// Reads a text: it is a drawing, or the error is one line that names the file.
void check_reads(const std::string& name, const std::string& text) {
  try {
    const Drawing drawing = parse_drawing(text, name, {});
    const bool is_whole = !drawing.regions.empty() && drawing.area_mm2 > 0.0;
    if (!is_whole) FAIL("no region");
  } catch (const ConfigError& error) {
    const std::string message = error.what();
    const bool is_one_line = message.starts_with(name + ":") &&
                             message.find('\n') == std::string::npos && message.size() < 1000;
    if (!is_one_line) FAIL(message);
  }
}

const std::vector<std::string> kFiles = {
    "bracket.dxf",    "slot_inch.dxf",    "ellipses.dxf",     "splines.dxf",
    "blocks.dxf",     "mirrored_r12.dxf", "untidy.dxf",       "nut_openscad.dxf",
    "nut_source.svg", "nut_inkscape.svg", "nut_openscad.svg",
};

}  // namespace

TEST_CASE("a drawing that is cut at any byte is read, or is one line of error") {
  for (const std::string& name : kFiles) {
    const std::string text = file_text(data_file(name));
    for (std::size_t size = 0; size < text.size(); size += 3) {
      check_reads(name, text.substr(0, size));
    }
  }
  SUCCEED();
}

TEST_CASE("a drawing with changed bytes is read, or is one line of error") {
  std::mt19937 random(7);
  const std::string bytes = "0123456789.-eE+ \n\r\t<>/\"'#&;x\x01\x7f\xc3\xff";
  for (const std::string& name : kFiles) {
    const std::string text = file_text(data_file(name));
    for (int k = 0; k < 500; ++k) {
      std::string changed = text;
      for (int count = 1 + k % 5; count > 0; --count) {
        changed[random() % changed.size()] = bytes[random() % bytes.size()];
      }
      check_reads(name, changed);
    }
  }
  SUCCEED();
}

TEST_CASE("a drawing with a line left out, repeated or moved is read, or is one line of error") {
  std::mt19937 random(11);
  for (const std::string& name : kFiles) {
    const std::string text = file_text(data_file(name));
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    for (int k = 0; k < 300; ++k) {
      std::vector<std::string> changed = lines;
      const std::size_t at = random() % changed.size();
      const std::size_t to = random() % changed.size();
      if (k % 3 == 0) changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(at));
      if (k % 3 == 1) changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(at), lines[to]);
      if (k % 3 == 2) std::swap(changed[at], changed[to]);
      std::string joined;
      for (const std::string& line : changed) joined += line + "\n";
      check_reads(name, joined);
    }
  }
  SUCCEED();
}
