#include "grasp/base/io/toml_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "grasp/base/io/file_kind.hpp"
#include "grasp/base/io/toml_depth.hpp"
#include "grasp/base/io/toml_override.hpp"
#include "grasp/base/process/examples.hpp"

namespace graspmap {
namespace {

std::string on_one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
  return text;
}

std::string location(const toml::source_region& region) {
  const std::string source = region.path ? *region.path : "";
  if (is_override(source)) return source;
  return fmt::format("{}:{}", source, std::max<toml::source_index>(region.begin.line, 1));
}

}  // namespace

ConfigError config_error(std::string_view location, std::string_view key, std::string_view text) {
  const std::string_view separator = key.empty() ? "" : ": ";
  return ConfigError(on_one_line(fmt::format("{}: {}{}{}", location, key, separator, text)));
}

std::string location(const toml::node& node) { return location(node.source()); }

toml::table parse_toml(std::string_view text, const std::string& source) {
  if (const auto line = line_of_long_key(text)) {
    const std::string place = is_override(source) ? source : fmt::format("{}:{}", source, *line);
    throw config_error(
        place, "",
        fmt::format("a key has more than {0} words; must have {0} at most", kMostKeyWords));
  }
  try {
    return toml::parse(text, source);
  } catch (const toml::parse_error& error) {
    throw config_error(location(error.source()), "", error.description());
  }
}

std::string read_toml_text(const std::filesystem::path& file) {
  if (const std::string_view kind = file_kind_of(file); !kind.empty()) {
    throw config_error(file.string(), "", fmt::format("is {}; give a TOML file", kind));
  }
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  if (stream) text << stream.rdbuf();
  if (!stream) {
    const std::string reason = std::strerror(errno);
    throw config_error(
        file.string(), "",
        fmt::format("cannot be read: {}; give a TOML file{}", reason, example_hint(file)));
  }
  // What comes from a pipe could not be looked at before.
  if (const std::string_view kind = file_kind(text.str()); !kind.empty()) {
    throw config_error(file.string(), "", fmt::format("is {}; give a TOML file", kind));
  }
  return text.str();
}

toml::table load_toml(const std::filesystem::path& file,
                      const std::vector<std::string>& overrides) {
  toml::table document = parse_toml(read_toml_text(file), file.string());
  for (const std::string& assignment : overrides) apply_override(document, assignment);
  return document;
}

}  // namespace graspmap
